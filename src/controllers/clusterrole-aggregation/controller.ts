import type { Clock } from '../../lib/clock.ts';
import type { ApiObject, Json } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import { followResource, type Following } from '../../store/follow.ts';
import type { ObjectStore, StoredEntry } from '../../store/object-store.ts';
import { aggregatedRules, rolePart, type RolePart } from './aggregate.ts';

/** Under this name it owns the rules that it writes. */
export const CLUSTERROLE_AGGREGATION = 'clusterrole-aggregation-controller';

export interface AggregationParts {
  readonly store: ObjectStore;
  readonly clock: Clock;
  /** The row of ClusterRoles. */
  readonly resource: ResourceDefinition;
  /** Applies a configuration as {@link CLUSTERROLE_AGGREGATION}, and takes what others own of it. @throws ApiError */
  readonly apply: (object: ApiObject) => Promise<unknown>;
  readonly onError: (role: string, error: unknown) => void;
}

/** How long after a failure it is tried again, milliseconds. */
const RETRY_MS = 1000;

/** Gives ClusterRoles with an `aggregationRule` the rules of the roles that it selects, whenever one of these changes. */
export function runClusterRoleAggregation(parts: AggregationParts): Following {
  const aggregation = new ClusterRoleAggregation(parts);
  const { store, clock, resource } = parts;
  const following = followResource({ store, clock }, resource, aggregation);
  return {
    ready: following.ready,
    close() {
      aggregation.close();
      following.close();
    },
  };
}

class ClusterRoleAggregation {
  readonly #parts: AggregationParts;
  readonly #roles = new Map<string, RolePart>();
  #state: 'idle' | 'waiting' | 'running' | 'closed' = 'idle';
  /** Something changed while it was running. */
  #again = false;

  constructor(parts: AggregationParts) {
    this.#parts = parts;
  }

  set(entry: StoredEntry): void {
    try {
      this.#roles.set(entry.name, rolePart(entry.object()));
    } catch (error) {
      // A selector that can't be read selects nothing; who wrote it before it was checked must mend it.
      this.#roles.delete(entry.name);
      this.#parts.onError(entry.name, error);
    }
    this.#wake(0);
  }

  remove(_namespace: string, name: string): void {
    this.#roles.delete(name);
    this.#wake(0);
  }

  close(): void {
    this.#state = 'closed';
  }

  /** Many changes that come together are looked at together. */
  #wake(delayMs: number): void {
    if (this.#state === 'running') this.#again = true;
    if (this.#state !== 'idle') return;
    this.#state = 'waiting';
    this.#parts.clock.after(delayMs, () => void this.#run());
  }

  async #run(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'running';
    this.#again = false;
    let failed = false;
    for (const role of [...this.#roles.values()]) {
      if (role.selectors !== undefined && !(await this.#reconcile(role))) failed = true;
    }
    if (this.#isClosed()) return;
    this.#state = 'idle';
    if (failed) this.#wake(RETRY_MS);
    else if (this.#again) this.#wake(0);
  }

  #isClosed(): boolean {
    return this.#state === 'closed';
  }

  /** @returns whether the role is as it should be now. */
  async #reconcile(role: RolePart): Promise<boolean> {
    const rules = aggregatedRules(role, this.#roles.values());
    if (this.#isClosed() || sameJson(rules, role.rules as Json[])) return true;
    const { group, version, kind } = this.#parts.resource;
    try {
      await this.#parts.apply({
        apiVersion: `${group}/${version}`,
        kind,
        metadata: { name: role.name },
        rules,
      });
      return true;
    } catch (error) {
      this.#parts.onError(role.name, error);
      return false;
    }
  }
}
