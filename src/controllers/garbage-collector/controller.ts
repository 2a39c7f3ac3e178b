import type { ResourceDefinition } from '../../schema/model.ts';
import { followResource } from '../../store/follow.ts';
import type { Following } from '../../store/following.ts';
import type { Controller, ControllerParts, RunningController } from '../controller.ts';
import { isOutdated, keyedWork, type KeyedWork } from '../keyed-work.ts';
import { storedRows } from '../stored-rows.ts';
import { collect, type Collecting } from './collect.ts';
import { strayOwnerReporter } from './stray-owners.ts';
import { Graph, type Item } from './graph.ts';
import { Owners } from './owners.ts';

/** Deletes what nobody owns any more, and does for dependents what the deletion of their owner asks for. */
export const garbageCollector: Controller = {
  name: 'garbage-collector-controller',
  start: (parts) => new GarbageCollector(parts).start(),
};

/** Objects that are seen to at a time. */
const CONCURRENCY = 20;

class GarbageCollector {
  readonly #parts: ControllerParts;
  readonly #rows: () => readonly ResourceDefinition[];
  readonly #graph: Graph;
  readonly #work: KeyedWork;
  readonly #collecting: Collecting;
  /** By the prefix of the stored resource. */
  readonly #followed = new Map<string | undefined, Following>();
  /** Objects whose owners may be of kinds that are yet to be served. */
  readonly #left = new Set<string>();
  #generation: number;
  #begun = false;
  #closed = false;

  constructor(parts: ControllerParts) {
    this.#parts = parts;
    this.#rows = storedRows(parts.schemas, takesPart);
    this.#generation = parts.schemas.generation;
    const look = (uid: string): void => {
      if (this.#begun) this.#work.add(uid);
    };
    const graph = new Graph(look);
    const isFollowed = (row: ResourceDefinition): boolean => this.#followed.has(row.storage?.prefix);
    this.#graph = graph;
    this.#collecting = {
      ...{ parts, graph, owners: new Owners(parts, graph, isFollowed) },
      leave: ({ uid }) => this.#left.add(uid),
      absent: strayOwnerReporter(parts, graph),
    };
    const { clock, log } = parts;
    const work = (uid: string): Promise<void> => this.#visit(uid);
    this.#work = keyedWork({ clock, log, work, concurrency: CONCURRENCY, expects: isOutdated });
  }

  start(): RunningController {
    void this.#followAll().then(() => this.#begin());
    return {
      close: () => {
        this.#closed = true;
        this.#work.close();
        for (const following of this.#followed.values()) following.close();
      },
    };
  }

  /** All that there was is known: only now it is known, too, what depends on what. */
  #begin(): void {
    if (this.#closed) return;
    this.#begun = true;
    for (const uid of this.#graph.uids()) this.#work.add(uid);
  }

  #followAll(): Promise<unknown> {
    const rows = new Map(this.#rows().map((row) => [row.storage?.prefix, row]));
    for (const [prefix, following] of this.#followed) {
      if (rows.has(prefix)) continue;
      following.close();
      this.#followed.delete(prefix);
      this.#graph.leave(prefix);
    }
    for (const [prefix, row] of rows) {
      if (!this.#followed.has(prefix)) this.#followed.set(prefix, this.#follow(row));
    }
    return Promise.all([...this.#followed.values()].map(({ ready }) => ready));
  }

  #follow(row: ResourceDefinition): Following {
    const graph = this.#graph;
    let known = false;
    return followResource(
      this.#parts,
      row,
      {
        set: (entry) => graph.set(row, entry),
        remove: (_namespace, _name, last) => graph.remove(last),
        told() {
          if (known) graph.doubt(row.storage?.prefix);
          known = true;
        },
      },
      {
        filter: {
          matches: (entry) => {
            this.#noticeKinds();
            return graph.concerns(entry);
          },
        },
      },
    );
  }

  /** Kinds may come and go at any time. */
  #noticeKinds(): void {
    const { generation } = this.#parts.schemas;
    if (generation === this.#generation) return;
    this.#generation = generation;
    void Promise.resolve()
      .then(() => (this.#closed ? undefined : this.#followAll()))
      .then(() => {
        for (const uid of this.#left) this.#work.add(uid);
        this.#left.clear();
      });
  }

  async #visit(uid: string): Promise<void> {
    const item: Item | undefined = this.#graph.item(uid);
    if (item !== undefined) await collect(this.#collecting, item);
  }
}

/** What nobody can delete is nobody's dependent; what expires by itself isn't worth it. */
function takesPart({ verbs, storage }: ResourceDefinition): boolean {
  return (
    (['delete', 'list', 'watch'] as const).every((verb) => verbs.includes(verb)) && storage?.ttl === undefined
  );
}
