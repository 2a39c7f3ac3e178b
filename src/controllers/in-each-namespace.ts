import { ApiError } from '../errors/api-error.ts';
import { Pacer } from '../lib/pacer.ts';
import { formatGroupVersion, type ApiObject, type JsonObject, type ObjectMeta } from '../meta/object.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import { followResource, type Follower } from '../store/follow.ts';
import type { StoredEntry } from '../store/object-store.ts';
import { rowOf, type ControllerParts, type RunningController } from './controller.ts';
import { isOutdated, keyedWork, type KeyedWork } from './keyed-work.ts';

/** An object that every namespace has. */
export interface NamespaceFixture {
  readonly resource: ResourceDefinition;
  readonly name: string;
  /** The fields of a new one, of its metadata those but the name. */
  readonly make: () => JsonObject & { readonly metadata?: ObjectMeta };
  /** Changes a stored one into what it should be. @returns whether that takes a change. Absent: it may be anything. */
  readonly mend?: (object: ApiObject) => boolean;
}

/** How many namespaces are looked at at a time: their writes share a flush. */
const CONCURRENCY = 5;

/** Sees to it that an object is in every namespace that isn't going away, and stays as it should be. */
export function keepInEachNamespace(parts: ControllerParts, fixture: NamespaceFixture): RunningController {
  const keeper = new NamespaceKeeper(parts, fixture);
  const namespaces = followResource(parts, rowOf(parts.schemas, ['', 'v1', 'namespaces']), keeper.namespaces);
  const objects = followResource(parts, fixture.resource, keeper.objects, {
    filter: { name: fixture.name, matches: (entry) => entry.name === fixture.name },
  });
  void Promise.all([namespaces.ready, objects.ready]).then(() => keeper.begin());
  return {
    settled: keeper.settled,
    close() {
      keeper.close();
      namespaces.close();
      objects.close();
    },
  };
}

class NamespaceKeeper {
  readonly #parts: ControllerParts;
  readonly #fixture: NamespaceFixture;
  readonly #work: KeyedWork;
  readonly #pacer = new Pacer();
  /** The namespaces in which the object has to be. */
  readonly #active = new Set<string>();
  /** What there is of it, by namespace. */
  readonly #entries = new Map<string, StoredEntry>();
  #begun = false;
  /** Those to look at that there were when it began. */
  readonly #first = new Set<string>();
  readonly #settle: () => void;
  readonly settled: Promise<void>;

  constructor(parts: ControllerParts, fixture: NamespaceFixture) {
    this.#parts = parts;
    this.#fixture = fixture;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.settled = promise;
    this.#settle = resolve;
    const { clock, log } = parts;
    const work = (namespace: string): Promise<void> => this.#visit(namespace);
    this.#work = keyedWork({ clock, log, work, concurrency: CONCURRENCY, expects: isOutdated });
  }

  readonly namespaces: Follower = {
    set: (entry) => {
      if (entry.field('status.phase') === 'Terminating') this.#active.delete(entry.name);
      else this.#active.add(entry.name);
      this.#look(entry.name);
    },
    remove: (_, name) => this.#active.delete(name),
  };

  readonly objects: Follower = {
    set: (entry) => {
      this.#entries.set(entry.namespace, entry);
      this.#look(entry.namespace);
    },
    remove: (namespace) => {
      this.#entries.delete(namespace);
      this.#look(namespace);
    },
  };

  /** Everything that there was is known now. */
  begin(): void {
    this.#begun = true;
    for (const namespace of this.#active) if (this.#look(namespace)) this.#first.add(namespace);
    if (this.#first.size === 0) this.#settle();
  }

  close(): void {
    this.#settle();
    this.#work.close();
  }

  /** @returns whether there may be something to do, and will be seen to. */
  #look(namespace: string): boolean {
    const mayDiffer = this.#fixture.mend !== undefined || !this.#entries.has(namespace);
    if (!this.#begun || !mayDiffer || !this.#active.has(namespace)) return false;
    this.#work.add(namespace);
    return true;
  }

  async #visit(namespace: string): Promise<void> {
    if (this.#pacer.due()) await this.#pacer.rest();
    try {
      if (this.#active.has(namespace)) await this.#keep(namespace);
    } finally {
      if (this.#first.delete(namespace) && this.#first.size === 0) this.#settle();
    }
  }

  #keep(namespace: string): Promise<void> {
    const entry = this.#entries.get(namespace);
    return entry === undefined ? this.#create(namespace) : this.#mend(entry);
  }

  async #create(namespace: string): Promise<void> {
    const { resource, name, make } = this.#fixture;
    const { metadata, ...fields } = make();
    const { group, version, kind } = resource;
    try {
      await this.#parts.server.create(resource, {
        apiVersion: formatGroupVersion(group, version),
        kind,
        ...fields,
        metadata: { ...metadata, name, namespace },
      });
    } catch (error) {
      if (!isNothingToDo(error)) throw error;
    }
  }

  async #mend(entry: StoredEntry): Promise<void> {
    const { resource, mend } = this.#fixture;
    const object = this.#parts.store.decode(entry, resource);
    if (mend?.(object) !== true) return;
    await this.#parts.server.update(resource, object);
  }
}

/** Somebody else was faster, or the namespace is going or gone. */
function isNothingToDo(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const causes = error.details?.causes ?? [];
  return (
    error.reason === 'AlreadyExists' ||
    error.reason === 'NotFound' ||
    causes.some(({ reason }) => reason === 'NamespaceTerminating')
  );
}
