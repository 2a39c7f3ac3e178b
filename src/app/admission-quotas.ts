import { readQuota, type Quota } from '../admission/resource-quota/quota.ts';
import type { QuotaStore } from '../admission/resource-quota/ledger.ts';
import { notFoundError } from '../errors/status-errors.ts';
import { writeResources, type ResourceList } from '../meta/resource-list.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import type { ObjectStore, StoredEntry } from '../store/object-store.ts';
import type { InProcess } from '../verbs/in-process.ts';
import { listIn, type ListIn } from './admission-lists.ts';

/** A quota as it is stored. */
export interface StoredQuota {
  readonly quota: Quota;
  readonly revision: number;
  readonly entry: StoredEntry;
}

export interface StoredQuotasParts {
  readonly store: ObjectStore;
  /** Undefined where quotas aren't served: then there are none. */
  readonly resource: ResourceDefinition | undefined;
  /** Known once requests can be made. */
  readonly server: () => InProcess;
}

/** So long a list may take, milliseconds: it is shared by requests of several users. */
const LIST_MS = 10_000;

/** ResourceQuotas in the store, whose status is written as the server itself. */
export class StoredQuotas implements QuotaStore<StoredQuota> {
  readonly #parts: StoredQuotasParts;
  readonly #list: ListIn<StoredQuota>;

  constructor(parts: StoredQuotasParts) {
    this.#parts = parts;
    this.#list = listIn({ ...parts, read: (object, entry) => stored(entry, readQuota(object)) });
  }

  list(namespace: string, freshness: 'cached' | 'live'): Promise<readonly StoredQuota[]> {
    const signal = freshness === 'live' ? AbortSignal.timeout(LIST_MS) : undefined;
    return this.#list(namespace, freshness, signal);
  }

  async writeUsed({ quota, entry }: StoredQuota, used: ResourceList): Promise<StoredQuota> {
    const { store, resource, server } = this.#parts;
    if (resource === undefined) throw notFoundError({ group: '', resource: 'resourcequotas' }, quota.name);
    const object = store.decode(entry, resource);
    object['status'] = { ...(object['status'] as object), used: writeResources(used) };
    const result = await server().update(resource, object, { subresource: 'status' });
    if (result.kind !== 'entry') throw new Error('an update of a quota has no result');
    return stored(result.entry, { ...quota, used });
  }
}

function stored(entry: StoredEntry, quota: Quota): StoredQuota {
  return { quota, revision: entry.revision, entry };
}
