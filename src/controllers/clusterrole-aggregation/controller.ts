import type { Json } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import { followResource } from '../../store/follow.ts';
import type { StoredEntry } from '../../store/object-store.ts';
import { rowOf, type Controller, type ControllerParts } from '../controller.ts';
import { aggregatedRules, rolePart, type RolePart } from './aggregate.ts';

/** Under this name it owns the rules that it writes. */
export const CLUSTERROLE_AGGREGATION = 'clusterrole-aggregation-controller';

/** How long after a failure it is tried again, milliseconds. */
const RETRY_MS = 1000;

/** Gives ClusterRoles with an `aggregationRule` the rules of the roles that it selects, whenever one of these changes. */
export const clusterRoleAggregation: Controller = {
  name: CLUSTERROLE_AGGREGATION,
  start(parts) {
    const resource = rowOf(parts.schemas, [parts.names.get('group.rbac'), 'v1', 'clusterroles']);
    const aggregation = new ClusterRoleAggregation(parts, resource);
    const following = followResource(parts, resource, aggregation);
    return {
      close() {
        aggregation.close();
        following.close();
      },
    };
  },
};

class ClusterRoleAggregation {
  readonly #parts: ControllerParts;
  readonly #resource: ResourceDefinition;
  readonly #roles = new Map<string, RolePart>();
  #state: 'idle' | 'waiting' | 'running' | 'closed' = 'idle';
  /** Something changed while it was running. */
  #again = false;

  constructor(parts: ControllerParts, resource: ResourceDefinition) {
    this.#parts = parts;
    this.#resource = resource;
  }

  set(entry: StoredEntry): void {
    try {
      this.#roles.set(entry.name, rolePart(entry.object()));
    } catch (error) {
      // A selector that can't be read selects nothing; who wrote it before it was checked must mend it.
      this.#roles.delete(entry.name);
      this.#failed(entry.name, error);
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

  #failed(role: string, error: unknown): void {
    this.#parts.log.error('a role could not be put together of others', error, { role });
  }

  #isClosed(): boolean {
    return this.#state === 'closed';
  }

  /** @returns whether the role is as it should be now. */
  async #reconcile(role: RolePart): Promise<boolean> {
    const rules = aggregatedRules(role, this.#roles.values());
    if (this.#isClosed() || sameJson(rules, role.rules as Json[])) return true;
    const { group, version, kind } = this.#resource;
    try {
      await this.#parts.server.apply(this.#resource, {
        apiVersion: `${group}/${version}`,
        kind,
        metadata: { name: role.name },
        rules,
      });
      return true;
    } catch (error) {
      this.#failed(role.name, error);
      return false;
    }
  }
}
