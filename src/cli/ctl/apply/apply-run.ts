import type { ApiObject, JsonObject } from '../../../meta/object.ts';
import type { Api } from '../api/api.ts';
import { discover } from '../api/discovery.ts';
import { ResourceMapper } from '../api/resource-mapper.ts';
import type { ChosenNamespace, CommandContext } from '../context.ts';
import type { Manifest } from '../manifests/manifest.ts';
import { boundedForEach } from '../write/bounded.ts';
import { findTarget, UnknownKind, type WriteTarget } from '../write/find-target.ts';
import { OrderedOutput } from '../write/ordered-output.ts';
import { warnIfDeleting } from '../write/warn-if-deleting.ts';
import { applyObject, type ApplyOptions } from './apply-object.ts';
import { learnDefinitions } from './definitions.ts';
import { DEFINITIONS_PHASE, phaseOf, PHASES, withoutRepeats } from './phases.ts';
import { Progress } from './progress.ts';

export interface ApplyRunOptions {
  readonly context: CommandContext;
  readonly api: Api;
  readonly mapper: ResourceMapper;
  readonly namespace: ChosenNamespace;
  readonly apply: Omit<ApplyOptions, 'api'>;
  /** Whether nothing is sent. */
  readonly sendsNothing: boolean;
  /** The line that tells of an object; '' where nothing is told yet. */
  readonly lineOf: (object: JsonObject) => string;
  /** Is called with what is to be applied, before anything is. */
  readonly begin: (targets: readonly WriteTarget[]) => Promise<void>;
}

/** So many requests are under way at once. */
const CONCURRENCY = 8;

/** A manifest and its number, which tells when to tell of it. */
interface Item {
  readonly manifest: Manifest;
  readonly index: number;
}

/** One run of apply: what others need goes first, errors of one object don't keep others back. */
export class ApplyRun {
  /** As the server has them now, in no particular order. */
  readonly applied: { readonly index: number; readonly object: JsonObject }[] = [];
  readonly errors: unknown[] = [];
  readonly #options: ApplyRunOptions;
  #mapper: ResourceMapper;

  constructor(options: ApplyRunOptions) {
    this.#options = options;
    this.#mapper = options.mapper;
  }

  async run(manifests: readonly Manifest[]): Promise<void> {
    const { context, begin } = this.#options;
    const progress = new Progress(context.stderr, manifests.length, 'applied');
    const output = new OrderedOutput(context.stdout, () => progress.clear());
    const items = manifests.map((manifest, index): Item => ({ manifest, index }));
    await begin(items.flatMap((item) => this.#foreseen(item.manifest) ?? []));
    const failures = new Map<number, unknown>();
    const settle = async ({ index }: Item, text: string): Promise<void> => {
      progress.advance();
      await output.add(index, text);
    };
    try {
      for (let phase = 0; phase < PHASES; phase++) {
        const some = items.filter(({ manifest }) => phaseOf(manifest.object.kind) === phase);
        const targets = await this.#resolve(some, async (item, error) => {
          failures.set(item.index, error);
          await settle(item, '');
        });
        for (const round of withoutRepeats([...targets.keys()])) {
          await boundedForEach(round, CONCURRENCY, async (target) => {
            const item = targets.get(target);
            if (item === undefined) return;
            const result = await this.#apply(target).catch((error: unknown) => {
              context.signal.throwIfAborted();
              failures.set(item.index, error);
            });
            if (result !== undefined) await warnIfDeleting(context.stderr, result);
            if (result !== undefined) this.applied.push({ index: item.index, object: result });
            await settle(item, result === undefined ? '' : this.#options.lineOf(result));
          });
        }
        if (phase === DEFINITIONS_PHASE) await this.#learnKinds([...targets.keys()]);
      }
    } finally {
      await progress.end();
    }
    this.applied.sort((a, b) => a.index - b.index);
    this.errors.push(...[...failures].sort(([a], [b]) => a - b).map(([, error]) => error));
  }

  /** What can be told of a target before kinds are there that are only now defined. */
  #foreseen(manifest: Manifest): WriteTarget | undefined {
    try {
      return findTarget(manifest, this.#mapper, this.#options.namespace);
    } catch (error) {
      if (error instanceof UnknownKind) return undefined;
      throw error;
    }
  }

  async #resolve(
    items: readonly Item[],
    refuse: (item: Item, error: unknown) => Promise<void>,
  ): Promise<Map<WriteTarget, Item>> {
    const targets = new Map<WriteTarget, Item>();
    for (const item of items) {
      try {
        targets.set(findTarget(item.manifest, this.#mapper, this.#options.namespace), item);
      } catch (error) {
        await refuse(item, error);
      }
    }
    return targets;
  }

  async #apply(target: WriteTarget): Promise<ApiObject | JsonObject> {
    const { api, apply, sendsNothing } = this.#options;
    return sendsNothing ? target.object : applyObject(target, { api, ...apply });
  }

  /** New definitions are new kinds. */
  async #learnKinds(definitions: readonly WriteTarget[]): Promise<void> {
    const { api, context, sendsNothing, apply } = this.#options;
    if (definitions.length === 0 || sendsNothing || apply.query.dryRun !== undefined) return;
    const served = definitions.filter(({ resource }) => resource.kind === 'CustomResourceDefinition');
    const { signal } = context;
    const { names } = this.#mapper;
    const again = async (): Promise<ResourceMapper> => new ResourceMapper(await discover(api, [names]));
    this.#mapper = await learnDefinitions(served, { api, signal, discover: again });
  }
}
