import { randomUUID } from 'node:crypto';
import { ApiError } from '../../src/errors/api-error.ts';
import { notFoundError } from '../../src/errors/status-errors.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../../src/http/gateway.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { ApiObject } from '../../src/meta/object.ts';
import { toRevision, type Revision } from '../../src/meta/revision.ts';
import type { ResourceDefinition, StructType } from '../../src/schema/model.ts';
import type {
  EncodedObject,
  StoredEntry,
  StoreWatchBatch,
  WatchEvent,
  WatchSink,
} from '../../src/store/object-store.ts';
import type { VerbHandler } from '../../src/verbs/result.ts';
import { selfSigned } from './certificates.ts';

const NO_TYPE: StructType = { name: '', fields: [], field: new Map(), atomic: false };

/** A row of the resource table, complete enough for the HTTP side. */
export function resourceRow(
  fields: Partial<ResourceDefinition> & { resource: string; kind: string },
): ResourceDefinition {
  return {
    group: '',
    version: 'v1',
    singular: fields.kind.toLowerCase(),
    listKind: `${fields.kind}List`,
    namespaced: true,
    shortNames: [],
    categories: [],
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    subresources: new Map(),
    type: NO_TYPE,
    columns: undefined,
    selectableFields: [],
    lifecycle: { introduced: '1.0' },
    allowUnconditionalUpdate: true,
    allowCreateOnUpdate: false,
    hasGeneration: false,
    nameRule: 'dnsSubdomain',
    defaultPropagation: 'background',
    ...fields,
  } as ResourceDefinition;
}

/** An entry as a store would hold it. */
export function storedEntry(object: ApiObject, revision: number): StoredEntry {
  const { kind, apiVersion, metadata, ...rest } = object;
  const full = {
    kind,
    apiVersion,
    metadata: { resourceVersion: String(revision), ...metadata },
    ...rest,
  };
  const bytes = Buffer.from(JSON.stringify(full));
  const encoded: EncodedObject = { bytes, itemStart: bytes.indexOf('"metadata":') };
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    revision: toRevision(revision),
    createRevision: toRevision(revision),
    uid: '',
    labels: metadata.labels,
    ties: undefined,
    field: (path) => (path === 'metadata.name' ? (metadata.name ?? '') : ''),
    bytes: () => encoded,
    mentions: (text) => bytes.includes(text),
    object: () => structuredClone(full),
  };
}

/** A config map with `size` bytes of data. */
export function configMapEntry(name: string, revision: number, size = 16): StoredEntry {
  const object: ApiObject = {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name, namespace: 'default' },
    data: { k: 'x'.repeat(size) },
  };
  return storedEntry(object, revision);
}

/** Watches that a test feeds by hand. */
export class Feed {
  readonly sinks = new Set<WatchSink>();
  revision = toRevision(1);
  /** Watches closed so far. */
  closed = 0;
  #waiting: { count: number; resolve: () => void }[] = [];

  readonly subscribe = (sink: WatchSink): Promise<{ revision: Revision; close(): void }> => {
    this.sinks.add(sink);
    this.#notify();
    const currentRevision = (): Revision => this.revision;
    return Promise.resolve({
      get revision() {
        return currentRevision();
      },
      close: () => {
        if (this.sinks.delete(sink)) this.closed++;
        this.#notify();
      },
    });
  };

  /** Resolves once exactly `count` watches are open. */
  async open(count: number): Promise<void> {
    if (this.sinks.size === count) return;
    await new Promise<void>((resolve) => this.#waiting.push({ count, resolve }));
  }

  send(events: readonly WatchEvent[], more: Partial<StoreWatchBatch> = {}): void {
    this.revision = toRevision(Math.max(this.revision, ...events.map((e) => e.entry.revision)));
    const batch: StoreWatchBatch = { events, revision: this.revision, ...more };
    for (const sink of this.sinks) sink.deliver(batch);
  }

  end(error?: Error): void {
    for (const sink of this.sinks) sink.end(error);
  }

  #notify(): void {
    const ready = this.#waiting.filter(({ count }) => count === this.sinks.size);
    this.#waiting = this.#waiting.filter((waiter) => !ready.includes(waiter));
    for (const { resolve } of ready) resolve();
  }
}

export interface TestGateway {
  readonly gateway: Gateway;
  readonly port: number;
  readonly origin: string;
  readonly ca: string;
  readonly feed: Feed;
  readonly faults: unknown[];
  close(): Promise<void>;
}

export const CONFIG_MAPS = resourceRow({ resource: 'configmaps', kind: 'ConfigMap' });
export const NAMESPACES = resourceRow({ resource: 'namespaces', kind: 'Namespace', namespaced: false });

/** Verbs on a fixed set of config maps. */
export function fixedVerbs(entries: readonly StoredEntry[], feed: Feed): Record<string, VerbHandler> {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return {
    get: ({ resource, name }) => {
      const entry = byName.get(name);
      if (entry === undefined) throw notFoundError(resource, name);
      return Promise.resolve({ kind: 'entry', status: 200, resource, entry });
    },
    list: ({ resource }) =>
      Promise.resolve({ kind: 'list', resource, page: { revision: toRevision(7), entries } }),
    watch: ({ resource, context }) =>
      Promise.resolve({
        kind: 'watch',
        resource,
        bookmarks: context.query.has('allowWatchBookmarks'),
        timeoutSeconds: Number(context.query.get('timeoutSeconds') ?? '300'),
        initialEventsBookmark: context.query.has('sendInitialEvents'),
        subscribe: feed.subscribe,
      }),
    create: async ({ resource, context }) => {
      const body = await context.body();
      context.warn('made of what was sent');
      const object = JSON.parse(body.bytes.toString()) as ApiObject;
      return { kind: 'object', status: 201, resource, object };
    },
    delete: () => {
      throw new Error('a fault of ours');
    },
    patch: ({ context }) =>
      new Promise((_, reject) => {
        context.signal.addEventListener('abort', () => reject(context.signal.reason as Error));
      }),
  };
}

/** Starts a gateway on a free port of 127.0.0.1, with verbs on a few config maps unless given others. */
export async function startGateway(
  options: Partial<GatewayOptions> & { entries?: readonly StoredEntry[] } = {},
): Promise<TestGateway> {
  const { entries = [configMapEntry('a', 5), configMapEntry('b', 6)], ...given } = options;
  const certificate = await selfSigned();
  const feed = new Feed();
  const faults: unknown[] = [];
  const rows = new Map([CONFIG_MAPS, NAMESPACES].map((row) => [row.resource, row]));
  const gateway = createGateway({
    clock: systemClock,
    newId: randomUUID,
    random: Math.random,
    log: (_message, details) => faults.push(details.error),
    tls: certificate,
    names: {
      metaGroup: 'meta.orch.io',
      tokenProtocolPrefix: 'base64url.bearer.authorization.orch.io.',
      audit: { decision: 'audit/decision', reason: 'audit/reason', method: 'audit/method' },
      initialEventsEnd: 'orch.io/end',
      initialEventsListBlueprint: 'orch.io/list',
    },
    authenticate: () => Promise.resolve({ name: 'u', uid: '', groups: [], extra: {} }),
    access: {
      authorize: ({ info }) =>
        Promise.resolve({ verdict: info.path.includes('forbidden') ? 'deny' : 'allow', reason: 'because' }),
      denied: (_request, { reason }) => new ApiError('Forbidden', `forbidden: ${reason}`, { details: {} }),
    },
    find: (group, version, resource) => (group === '' && version === 'v1' ? rows.get(resource) : undefined),
    release: '1.32',
    servesGroup: (group) => group === 'apps',
    verbs: fixedVerbs(entries, feed),
    forms: {
      encoding: (entry) => entry.bytes(),
      row: (_resource, item) => ({
        cells: ['entry' in item ? item.entry.name : (item.object.metadata.name ?? ''), '1d'],
      }),
      encodeObject: (object) => Buffer.from(JSON.stringify(object)),
    },
    paths: () => ({ exact: new Map(), below: [], discovery: () => undefined }),
    requestTimeoutMs: 60_000,
    shutdown: { delayMs: 0, graceMs: 5_000, sendRetryAfter: false },
    goAwayChance: 0,
    ...given,
  });
  const { port } = await gateway.listen(0, '127.0.0.1');
  return {
    gateway,
    port,
    origin: `https://127.0.0.1:${port}`,
    ca: certificate.cert,
    feed,
    faults,
    close: () => gateway.shutdown(),
  };
}
