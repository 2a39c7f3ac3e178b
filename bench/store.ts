/**
 * What the object store costs by itself, in processor time (all threads): `node bench/store.ts`. Under it is a storage
 * that answers at once, so that the figures are its own. For people to look at, not a test.
 */
import { systemClock } from '../src/lib/clock.ts';
import type { Revision } from '../src/meta/revision.ts';
import { loadNames } from '../src/names/load.ts';
import { createConverter } from '../src/registry/convert/converter.ts';
import { createHooks } from '../src/registry/hooks-table.ts';
import { createObjectCodec } from '../src/registry/object-codec.ts';
import { loadSchemas } from '../src/schema/load.ts';
import type { ApiObject } from '../src/meta/object.ts';
import type { ResourceDefinition } from '../src/schema/model.ts';
import type { KeyValue, Storage, StorageEvent, StorageWatch, WatchBatch } from '../src/storage/port.ts';
import { createObjectStore, type RunningObjectStore } from '../src/store/create.ts';
import type { EntryFilter, StoredEntry, WatchSink } from '../src/store/object-store.ts';

const PODS = 10_000;
const names = loadNames({ profile: 'kubernetes' });
const schemas = loadSchemas({ profile: 'kubernetes' });
const codec = createObjectCodec({ schemas, hooksOf: createHooks(names), convert: createConverter(names) });
const resource = schemas.resource('', 'v1', 'pods') as ResourceDefinition;

/** Keeps one value a key, and answers in the same turn. */
class InstantStorage implements Pick<Storage, 'range' | 'create' | 'replace' | 'watch' | 'currentRevision'> {
  readonly capabilities = {
    progressRequests: true,
    maxTransactionOperations: 128,
    maxValueBytes: 1 << 21,
    shared: true,
  };
  readonly items = new Map<string, KeyValue>();
  revision = 1 as Revision;
  /** Set to keep the events of writes, which are acknowledged without them. */
  held: StorageEvent[] | undefined;
  #wake: ((batch: WatchBatch) => void) | undefined;
  readonly #queue: WatchBatch[] = [];

  range({ start, end, limit = Infinity }: Parameters<Storage['range']>[0]): ReturnType<Storage['range']> {
    const { revision } = this;
    if (end === undefined) {
      const item = this.items.get(start);
      return Promise.resolve({ items: item === undefined ? [] : [item], count: 1, more: false, revision });
    }
    const all = [...this.items.values()].filter(({ key }) => key >= start && key < end);
    all.sort((a, b) => (a.key < b.key ? -1 : 1));
    const items = all.slice(0, limit);
    return Promise.resolve({ items, count: all.length, more: items.length < all.length, revision });
  }

  create(key: string, value: Uint8Array): ReturnType<Storage['create']> {
    return Promise.resolve({ ok: true, revision: this.put(key, value) });
  }

  replace(key: string, _expected: Revision, value: Uint8Array): ReturnType<Storage['replace']> {
    return Promise.resolve({ ok: true, revision: this.put(key, value) });
  }

  currentRevision(): Promise<Revision> {
    return Promise.resolve(this.revision);
  }

  watch(): StorageWatch {
    const next = (): Promise<IteratorResult<WatchBatch>> => {
      const value = this.#queue.shift();
      if (value !== undefined) return Promise.resolve({ done: false, value });
      return new Promise((resolve) => (this.#wake = (batch) => resolve({ done: false, value: batch })));
    };
    return { requestProgress: () => undefined, [Symbol.asyncIterator]: () => ({ next }) };
  }

  put(key: string, value: Uint8Array): Revision {
    const event = this.event(key, Buffer.from(value));
    if (this.held === undefined) this.deliver({ revision: event.modRevision, events: [event] });
    else this.held.push(event);
    return event.modRevision;
  }

  event(key: string, value: Buffer): StorageEvent {
    const revision = (this.revision = (this.revision + 1) as Revision);
    const createRevision = this.items.get(key)?.createRevision ?? revision;
    this.items.set(key, { key, value, modRevision: revision, createRevision });
    return { type: 'put', key, value, modRevision: revision, createRevision };
  }

  deliver(batch: WatchBatch): void {
    const wake = this.#wake;
    this.#wake = undefined;
    if (wake === undefined) this.#queue.push(batch);
    else wake(batch);
  }
}

function pod(i: number): ApiObject {
  const name = `web-5d4f8c7b9-${String(i).padStart(6, '0')}`;
  const fields = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`f:field${n}`, { '.': {}, 'f:x': {} }]),
  );
  const owned = { manager: 'kubelet', operation: 'Update', apiVersion: 'v1', time: '2026-01-01T00:00:00Z' };
  const object = {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      name,
      namespace: `ns-${i % 20}`,
      uid: `1b7f2a4e-3c1d-4a5b-9e8f-${String(i).padStart(12, '0')}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { app: `web-${i % 50}`, 'pod-template-hash': '5d4f8c7b9', tier: 'front' },
      annotations: { 'example.com/scrape': 'true' },
      managedFields: [{ ...owned, fieldsType: 'FieldsV1', fieldsV1: fields }],
    },
    spec: {
      nodeName: `node-${i % 100}`,
      containers: ['web', 'proxy'].map((container) => ({
        name: container,
        image: 'registry.example.com/team/web:1.2.3',
        env: [{ name: 'LOG_LEVEL', value: 'info' }],
        resources: { requests: { cpu: '100m', memory: '128Mi' } },
        volumeMounts: [{ name: 'data', mountPath: '/data' }],
      })),
      volumes: [{ name: 'data', emptyDir: {} }],
    },
    status: { phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] },
  };
  return codec.decodeStored(Buffer.from(JSON.stringify(object)), resource);
}

const sizes = process.memoryUsage.bind(process);

async function open(storage: InstantStorage): Promise<RunningObjectStore> {
  const store = createObjectStore({
    storage: storage as unknown as Storage,
    root: '/registry',
    profile: 'kubernetes',
    tokenVersion: `${names.get('group.meta')}/v1`,
    codec,
    storedVersion: (row) => row,
    clock: systemClock,
  });
  await store.start([resource]);
  await store.whenReady();
  return store;
}

function show(what: string, figure: string): void {
  console.log(`${what.padEnd(64)}${figure.padStart(20)}`);
}

async function each(what: string, count: number, run: (i: number) => unknown): Promise<void> {
  for (let i = 0; i < Math.min(count, 2000); i++) await run(i);
  const start = now();
  for (let i = 0; i < count; i++) await run(i);
  const us = ((now() - start) * 1000) / count;
  show(what, us < 1000 ? `${us.toFixed(2)} us` : `${(us / 1000).toFixed(2)} ms`);
}

/** Processor time so far, milliseconds. */
function now(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

class Counter implements WatchSink {
  events = 0;
  deliver({ events }: { readonly events: readonly unknown[] }): void {
    this.events += events.length;
  }
  end(error: Error | undefined): void {
    if (error !== undefined) throw error;
  }
}

const storage = new InstantStorage();
const objects = Array.from({ length: PODS }, (_, i) => pod(i));
const keyOf = ({ metadata }: ApiObject): string => `/registry/pods/${metadata.namespace}/${metadata.name}`;
const stored = objects.map((object) => Buffer.concat([codec.encode(object, resource), Buffer.from('\n')]));
objects.forEach((object, i) => storage.event(keyOf(object), stored[i] as Buffer));
show('a pod', `${stored[0]?.length} bytes`);

const beforeLoad = now();
const store = await open(storage);
show(`load ${PODS} pods`, `${(now() - beforeLoad).toFixed(0)} ms`);

const beforeList = now();
const first = await store.list({ resource, namespace: '', at: { at: 'any' } });
for (const entry of first.entries) entry.bytes();
show(`their bytes for the first time: decoded and encoded once`, `${(now() - beforeList).toFixed(0)} ms`);

await reads();
await watching();
await ingestion();
await ownEvents();
await writing();
await memory();
store.close();
process.exit(0);

async function reads(): Promise<void> {
  const at = { at: 'any' } as const;
  const latest = { at: 'latest' } as const;
  const refs = objects.map(({ metadata: { namespace = '', name = '' } }) => ({ resource, namespace, name }));
  const ref = (i: number) => refs[(i * 7919) % PODS] as (typeof refs)[0];
  await each('get, any version', 100_000, (i) => store.get({ ...ref(i), at }));
  await each('get, latest (a revision query that answers at once)', 100_000, (i) =>
    store.get({ ...ref(i), at: latest }),
  );
  await each('get and its bytes', 100_000, async (i) => (await store.get({ ...ref(i), at })).bytes());
  await each(`list of ${PODS}`, 200, () => store.list({ resource, namespace: '', at: latest }));
  await each('list of a namespace of 500', 2000, () =>
    store.list({ resource, namespace: 'ns-7', at: latest }),
  );
  await each('page of 500', 2000, () => store.list({ resource, namespace: '', at: latest, limit: 500 }));
  const filter: EntryFilter = { matches: (entry) => entry.labels?.['app'] === 'web-7' };
  await each(`list of ${PODS} by label (200 match)`, 100, () =>
    store.list({ resource, namespace: '', at: latest, filter }),
  );
  const { entries } = await store.list({ resource, namespace: '', at });
  await each(`bytes of ${PODS} entries`, 50, () => {
    let bytes = 0;
    for (const entry of entries) bytes += entry.bytes().bytes.length;
    return bytes;
  });
}

async function subscribe(count: number, filter?: (i: number) => EntryFilter | undefined): Promise<Counter[]> {
  const sinks = Array.from({ length: count }, () => new Counter());
  for (const [i, sink] of sinks.entries()) {
    const chosen = filter?.(i);
    await store.watch(
      {
        resource,
        namespace: '',
        start: { from: 'after', revision: storage.revision },
        markInitialEvents: false,
        ...(chosen === undefined ? {} : { filter: chosen }),
      },
      sink,
    );
  }
  await turn();
  await turn();
  return sinks;
}

/** Delivers one change at a time and waits until it is applied. */
async function fanOut(what: string, sinks: readonly Counter[], perEvent: number): Promise<void> {
  const rounds = 5000;
  const run = async (): Promise<number> => {
    const batches = Array.from({ length: rounds }, (_, i) => {
      const n = (i * 31) % PODS;
      const event = storage.event(keyOf(objects[n] as ApiObject), stored[n] as Buffer);
      return { revision: event.modRevision, events: [event] };
    });
    const start = now();
    for (const batch of batches) storage.deliver(batch);
    while (current() < storage.revision) await turn();
    return ((now() - start) * 1000) / rounds;
  };
  await run();
  const before = sinks.reduce((sum, { events }) => sum + events, 0);
  const us = await run();
  const seen = sinks.reduce((sum, { events }) => sum + events, 0) - before;
  show(what, `${us.toFixed(1)} us an event`);
  if (Math.abs(seen - rounds * perEvent) > rounds * perEvent * 0.02) console.log(`  but ${seen} were seen`);
}

function current(): number {
  return store.statistics()[0]?.revision ?? 0;
}

async function watching(): Promise<void> {
  await fanOut('an event of another gateway, nobody watching', [], 0);
  await fanOut('the same with 100 watches of everything', await subscribe(100), 100);
  const byNode = (i: number): EntryFilter => {
    const value = `node-${i}`;
    return {
      matches: (entry) => entry.field('spec.nodeName') === value,
      trigger: { field: 'spec.nodeName', value },
    };
  };
  await fanOut('and 100 watches of a node each besides', await subscribe(100, byNode), 1);
  const labels = await subscribe(100, (i) => ({
    matches: (entry: StoredEntry) => entry.labels?.['app'] === `web-${i % 50}`,
  }));
  await fanOut('and 100 watches by label besides', labels, 2);
}

async function ingestion(): Promise<void> {
  const rounds = 20_000;
  const batches: WatchBatch[] = [];
  for (let i = 0; i < rounds / 100; i++) {
    const events = Array.from({ length: 100 }, (_, j) => {
      const n = ((i * 100 + j) * 31) % PODS;
      return storage.event(keyOf(objects[n] as ApiObject), stored[n] as Buffer);
    });
    batches.push({ revision: storage.revision, events });
  }
  const start = now();
  for (const batch of batches) storage.deliver(batch);
  while (current() < storage.revision) await turn();
  show("others' events in batches of 100, with all those watches", `${perSecond(rounds, start)} a second`);
}

/** Events of writes that were acknowledged before: the watch has them last. */
async function ownEvents(): Promise<void> {
  const rounds = 20_000;
  storage.held = [];
  for (let i = 0; i < rounds; i++) {
    const object = objects[i % PODS] as ApiObject;
    await store.create({
      resource,
      object: { ...object, metadata: { ...object.metadata, name: `own${i}` } },
    });
  }
  const { held } = storage;
  storage.held = undefined;
  const start = now();
  for (let i = 0; i < rounds; i += 100) {
    const events = held.slice(i, i + 100);
    storage.deliver({ revision: events.at(-1)?.modRevision as Revision, events });
  }
  while (current() < storage.revision) await turn();
  show('own events in batches of 100, with all those watches', `${perSecond(rounds, start)} a second`);
}

async function writing(): Promise<void> {
  const rounds = 20_000;
  let start = now();
  for (let i = 0; i < rounds; i++) {
    const object = objects[i % PODS] as ApiObject;
    const metadata = { ...object.metadata, name: `n${i}`, uid: `u${i}` };
    await store.create({ resource, object: { ...object, metadata } });
  }
  show('creates, each with its event, with all those watches', `${perSecond(rounds, start)} a second`);
  start = now();
  for (let i = 0; i < rounds; i++) {
    const { namespace = '', name = '' } = (objects[(i * 31) % PODS] as ApiObject).metadata;
    await store.write({
      resource,
      namespace,
      name,
      attempt(entry) {
        const object = store.decode(entry as StoredEntry, resource);
        object.metadata.annotations = { round: String(i) };
        return Promise.resolve({ action: 'put', object });
      },
    });
  }
  show('updates (decode, change, encode, write, event)', `${perSecond(rounds, start)} a second`);
}

function perSecond(count: number, start: number): string {
  return ((count * 1000) / (now() - start)).toFixed(0);
}

async function memory(): Promise<void> {
  storage.items.clear();
  await turn();
  globalThis.gc?.();
  await turn();
  const [statistics] = store.statistics();
  show('objects, changes in history', `${statistics?.objects}, ${statistics?.history.changes}`);
  const { heapUsed, arrayBuffers } = sizes();
  show('heap, buffers', `${(heapUsed / 2 ** 20).toFixed(0)} MB, ${(arrayBuffers / 2 ** 20).toFixed(0)} MB`);
}
