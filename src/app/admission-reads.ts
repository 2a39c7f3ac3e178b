import type { NamespaceState } from '../admission/namespace-lifecycle/plugin.ts';
import type { PriorityClass } from '../admission/priority/plugin.ts';
import { ApiError } from '../errors/api-error.ts';
import { numberAt, textAt } from '../meta/fields.ts';
import type { ApiObject } from '../meta/object.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import { appearance } from '../store/appearance.ts';
import type { ObjectRef, ObjectStore, StoredEntry } from '../store/object-store.ts';

/** `cached` may be a little old, `live` is as new as any acknowledged write. */
export type Freshness = 'cached' | 'live';

const NO_LABELS: Readonly<Record<string, string>> = {};
/** How long a pod waits for the default account of its namespace, milliseconds. */
const ACCOUNT_WAIT_MS = 1500;

/** What admission's plugins look up in the store. A resource that isn't served has no objects. */
export class AdmissionReads {
  readonly #store: ObjectStore;
  /** What classes say, by their versions. */
  readonly #classes = new WeakMap<StoredEntry, PriorityClass>();
  /** Accounts, by their versions: every pod looks its own up twice. */
  readonly #accounts = new WeakMap<StoredEntry, ApiObject>();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  async namespace(
    resource: ResourceDefinition | undefined,
    name: string,
    { freshness, signal }: { readonly freshness: Freshness; readonly signal: AbortSignal },
  ): Promise<NamespaceState | undefined> {
    if (resource === undefined) return undefined;
    const entry = await this.#find({ resource, namespace: '', name }, freshness, signal);
    return entry && { terminating: entry.field('status.phase') === 'Terminating' };
  }

  /** Undefined where there is none. The same object as long as they are the same. */
  async namespaceLabels(
    resource: ResourceDefinition | undefined,
    name: string,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>> | undefined> {
    if (resource === undefined) return undefined;
    const namespace = { resource, namespace: '', name };
    const entry =
      (await this.#find(namespace, 'cached', signal)) ?? (await this.#find(namespace, 'live', signal));
    return entry && (entry.labels ?? NO_LABELS);
  }

  /** Undefined where there is none. */
  async namespaceAnnotations(
    resource: ResourceDefinition | undefined,
    name: string,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>> | undefined> {
    const found = await this.object(resource, name, signal);
    return found && (found.metadata.annotations ?? {});
  }

  /** An object of the cluster, nearly always from the cache; undefined where there is none. It may be changed. */
  async object(
    resource: ResourceDefinition | undefined,
    name: string,
    signal: AbortSignal,
  ): Promise<ApiObject | undefined> {
    if (resource === undefined) return undefined;
    const what = { resource, namespace: '', name };
    const entry = (await this.#find(what, 'cached', signal)) ?? (await this.#find(what, 'live', signal));
    return entry && this.#store.decode(entry, resource);
  }

  /** It must not be changed. @param freshness `awaited`: live, and where there is none it is waited for */
  async account(
    ref: Omit<ObjectRef, 'resource'> & { readonly resource: ResourceDefinition | undefined },
    freshness: Freshness | 'awaited',
    signal: AbortSignal,
  ): Promise<ApiObject | undefined> {
    const { resource } = ref;
    if (resource === undefined) return undefined;
    const account = { ...ref, resource };
    const entry =
      freshness === 'awaited'
        ? await appearance(this.#store, account, waitingFor(ACCOUNT_WAIT_MS, signal))
        : await this.#find(account, freshness, signal);
    return entry && this.#account(entry, resource);
  }

  #account(entry: StoredEntry, resource: ResourceDefinition): ApiObject {
    let known = this.#accounts.get(entry);
    if (known === undefined) {
      known = this.#store.decode(entry, resource);
      this.#accounts.set(entry, known);
    }
    return known;
  }

  async priorityClasses(
    resource: ResourceDefinition | undefined,
    freshness: Freshness,
    signal: AbortSignal,
  ): Promise<readonly PriorityClass[]> {
    if (resource === undefined) return [];
    const { entries } = await this.#store.list({ resource, namespace: '', at: readAt(freshness), signal });
    return entries.map((entry) => this.#priorityClass(entry));
  }

  #priorityClass(entry: StoredEntry): PriorityClass {
    let known = this.#classes.get(entry);
    if (known === undefined) {
      const object = entry.object();
      known = {
        name: entry.name,
        value: numberAt(object, 'value'),
        globalDefault: object['globalDefault'] === true,
        preemptionPolicy: textAt(object, 'preemptionPolicy'),
      };
      this.#classes.set(entry, known);
    }
    return known;
  }

  async #find(ref: ObjectRef, freshness: Freshness, signal: AbortSignal): Promise<StoredEntry | undefined> {
    try {
      return await this.#store.get({ ...ref, at: readAt(freshness), signal });
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'NotFound') return undefined;
      throw error;
    }
  }
}

function readAt(freshness: Freshness): { readonly at: 'latest' | 'any' } {
  return { at: freshness === 'live' ? 'latest' : 'any' };
}

/** By the machine's clock: whatever time a test's control plane has, requests end. */
function waitingFor(ms: number, signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ms)]);
}
