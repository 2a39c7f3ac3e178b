import { ApiError } from '../../errors/api-error.ts';
import { Pacer } from '../../lib/pacer.ts';
import { formatTime } from '../../lib/rfc3339.ts';
import { isObject, objectAt } from '../../meta/fields.ts';
import { labelSelectorOf } from '../../meta/label-selector.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { Revision } from '../../meta/revision.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import { followResource, type Follower } from '../../store/follow.ts';
import type { EntryFilter, StoredEntry } from '../../store/object-store.ts';
import { rowOf, type Controller, type ControllerParts, type RunningController } from '../controller.ts';
import { eventRecorder, type EventNote } from '../events.ts';
import { isOutdated, keyedWork, type KeyedWork } from '../keyed-work.ts';
import {
  countHealthy,
  demandOf,
  disruptedOf,
  needsScale,
  setFailure,
  setFigures,
  type BudgetPod,
  type Disrupted,
} from './budget-status.ts';
import { podFactsReader, type PodFacts } from './pod-facts.ts';
import { scaleOfController } from './scales.ts';
import { resetStaleTargets } from './stale-targets.ts';

const NAME = 'disruption-controller';

/**
 * Says in the status of PodDisruptionBudgets how many of their pods are healthy, have to be, and may be evicted; and of
 * pods that are to be disrupted, when that has come to nothing.
 */
export const disruption: Controller = {
  name: NAME,
  start(parts) {
    const budgets = new BudgetKeeper(parts).start();
    const targets = resetStaleTargets(parts);
    return {
      close() {
        budgets.close();
        targets.close();
      },
    };
  },
};

const CONCURRENCY = 5;

/** A budget as it is known. */
interface Budget {
  entry: StoredEntry;
  /** Ends watching its pods; undefined: they aren't watched. */
  unwatch: (() => void) | undefined;
  /** What was told of it last, in an event. */
  told: string;
}

class BudgetKeeper {
  readonly #parts: ControllerParts;
  readonly #row: ResourceDefinition;
  readonly #podRow: ResourceDefinition;
  readonly #factsOf: (entry: StoredEntry) => PodFacts = podFactsReader();
  readonly #record: ReturnType<typeof eventRecorder>;
  readonly #work: KeyedWork;
  readonly #budgets = new Map<string, Budget>();

  constructor(parts: ControllerParts) {
    this.#parts = parts;
    this.#row = rowOf(parts.schemas, ['policy', 'v1', 'poddisruptionbudgets']);
    this.#podRow = rowOf(parts.schemas, ['', 'v1', 'pods']);
    this.#record = eventRecorder(parts, NAME);
    const { clock, log } = parts;
    const work = (key: string): Promise<void> => this.#visit(key);
    this.#work = keyedWork({ clock, log, work, concurrency: CONCURRENCY, expects: isOutdated });
  }

  start(): RunningController {
    const following = followResource(this.#parts, this.#row, this.#follower);
    return {
      close: () => {
        following.close();
        this.#work.close();
        for (const { unwatch } of this.#budgets.values()) unwatch?.();
      },
    };
  }

  readonly #follower: Follower = {
    set: (entry) => {
      const key = `${entry.namespace}/${entry.name}`;
      const known = this.#budgets.get(key);
      if (known === undefined) {
        this.#budgets.set(key, { entry, unwatch: undefined, told: '' });
      } else {
        // It may be about other pods now.
        known.unwatch?.();
        known.unwatch = undefined;
        known.entry = entry;
      }
      this.#work.add(key);
    },
    remove: (namespace, name) => {
      const key = `${namespace}/${name}`;
      this.#budgets.get(key)?.unwatch?.();
      this.#budgets.delete(key);
    },
  };

  async #visit(key: string): Promise<void> {
    const budget = this.#budgets.get(key);
    if (budget === undefined) return;
    const { clock, store, server } = this.#parts;
    const object = store.decode(budget.entry, this.#row);
    const now = clock.now();
    let changed: boolean;
    try {
      const pods = await this.#podsOf(key, budget, object);
      const disrupted = disruptedOf(object, pods, now);
      const demand = demandOf(object, {
        present: pods.length,
        expected: await this.#expected(budget, object, pods),
      });
      const currentHealthy = countHealthy(pods, disrupted, now);
      const figures = { ...demand, currentHealthy, disruptedPods: disrupted.pods };
      changed = setFigures(object, figures, formatTime(now));
      await this.#tellOverdue(object, disrupted);
      if (disrupted.next < Infinity) this.#work.addAfter(key, disrupted.next - now + 1);
    } catch (error) {
      // The store may answer later; what a budget says of itself doesn't change by that.
      if (error instanceof ApiError) throw error;
      const message = (error as Error).message;
      await this.#tell(budget, { type: 'Warning', reason: 'CalculateExpectedPodCountFailed', message });
      changed = setFailure(object, message, formatTime(now));
    }
    if (changed) await server.update(this.#row, object, { subresource: 'status' });
  }

  /** Its pods, and from now on what becomes of them. @throws SelectorError */
  async #podsOf(key: string, budget: Budget, object: ApiObject): Promise<BudgetPod[]> {
    const { entry: version, unwatch } = budget;
    const { namespace } = version;
    const chosen = objectAt(object, 'spec')?.['selector'];
    if (!isObject(chosen)) return [];
    const selector = labelSelectorOf(chosen);
    const filter: EntryFilter = { matches: (entry) => selector.matches(entry.labels) };
    const { entries, revision } = await this.#parts.store.list({
      ...{ resource: this.#podRow, namespace, filter, at: { at: unwatch === undefined ? 'latest' : 'any' } },
    });
    // Of a newer version it is looked at again.
    if (budget.entry === version) budget.unwatch ??= this.#watch(key, { namespace, filter, revision });
    const pacer = new Pacer();
    const pods: BudgetPod[] = [];
    for (const entry of entries) {
      if (pacer.due()) await pacer.rest();
      pods.push({ entry, facts: this.#factsOf(entry) });
    }
    if (pods.length === 0) await this.#tell(budget, { type: 'Normal', reason: 'NoPods', message: NO_PODS });
    return pods;
  }

  /** Looks at a budget again whenever one of its pods changes. @returns what ends that */
  #watch(
    key: string,
    { namespace, filter, revision }: { namespace: string; filter: EntryFilter; revision: Revision },
  ): () => void {
    const ended = new AbortController();
    const { signal } = ended;
    const end = (): void => {
      const budget = this.#budgets.get(key);
      if (signal.aborted || budget === undefined) return;
      budget.unwatch = undefined;
      this.#work.add(key);
    };
    const start = { from: 'after', revision } as const;
    const request = { resource: this.#podRow, namespace, filter, start, markInitialEvents: false, signal };
    const sink = { deliver: () => this.#work.add(key), end };
    this.#parts.store.watch(request, sink).catch(end);
    return () => ended.abort();
  }

  /** How many pods there are to be, as those say who control them. @throws Error where one can't be asked. */
  async #expected(budget: Budget, object: ApiObject, pods: readonly BudgetPod[]): Promise<number> {
    if (!needsScale(object)) return 0;
    const { namespace } = budget.entry;
    const scales = new Map<string, number>();
    const asked = new Set<string>();
    let unmanaged = 0;
    for (const { entry, facts } of pods) {
      if (facts.controller === undefined) unmanaged++;
      if (facts.controller === undefined || asked.has(facts.controller.uid)) continue;
      asked.add(facts.controller.uid);
      const scale = await scaleOfController(this.#parts, namespace, facts.controller);
      if (scale === undefined) throw new Error(`what controls the pod ${entry.name} was not found`);
      scales.set(scale.uid, scale.replicas);
    }
    if (unmanaged > 0) {
      const message = `${unmanaged} of its pods have no controller and don't count: only a number as minAvailable includes them`;
      await this.#tell(budget, { type: 'Warning', reason: 'UnmanagedPods', message });
    }
    return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
  }

  async #tellOverdue({ metadata }: ApiObject, { overdue }: Disrupted): Promise<void> {
    const message = `the budget ${metadata.namespace}/${metadata.name} expected the pod to be deleted, and it was not`;
    for (const { entry } of overdue) {
      const { namespace, name, uid } = entry;
      const subject = { row: this.#podRow, namespace, name, uid };
      await this.#record(subject, { type: 'Warning', reason: 'NotDeleted', message });
    }
  }

  /** Tells users of something, unless that was the last thing that they were told. */
  async #tell(budget: Budget, note: EventNote): Promise<void> {
    const told = `${note.reason} ${note.message}`;
    if (budget.told === told) return;
    budget.told = told;
    const { namespace, name, uid } = budget.entry;
    await this.#record({ row: this.#row, namespace, name, uid }, note);
  }
}

const NO_PODS = 'no pod matches the selector';
