import { formatGroupVersion, type JsonObject } from '../../../meta/object.ts';
import { applyObject } from '../apply/apply-object.ts';
import { ApplyConflict, CONFLICT_ADVICE } from '../apply/conflict.ts';
import type { Api } from '../api/api.ts';
import type { CommandContext } from '../context.ts';
import { CtlError, isNotFound, throwCollected } from '../errors.ts';
import { withoutManagedFields } from '../print/clean.ts';
import { boundedForEach } from '../write/bounded.ts';
import { findTarget, targetPath, type WriteTarget } from '../write/find-target.ts';
import { writeQuery, type ManifestChoice } from '../write/flags.ts';
import { loadManifests } from '../write/load-manifests.ts';
import { warnIfDeleting } from '../write/warn-if-deleting.ts';
import { showDifferences, type Comparison } from './diff-program.ts';
import { maskSecrets } from './mask-secret.ts';

export interface DiffChoice extends ManifestChoice {
  readonly 'force-conflicts': boolean;
  readonly 'field-manager': string;
  readonly 'show-managed-fields': boolean;
  readonly concurrency: number;
}

/** Shows what apply would change. @returns 0 for nothing, 1 for something. @throws errors of what can't be compared. */
export async function diffManifests(context: CommandContext, choice: DiffChoice): Promise<number> {
  const { manifests, errors } = await loadManifests(context, choice);
  if (manifests.length + errors.length === 0) throw new CtlError('no objects passed to diff');
  const failures: unknown[] = [...errors];
  const mapper = await context.resources();
  const namespace = await context.namespace();
  const comparer = new Comparer(context, await context.api(), choice);
  const found = new Array<Comparison | undefined>(manifests.length);
  await boundedForEach(manifests.entries(), Math.max(choice.concurrency, 1), async ([index, manifest]) => {
    try {
      found[index] = await comparer.compare(findTarget(manifest, mapper, namespace));
    } catch (error) {
      context.signal.throwIfAborted();
      failures.push(error);
    }
  });
  const comparisons = found.filter((one) => one !== undefined);
  const differs = await showDifferences(context, ['LIVE', 'MERGED'], comparisons);
  throwCollected(failures);
  return differs ? 1 : 0;
}

/** Asks the server what an object is, and what it would be. */
class Comparer {
  readonly #context: CommandContext;
  readonly #api: Api;
  readonly #choice: DiffChoice;

  constructor(context: CommandContext, api: Api, choice: DiffChoice) {
    this.#context = context;
    this.#api = api;
    this.#choice = choice;
  }

  async compare(target: WriteTarget): Promise<Comparison> {
    const live = await this.#live(target);
    const merged = await this.#merged(target);
    await warnIfDeleting(this.#context.stderr, live);
    const [from, to] = target.resource.kind === 'Secret' ? maskSecrets(live, merged) : [live, merged];
    const { YamlPrinter } = await import('../print/yaml.ts');
    const text = (object: JsonObject | undefined): string | undefined =>
      object === undefined ? undefined : new YamlPrinter().print(this.#shown(object));
    return { name: fileName(target), from: text(from), to: text(to) };
  }

  async #live(target: WriteTarget): Promise<JsonObject | undefined> {
    try {
      return await this.#api.json({ path: targetPath(target) });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #merged(target: WriteTarget): Promise<JsonObject> {
    const { 'force-conflicts': force, 'field-manager': manager } = this.#choice;
    const query = writeQuery({ 'dry-run': 'server', validate: 'ignore' }, manager);
    try {
      return await applyObject(target, { api: this.#api, query, force });
    } catch (error) {
      if (!(error instanceof ApplyConflict)) throw error;
      throw new CtlError(error.message, { hint: CONFLICT_ADVICE, cause: error });
    }
  }

  #shown(object: JsonObject): JsonObject {
    return this.#choice['show-managed-fields'] ? object : withoutManagedFields(object);
  }
}

/** `apps.v1.Deployment.default.web`: what differences are told of. */
function fileName({ resource, namespace = '', name }: WriteTarget): string {
  const { group, version, kind } = resource;
  return `${formatGroupVersion(group, version).replace('/', '.')}.${kind}.${namespace}.${name}`.replaceAll(
    '/',
    '_',
  );
}
