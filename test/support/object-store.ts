import { systemClock, type Clock } from '../../src/lib/clock.ts';
import type { ApiObject } from '../../src/meta/object.ts';
import type { ResourceDefinition } from '../../src/schema/model.ts';
import type { Storage } from '../../src/storage/port.ts';
import type { ObjectCodec } from '../../src/store/codec.ts';
import {
  createObjectStore,
  type ObjectStoreOptions,
  type RunningObjectStore,
} from '../../src/store/create.ts';
import type { StoreWatchBatch, WatchSink } from '../../src/store/object-store.ts';

/** A row with what the store looks at; kinds as in the interface, fields as the test likes. */
export function row(
  resource: string,
  overrides: Partial<ResourceDefinition> & { readonly watchCache?: 'full' | 'window' | 'none' } = {},
): ResourceDefinition {
  const { watchCache = 'full', ...rest } = overrides;
  const kind = rest.kind ?? resource[0]!.toUpperCase() + resource.slice(1, -1);
  const group = rest.group ?? '';
  const version = rest.version ?? 'v1';
  return {
    group,
    version,
    resource,
    singular: kind.toLowerCase(),
    kind,
    listKind: `${kind}List`,
    namespaced: true,
    shortNames: [],
    categories: [],
    verbs: [],
    subresources: new Map(),
    type: { name: kind, fields: [], field: new Map(), atomic: false },
    storage: { group, version, kind, prefix: `/${resource}`, watchCache },
    columns: undefined,
    selectableFields: ['metadata.name', 'metadata.namespace'],
    lifecycle: { introduced: '1.0' },
    allowUnconditionalUpdate: true,
    allowCreateOnUpdate: false,
    hasGeneration: false,
    nameRule: 'dnsSubdomain',
    defaultPropagation: 'background',
    returnsDeleted: false,
    ...rest,
  };
}

export const PODS = row('pods', {
  selectableFields: ['metadata.name', 'metadata.namespace', 'spec.nodeName', 'status.phase'],
});
export const NODES = row('nodes', {
  namespaced: false,
  storage: { group: '', version: 'v1', kind: 'Node', prefix: '/minions', watchCache: 'full' },
});
export const EVENTS = row('events', { watchCache: 'none' });
export const LEASES = row('leases', { watchCache: 'window' });

/** A codec without types: canonical is kind, apiVersion and metadata first and the rest sorted. */
export const plainCodec: ObjectCodec = {
  decodeStored(bytes, resource) {
    const object = JSON.parse(bytes.toString()) as ApiObject;
    return plainCodec.convert(object, resource, resource);
  },
  encode(object, _, ending = '') {
    return Buffer.from(JSON.stringify(canonical(object)) + ending);
  },
  /** The bytes themselves, marked. */
  toMessage: ({ bytes }) => Buffer.concat([Buffer.from('message '), bytes]),
  convert(object, _, to) {
    const apiVersion = to.group === '' ? to.version : `${to.group}/${to.version}`;
    return { ...structuredClone<ApiObject>(object), apiVersion };
  },
  selectableField(_, object, path) {
    let value: unknown = object;
    for (const part of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[part];
    return typeof value === 'string' ? value : '';
  },
};

function canonical({ kind, apiVersion, metadata, ...rest }: ApiObject): object {
  const { name, ...others } = metadata;
  return { kind, apiVersion, metadata: { name, ...sorted(others) }, ...sorted(rest) };
}

function sorted(object: object): object {
  const entries = Object.entries(object) as [string, unknown][];
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A store over `storage` with the plain codec, not started. */
export function openObjectStore(
  storage: Storage,
  options: Partial<ObjectStoreOptions> = {},
): RunningObjectStore {
  return createObjectStore({
    storage,
    root: '/registry',
    profile: 'kubernetes',
    tokenVersion: 'meta.k8s.io/v1',
    codec: plainCodec,
    storedVersion: (resource) => resource,
    clock: systemClock,
    ...options,
  });
}

let uids = 0;

/** An object to create. */
export function thing(
  resource: ResourceDefinition,
  name: string,
  more: { namespace?: string; labels?: Record<string, string>; [field: string]: unknown } = {},
): ApiObject {
  const { namespace = resource.namespaced ? 'default' : '', labels, ...fields } = more;
  return {
    kind: resource.kind,
    apiVersion: resource.group === '' ? resource.version : `${resource.group}/${resource.version}`,
    metadata: {
      name,
      ...(namespace === '' ? {} : { namespace }),
      uid: `uid-${uids++}`,
      ...(labels === undefined ? {} : { labels }),
    },
    ...fields,
  };
}

/** A sink that keeps what it is told, and lets a test wait for it. */
export class RecordingSink implements WatchSink {
  readonly batches: StoreWatchBatch[] = [];
  ended: { readonly error: Error | undefined } | undefined;
  /** What room is waited for, if a test lets it be. */
  full: Promise<void> | undefined;
  #wake: (() => void)[] = [];

  room(): Promise<void> | undefined {
    return this.full;
  }

  deliver(batch: StoreWatchBatch): void {
    this.batches.push(batch);
    this.#tell();
  }

  end(error: Error | undefined): void {
    if (this.ended !== undefined) throw new Error('ended twice');
    this.ended = { error };
    this.#tell();
  }

  /** Events so far, as `ADDED name@revision`. */
  get events(): string[] {
    return this.batches.flatMap(({ events }) =>
      events.map(({ type, entry }) => `${type} ${entry.name}@${entry.revision}`),
    );
  }

  /** Events so far without revisions. */
  get kinds(): string[] {
    return this.events.map((event) => event.slice(0, event.indexOf('@')));
  }

  /** Resolves once `done` holds; asked after every delivery. */
  async until(done: () => boolean): Promise<void> {
    while (!done()) await new Promise<void>((resolve) => this.#wake.push(resolve));
  }

  #tell(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }
}

/** The clock of a test that decides about time, or the machine's. */
export type { Clock };
