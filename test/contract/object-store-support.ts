import assert from 'node:assert/strict';
import { ApiError, type StatusReason } from '../../src/errors/api-error.ts';
import type { Revision } from '../../src/meta/revision.ts';
import type { ResourceDefinition } from '../../src/schema/model.ts';
import type { Storage } from '../../src/storage/port.ts';
import type { ObjectStoreOptions, RunningObjectStore } from '../../src/store/create.ts';
import type {
  EntryFilter,
  FreshRead,
  ListPage,
  ListRequest,
  ReadAt,
  StoredEntry,
  WatchRequest,
  WatchSubscription,
  WriteOutcome,
} from '../../src/store/object-store.ts';
import { openObjectStore, RecordingSink, thing } from '../support/object-store.ts';

/** A storage for one test, with a root below which nothing else writes. */
export interface StoreSubject {
  readonly storage: Storage;
  /** Without a closing slash. */
  readonly root: string;
  /** What can be done to watches, where the test can. */
  readonly chaos?: Chaos;
  close(): Promise<void>;
}

export interface Chaos {
  /** Ends every watch as if the store had discarded what it needs next. */
  loseWatches(): void;
  /** Keeps events from watches, until {@link release} hands them out: in one batch, or a batch a revision. */
  withhold(): void;
  release(joined: boolean): void;
}

export interface ObjectStoreContractOptions {
  readonly name: string;
  readonly open: () => Promise<StoreSubject>;
}

export type Declare = (title: string, body: (gateway: Gateway, test: Mocha.Context) => Promise<void>) => void;

export const LATEST: FreshRead = { at: 'latest' };
export const ANY: FreshRead = { at: 'any' };

/** An object store over a storage that several may share, as the tests use it. */
export class Gateway {
  readonly store: RunningObjectStore;
  readonly subject: StoreSubject;
  readonly #others: Gateway[] = [];

  private constructor(store: RunningObjectStore, subject: StoreSubject) {
    this.store = store;
    this.subject = subject;
  }

  static async start(
    subject: StoreSubject,
    resources: readonly ResourceDefinition[],
    options: Partial<ObjectStoreOptions> = {},
  ): Promise<Gateway> {
    const store = openObjectStore(subject.storage, {
      root: subject.root,
      compactionBelievedMs: 0,
      ...options,
    });
    await store.start(resources);
    await store.whenReady();
    return new Gateway(store, subject);
  }

  get storage(): Storage {
    return this.subject.storage;
  }

  /** Another gateway on the same storage. */
  async another(
    resources: readonly ResourceDefinition[] = [],
    options: Partial<ObjectStoreOptions> = {},
  ): Promise<Gateway> {
    const other = await Gateway.start(this.subject, resources, options);
    this.#others.push(other);
    return other;
  }

  close(): void {
    for (const other of this.#others) other.close();
    this.store.close();
  }

  create(
    resource: ResourceDefinition,
    name: string,
    more: Parameters<typeof thing>[2] & { ttl?: number } = {},
  ): Promise<StoredEntry> {
    const { ttl, ...fields } = more;
    const object = thing(resource, name, fields);
    return this.store.create({ resource, object, ...(ttl === undefined ? {} : { ttlSeconds: ttl }) });
  }

  get(
    resource: ResourceDefinition,
    name: string,
    options: { at?: ReadAt; namespace?: string } = {},
  ): Promise<StoredEntry> {
    const { at = LATEST, namespace = resource.namespaced ? 'default' : '' } = options;
    return this.store.get({ resource, namespace, name, at });
  }

  list(resource: ResourceDefinition, options: Partial<ListRequest> = {}): Promise<ListPage> {
    return this.store.list({ resource, namespace: '', at: LATEST, ...options });
  }

  /** Sets fields of an object that exists. */
  update(
    resource: ResourceDefinition,
    name: string,
    { namespace = resource.namespaced ? 'default' : '', labels, ...fields }: Parameters<typeof thing>[2] = {},
  ): Promise<WriteOutcome> {
    return this.store.write({
      resource,
      namespace,
      name,
      attempt: (current) => {
        assert.ok(current !== undefined, `${name} exists`);
        const object = this.store.decode(current, resource);
        Object.assign(object, fields);
        if (labels !== undefined) object.metadata.labels = labels;
        return Promise.resolve({ action: 'put', object });
      },
    });
  }

  remove(
    resource: ResourceDefinition,
    name: string,
    namespace = resource.namespaced ? 'default' : '',
  ): Promise<WriteOutcome> {
    const attempt = () => Promise.resolve({ action: 'delete' } as const);
    return this.store.write({ resource, namespace, name, attempt });
  }

  async watch(
    resource: ResourceDefinition,
    request: Partial<WatchRequest> = {},
  ): Promise<{ sink: RecordingSink; subscription: WatchSubscription }> {
    const sink = new RecordingSink();
    const subscription = await this.store.watch(
      {
        resource,
        namespace: '',
        start: { from: 'state', at: LATEST },
        markInitialEvents: false,
        ...request,
      },
      sink,
    );
    return { sink, subscription };
  }

  /** What the storage has at a path below the root. */
  async stored(path: string): Promise<string | undefined> {
    const { items } = await this.storage.range({ start: this.subject.root + path });
    return items[0]?.value.toString();
  }
}

export function names(page: ListPage): string[] {
  return page.entries.map(({ namespace, name }) => (namespace === '' ? name : `${namespace}/${name}`));
}

/** Chooses by one label. */
export function labelled(name: string, value: string): EntryFilter {
  return { matches: (entry) => entry.labels?.[name] === value };
}

/** Chooses by one field, and says so. */
export function fielded(field: string, value: string): EntryFilter {
  return { matches: (entry) => entry.field(field) === value, trigger: { field, value } };
}

export function after(revision: number): WatchRequest['start'] {
  return { from: 'after', revision: revision as Revision };
}

export function exactly(revision: number): ReadAt {
  return { at: 'exact', revision: revision as Revision };
}

export function notOlderThan(revision: number): FreshRead {
  return { at: 'notOlderThan', revision: revision as Revision };
}

/** Expects an ApiError with this reason, and hands it out. */
export async function refusedWith(reason: StatusReason, promise: Promise<unknown>): Promise<ApiError> {
  let outcome: unknown;
  try {
    outcome = await promise;
  } catch (error) {
    assert.ok(error instanceof ApiError, `expected an ApiError, got ${String(error)}`);
    assert.equal(error.reason, reason, error.message);
    return error;
  }
  assert.fail(`expected ${reason}, got ${String(outcome)}`);
}
