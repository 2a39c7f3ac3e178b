import assert from 'node:assert/strict';
import type { ApiObject } from '../../../src/meta/object.ts';
import { createConverter } from '../../../src/registry/convert/converter.ts';
import { createHooks } from '../../../src/registry/hooks-table.ts';
import { createObjectCodec } from '../../../src/registry/object-codec.ts';
import { CborWriter } from '../../../src/schema/cbor/write.ts';
import type { ResourceDefinition } from '../../../src/schema/model.ts';
import type { StorageEncoding, ValueTransform } from '../../../src/store/codec.ts';
import type { RunningObjectStore } from '../../../src/store/create.ts';
import type { StoredEntry } from '../../../src/store/object-store.ts';
import { MemoryStorage } from '../../support/memory-storage.ts';
import { openObjectStore, RecordingSink } from '../../support/object-store.ts';
import { readBody } from '../../support/protobuf-oracle.ts';
import { openSchemas } from '../../support/schemas.ts';

const { registry, names } = openSchemas('kubernetes', 'all');
const codec = createObjectCodec({
  schemas: registry,
  hooksOf: createHooks(names),
  convert: createConverter(names),
});
const storedVersion = (row: ResourceDefinition): ResourceDefinition =>
  registry.stored().find(({ storage }) => storage?.prefix === row.storage?.prefix) ?? row;

function rowOf(group: string, version: string, name: string): ResourceDefinition {
  const found = registry.resource(group, version, name);
  assert.ok(found);
  return found;
}

const DEPLOYMENTS = rowOf('apps', 'v1', 'deployments');
const ENCODINGS: readonly StorageEncoding[] = ['json', 'protobuf'];
const KEY = '/registry/deployments/default/a';
const LATEST = { at: 'latest' } as const;

function deployment(replicas: number): ApiObject {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const text = JSON.stringify({
    ...{ kind: 'Deployment', apiVersion: 'apps/v1' },
    metadata: { name: 'a', namespace: 'default', uid: 'u', generation: 1 },
    spec: { replicas, selector: { matchLabels: { a: 'b' } }, template },
  });
  return codec.decodeStored(Buffer.from(text), DEPLOYMENTS);
}

/** Changes bytes so that nothing below the store can read them. */
const MASK: ValueTransform = {
  toStorage: (plain, key) => Buffer.concat([Buffer.from(key), plain.map((byte) => byte ^ 0x55)]),
  fromStorage: (stored, key) => Buffer.from(stored.subarray(key.length).map((byte) => byte ^ 0x55)),
};

describe('objects stored as Protobuf', () => {
  let storage: MemoryStorage;
  const stores: RunningObjectStore[] = [];

  beforeEach(() => (storage = new MemoryStorage()));
  afterEach(async () => {
    for (const store of stores.splice(0)) store.close();
    await storage.close();
  });

  async function open(storeAs: StorageEncoding, transform?: ValueTransform): Promise<RunningObjectStore> {
    const more = transform === undefined ? {} : { transform };
    const store = openObjectStore(storage, { codec, storedVersion, storeAs, ...more });
    stores.push(store);
    await store.start([DEPLOYMENTS]);
    await store.whenReady();
    return store;
  }
  const create = (store: RunningObjectStore): Promise<StoredEntry> =>
    store.create({ resource: DEPLOYMENTS, object: deployment(1) });
  const get = (store: RunningObjectStore): Promise<StoredEntry> =>
    store.get({ resource: DEPLOYMENTS, namespace: 'default', name: 'a', at: LATEST });
  const put = async (store: RunningObjectStore, object: ApiObject): Promise<string> => {
    const attempt = (): Promise<{ action: 'put'; object: ApiObject }> =>
      Promise.resolve({ action: 'put', object });
    const target = { resource: DEPLOYMENTS, namespace: 'default', name: 'a' };
    return (await store.write({ ...target, attempt })).action;
  };
  const value = async (): Promise<Buffer> => {
    const [item] = (await storage.range({ start: KEY })).items;
    assert.ok(item);
    return item.value;
  };
  const json = (entry: StoredEntry): string => entry.bytes().bytes.toString();

  it('are bodies that others can read, without a version', async () => {
    const store = await open('protobuf');
    const entry = await create(store);
    const body = readBody(await value());
    assert.equal(body.kind, 'Deployment');
    assert.equal((body.metadata as { resourceVersion?: string }).resourceVersion, undefined);
    assert.equal((body.spec as { replicas: number }).replicas, 1);
    assert.match(json(entry), /"resourceVersion":"\d+"/);
  });

  for (const writer of ENCODINGS) {
    for (const reader of ENCODINGS) {
      it(`${writer} is read where ${reader} is written, loaded, watched and got`, async () => {
        const first = await open(writer);
        const before = await create(first);
        const second = await open(reader);
        assert.equal(json(await get(second)), json(before));
        const sink = new RecordingSink();
        const start = { from: 'after', revision: storage.revision } as const;
        await second.watch({ resource: DEPLOYMENTS, namespace: '', start, markInitialEvents: false }, sink);
        assert.equal(await put(first, deployment(2)), 'updated');
        await sink.until(() => sink.events.length === 1);
        const after = await get(first);
        assert.equal(json(await get(second)), json(after));
        assert.equal(json(sink.batches.at(-1)?.events[0]?.entry as StoredEntry), json(after));
      });

      it(`a change of nothing writes ${writer === reader ? 'nothing' : `${reader} in place of ${writer}`}`, async () => {
        await create(await open(writer));
        const second = await open(reader);
        const { revision } = storage;
        const action = await put(second, (await get(second)).object());
        assert.equal(action, writer === reader ? 'unchanged' : 'updated');
        assert.equal(storage.revision, writer === reader ? revision : revision + 1);
        const isJson = (await value()).subarray(0, 1).toString() === '{';
        assert.equal(isJson, reader === 'json');
        assert.equal(await put(second, (await get(second)).object()), 'unchanged');
      });
    }
  }

  it('are encrypted like others', async () => {
    const store = await open('protobuf', MASK);
    const entry = await create(store);
    const stored = await value();
    assert.equal(stored.includes('k8s\0'), false);
    assert.equal(readBody(MASK.fromStorage(stored, KEY)).kind, 'Deployment');
    assert.equal(json(await get(await open('protobuf', MASK))), json(entry));
    assert.equal(await put(store, deployment(1)), 'unchanged');
  });

  it('are told apart from what is damaged', async () => {
    const store = await open('protobuf');
    await create(store);
    const whole = await value();
    const [item] = (await storage.range({ start: KEY })).items;
    let revision = item?.modRevision;
    assert.ok(revision);
    for (const damaged of [
      whole.subarray(0, 60),
      Buffer.from('k8s\0'),
      Buffer.concat([whole, Buffer.from([7])]),
    ]) {
      ({ revision } = await storage.replace(KEY, revision, damaged));
      await assert.rejects(get(store), { reason: 'StorageReadError', code: 500 });
    }
    await storage.replace(KEY, revision, whole);
    assert.equal((await get(store)).name, 'a');
  });

  it('stand beside what others stored as CBOR', async () => {
    const store = await open('protobuf');
    const json = Buffer.from(codec.encode(deployment(5), DEPLOYMENTS));
    await storage.create(KEY, new CborWriter().document(json, DEPLOYMENTS.type));
    const { spec } = (await get(store)).object();
    assert.equal((spec as { replicas: number }).replicas, 5);
    assert.equal(await put(store, (await get(store)).object()), 'updated');
    assert.equal(readBody(await value()).kind, 'Deployment');
  });

  it('keep their version: an older one is converted', async () => {
    const v1 = rowOf('autoscaling', 'v1', 'horizontalpodautoscalers');
    const v2 = rowOf('autoscaling', 'v2', 'horizontalpodautoscalers');
    const text = JSON.stringify({
      ...{ kind: 'HorizontalPodAutoscaler', apiVersion: 'autoscaling/v1' },
      metadata: { name: 'a', namespace: 'default' },
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { kind: 'Deployment', name: 'd' },
        targetCPUUtilizationPercentage: 70,
      },
    });
    const store = await open('protobuf');
    const entry = await store.create({
      resource: v1,
      object: codec.convert(codec.decodeStored(Buffer.from(text), v2), v2, v1),
    });
    const [item] = (await storage.range({ start: '/registry/horizontalpodautoscalers/default/a' })).items;
    assert.equal(readBody(item?.value as Buffer).apiVersion, 'autoscaling/v2');
    assert.match(store.encoding(entry, v1).bytes.toString(), /"targetCPUUtilizationPercentage":70/);
  });
});
