import { formatTime } from '../../lib/rfc3339.ts';
import { isObject, objectAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import { followResource, type Follower } from '../../store/follow.ts';
import { atOnce } from '../at-once.ts';
import { rowOf, type Controller, type ControllerParts, type RunningController } from '../controller.ts';
import { findEntry } from '../find-entry.ts';
import { isOutdated, keyedWork, type KeyedWork } from '../keyed-work.ts';
import { storedRows } from '../stored-rows.ts';
import { setConditions, type Outcome } from './conditions.ts';
import { emptyOf, type Emptied, type Remains } from './content.ts';
import { whenGone, type StopWaiting } from './wake.ts';

/**
 * Empties namespaces that are being deleted, and lets them go then.
 *
 * @param lagMs for how long somebody may still let objects in who does not know of a deletion yet
 */
export function namespaceController(lagMs: number): Controller {
  return { name: 'namespace-controller', start: (parts) => new NamespaceEmptier(parts, lagMs).start() };
}

/** Namespaces that are emptied at a time. */
const CONCURRENCY = 10;
/** Resources of one namespace that are emptied at a time. */
const RESOURCES_AT_ONCE = 4;
/** How long is waited at most before what is left is looked at again, though nothing was heard of it. */
const MAX_WAIT_MS = 60_000;

/** A namespace that is being deleted. */
interface Terminating {
  /** When that was seen first, on the monotonic clock. */
  readonly since: number;
  /** How often something was left in it. */
  waits: number;
  stopWaiting: StopWaiting | undefined;
}

class NamespaceEmptier {
  readonly #parts: ControllerParts;
  readonly #lagMs: number;
  readonly #row: ResourceDefinition;
  readonly #rows: () => readonly ResourceDefinition[];
  readonly #finalizer: string;
  readonly #work: KeyedWork;
  readonly #terminating = new Map<string, Terminating>();

  constructor(parts: ControllerParts, lagMs: number) {
    this.#parts = parts;
    this.#lagMs = lagMs;
    this.#row = rowOf(parts.schemas, ['', 'v1', 'namespaces']);
    this.#rows = storedRows(parts.schemas, canBeEmptied);
    this.#finalizer = parts.names.get('finalizer.namespace');
    const { clock, log } = parts;
    const work = (name: string, signal: AbortSignal): Promise<void> => this.#look(name, signal);
    this.#work = keyedWork({ clock, log, work, concurrency: CONCURRENCY, expects: isOutdated });
  }

  start(): RunningController {
    const namespaces = followResource(this.#parts, this.#row, this.#follower, {
      filter: { matches: (entry) => entry.field('status.phase') === 'Terminating' },
    });
    return {
      close: () => {
        this.#work.close();
        namespaces.close();
        for (const { stopWaiting } of this.#terminating.values()) stopWaiting?.();
      },
    };
  }

  readonly #follower: Follower = {
    set: ({ name }) => {
      if (this.#terminating.has(name)) return;
      const since = this.#parts.clock.monotonic();
      this.#terminating.set(name, { since, waits: 0, stopWaiting: undefined });
      this.#work.add(name);
    },
    remove: (_namespace, name) => {
      this.#terminating.get(name)?.stopWaiting?.();
      this.#terminating.delete(name);
    },
  };

  async #look(name: string, signal: AbortSignal): Promise<void> {
    const state = this.#terminating.get(name);
    const namespace = await this.#read(name);
    if (state === undefined || namespace === undefined) return;
    state.stopWaiting?.();
    state.stopWaiting = undefined;
    const since = Date.parse(namespace.metadata.deletionTimestamp ?? '');
    const { remains, failures } = await this.#empty({ namespace: name, since, signal });
    const told = await this.#tell(namespace, { remains, failures: failures.map(String) });
    if (failures.length > 0) throw new AggregateError(failures, `${name} could not be emptied`);
    if (remains.length > 0) {
      this.#wait(name, state, remains);
      return;
    }
    const lag = state.since + this.#lagMs - this.#parts.clock.monotonic();
    if (lag > 0) this.#work.addAfter(name, lag);
    else await this.#finalize(told);
  }

  /** The namespace as it is now. @returns undefined where it isn't waiting for this controller. */
  async #read(name: string): Promise<ApiObject | undefined> {
    const ref = { resource: this.#row, namespace: '', name };
    const entry = await findEntry(this.#parts.store, ref, 'latest');
    const namespace = entry && this.#parts.store.decode(entry, this.#row);
    const isOurs = namespace?.metadata.deletionTimestamp != null && this.#isHeld(namespace);
    return isOurs ? namespace : undefined;
  }

  #isHeld(namespace: ApiObject): boolean {
    return finalizersOf(namespace).includes(this.#finalizer);
  }

  async #empty(emptied: Emptied): Promise<{ remains: Remains[]; failures: Error[] }> {
    const remains: Remains[] = [];
    const failures: Error[] = [];
    await atOnce(this.#rows(), RESOURCES_AT_ONCE, async (row) => {
      emptied.signal.throwIfAborted();
      try {
        const left = await emptyOf(this.#parts, row, emptied);
        if (left !== undefined) remains.push(left);
      } catch (error) {
        failures.push(error as Error);
      }
    });
    return { remains, failures };
  }

  /** Says what came of it, if anybody can read it before the namespace is gone. @returns the namespace as it is then */
  async #tell(namespace: ApiObject, outcome: Outcome): Promise<ApiObject> {
    const { store, server, clock } = this.#parts;
    const goesNow =
      outcome.remains.length + outcome.failures.length === 0 && this.#isHeldByUsAlone(namespace);
    if (goesNow || !setConditions(namespace, outcome, formatTime(clock.now()))) return namespace;
    const result = await server.update(this.#row, namespace, { subresource: 'status' });
    return result.kind === 'entry' ? store.decode(result.entry, this.#row) : namespace;
  }

  #isHeldByUsAlone(namespace: ApiObject): boolean {
    return finalizersOf(namespace).length === 1 && (namespace.metadata.finalizers ?? []).length === 0;
  }

  /** Looks again as soon as something is gone, or might be. */
  #wait(name: string, state: Terminating, remains: readonly Remains[]): void {
    const longest = Math.max(...remains.map(({ estimateSeconds }) => estimateSeconds));
    const afterEstimate = (longest / 2 + 1) * 1000 * 2 ** state.waits++;
    this.#work.addAfter(name, Math.min(afterEstimate, MAX_WAIT_MS));
    const tell = (): void => this.#work.add(name);
    state.stopWaiting = whenGone(this.#parts, name, { remains, tell });
  }

  async #finalize(namespace: ApiObject): Promise<void> {
    const finalizers = finalizersOf(namespace).filter((finalizer) => finalizer !== this.#finalizer);
    const spec = isObject(namespace['spec']) ? namespace['spec'] : {};
    const next = { ...namespace, spec: { ...spec, finalizers } };
    await this.#parts.server.update(this.#row, next, { subresource: 'finalize' });
  }
}

function canBeEmptied({ namespaced, verbs }: ResourceDefinition): boolean {
  return namespaced && verbs.includes('list') && verbs.includes('delete');
}

function finalizersOf(namespace: ApiObject): string[] {
  const list = objectAt(namespace, 'spec')?.['finalizers'];
  return Array.isArray(list) ? list.filter((finalizer) => typeof finalizer === 'string') : [];
}
