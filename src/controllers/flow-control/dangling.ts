import { formatTime } from '../../lib/rfc3339.ts';
import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { followResource } from '../../store/follow.ts';
import type { StoredEntry } from '../../store/object-store.ts';
import { rowOf, type Controller, type ControllerParts, type RunningController } from '../controller.ts';
import { isOutdated, keyedWork } from '../keyed-work.ts';

/**
 * Says in the status of each FlowSchema whether the priority level that it names exists. Its name is the field manager of
 * the Go API server's.
 */
export const danglingFlowSchemas: Controller = {
  name: 'api-priority-and-fairness-config-consumer-v1',
  start: (parts) => new DanglingConditions(parts).running,
};

const TYPE = 'Dangling';

class DanglingConditions {
  readonly running: RunningController;
  readonly #parts: ControllerParts;
  readonly #row;
  readonly #schemas = new Map<string, StoredEntry>();
  readonly #levels = new Set<string>();
  /** Schemas that have not been looked at since the start. */
  readonly #unseen = new Set<string>();
  readonly #work;

  constructor(parts: ControllerParts) {
    const { names, clock, log } = parts;
    const group = names.get('group.flowcontrol');
    this.#parts = parts;
    this.#row = rowOf(parts.schemas, [group, 'v1', 'flowschemas']);
    const levelRow = rowOf(parts.schemas, [group, 'v1', 'prioritylevelconfigurations']);
    this.#work = keyedWork({ clock, log, work: (name) => this.#visit(name), expects: isOutdated });
    const levels = followResource(parts, levelRow, {
      set: ({ name }) => this.#know(name, () => this.#levels.add(name)),
      remove: (_, name) => this.#know(name, () => this.#levels.delete(name)),
    });
    const schemas = followResource(parts, this.#row, {
      set: (entry) => {
        this.#schemas.set(entry.name, entry);
        if (this.#begun) this.#work.add(entry.name);
      },
      remove: (_, name) => void this.#schemas.delete(name),
    });
    const { promise: settled, resolve } = Promise.withResolvers<void>();
    this.#settle = resolve;
    void Promise.all([levels.ready, schemas.ready]).then(() => this.#begin());
    this.running = {
      settled,
      close: () => {
        levels.close();
        schemas.close();
        this.#work.close();
        resolve();
      },
    };
  }

  readonly #settle: () => void;
  /** Whether all levels and schemas are known: before that, a level that isn't known may well exist. */
  #begun = false;

  #begin(): void {
    this.#begun = true;
    for (const name of this.#schemas.keys()) {
      this.#unseen.add(name);
      this.#work.add(name);
    }
    if (this.#unseen.size === 0) this.#settle();
  }

  /** A level has come or gone: schemas that name it are looked at. */
  #know(level: string, change: () => void): void {
    const existed = this.#levels.has(level);
    change();
    if (!this.#begun || existed === this.#levels.has(level)) return;
    for (const [name, entry] of this.#schemas) if (levelOf(entry.object()) === level) this.#work.add(name);
  }

  async #visit(name: string): Promise<void> {
    try {
      const entry = this.#schemas.get(name);
      if (entry !== undefined) await this.#tell(name, this.#parts.store.decode(entry, this.#row));
    } finally {
      this.#unseen.delete(name);
      if (this.#unseen.size === 0) this.#settle();
    }
  }

  async #tell(name: string, schema: ApiObject): Promise<void> {
    const wanted = conditionOf(levelOf(schema), this.#levels);
    const current = objectsAt(objectAt(schema, 'status'), 'conditions').find(({ type }) => type === TYPE);
    // Servers of other makes say the same in other words.
    if (current?.['status'] === wanted['status'] && current?.['reason'] === wanted['reason']) return;
    const condition = { ...wanted, lastTransitionTime: formatTime(this.#parts.clock.now()) };
    const { group, version, kind } = this.#row;
    const applied = {
      ...{ apiVersion: `${group}/${version}`, kind, metadata: { name } },
      status: { conditions: [condition] },
    };
    await this.#parts.server.apply(this.#row, applied, { subresource: 'status' });
  }
}

function levelOf(schema: JsonObject): string {
  return textAt(objectAt(objectAt(schema, 'spec'), 'priorityLevelConfiguration'), 'name');
}

function conditionOf(level: string, levels: ReadonlySet<string>): JsonObject {
  const name = JSON.stringify(level);
  return levels.has(level)
    ? { type: TYPE, status: 'False', reason: 'Found', message: `the priority level ${name} exists` }
    : { type: TYPE, status: 'True', reason: 'NotFound', message: `there is no priority level ${name}` };
}
