import assert from 'node:assert/strict';
import { Interner } from '../../../src/lib/interner.ts';
import type { ApiObject } from '../../../src/meta/object.ts';
import type { Revision } from '../../../src/meta/revision.ts';
import { createConverter } from '../../../src/registry/convert/converter.ts';
import { createHooks } from '../../../src/registry/hooks-table.ts';
import { createObjectCodec } from '../../../src/registry/object-codec.ts';
import type { ResourceDefinition } from '../../../src/schema/model.ts';
import type { ObjectCodec, ValueTransform } from '../../../src/store/codec.ts';
import type { RunningObjectStore } from '../../../src/store/create.ts';
import type { StoredEntry } from '../../../src/store/object-store.ts';
import { MemoryStorage } from '../../support/memory-storage.ts';
import { openObjectStore, RecordingSink } from '../../support/object-store.ts';
import { openSchemas } from '../../support/schemas.ts';

const { registry, names } = openSchemas('kubernetes', 'all');
const codec = createObjectCodec({
  schemas: registry,
  hooksOf: createHooks(names),
  convert: createConverter(names),
});

function resource(group: string, version: string, name: string): ResourceDefinition {
  const found = registry.resource(group, version, name);
  assert.ok(found !== undefined, `${group}/${version} ${name}`);
  return found;
}

function storedVersion(row: ResourceDefinition): ResourceDefinition {
  return registry.stored().find(({ storage }) => storage?.prefix === row.storage?.prefix) ?? row;
}

const CONFIG_MAPS = resource('', 'v1', 'configmaps');
const PODS = resource('', 'v1', 'pods');
const METADATA = {
  name: 'a',
  namespace: 'default',
  uid: '1b7f2a4e-3c1d-4a5b-9e8f-0a1b2c3d4e5f',
  creationTimestamp: '2026-01-01T00:00:00Z',
};

/** Something that is stored, and read in some version. */
interface Case {
  readonly title: string;
  readonly resource: ResourceDefinition;
  /** Text of what is stored. */
  readonly stored: string;
  /** Whether the served bytes are the stored ones, but for resourceVersion and the newline. */
  readonly same: boolean;
  /** Found in the served text. */
  readonly has?: readonly RegExp[];
}

const text = (object: object): string => `${JSON.stringify(object)}\n`;
const CASES: readonly Case[] = [
  {
    title: 'what this server stores',
    resource: CONFIG_MAPS,
    stored: text({ kind: 'ConfigMap', apiVersion: 'v1', metadata: METADATA, data: { k: 'v' } }),
    same: true,
  },
  {
    title: 'without the newline at the end',
    resource: CONFIG_MAPS,
    stored: text({ kind: 'ConfigMap', apiVersion: 'v1', metadata: METADATA, data: { k: 'v' } }).trimEnd(),
    same: false,
  },
  {
    title: "another writer's order of fields",
    resource: CONFIG_MAPS,
    stored: text({ data: { b: '1', a: '2' }, metadata: METADATA, apiVersion: 'v1', kind: 'ConfigMap' }),
    same: false,
    has: [/"data":{"a":"2","b":"1"}/],
  },
  {
    title: "another writer's order inside of metadata and maps",
    resource: CONFIG_MAPS,
    stored: text({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { labels: { b: '1', a: '2' }, ...METADATA },
    }),
    same: false,
    has: [/"labels":{"a":"2","b":"1"}/],
  },
  {
    title: "another writer's spaces",
    resource: CONFIG_MAPS,
    stored: JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata: METADATA }, null, 2),
    same: false,
  },
  {
    title: "another writer's escapes",
    resource: CONFIG_MAPS,
    stored: text({ kind: 'ConfigMap', apiVersion: 'v1', metadata: METADATA, data: { k: 'KEY' } }).replace(
      'KEY',
      '\\u0041\\/',
    ),
    same: false,
    has: [/"k":"A\/"/],
  },
  {
    title: 'a stray resourceVersion and selfLink in the stored object',
    resource: CONFIG_MAPS,
    stored: text({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { ...METADATA, resourceVersion: '77', selfLink: '/x' },
    }),
    same: false,
  },
  {
    title: 'fields that this version does not know',
    resource: CONFIG_MAPS,
    stored: text({ kind: 'ConfigMap', apiVersion: 'v1', metadata: METADATA, later: { x: 1 } }),
    same: false,
  },
  {
    title: 'defaults and always-emitted fields that an older schema did not have',
    resource: PODS,
    stored: text({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: METADATA,
      spec: { containers: [{ name: 'c', image: 'i' }] },
    }),
    same: false,
    has: [/"restartPolicy":"Always"/, /"resources":{}/, /"status":{/],
  },
  {
    title: 'an older version of the kind',
    resource: resource('autoscaling', 'v2', 'horizontalpodautoscalers'),
    stored: text({
      kind: 'HorizontalPodAutoscaler',
      apiVersion: 'autoscaling/v1',
      metadata: METADATA,
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'd' },
        maxReplicas: 3,
        targetCPUUtilizationPercentage: 70,
      },
    }),
    same: false,
    has: [/"apiVersion":"autoscaling\/v2"/, /"averageUtilization":70/],
  },
  {
    title: 'a version that is not served any more',
    resource: resource('batch', 'v1', 'cronjobs'),
    stored: text({
      kind: 'CronJob',
      apiVersion: 'batch/v1beta1',
      metadata: METADATA,
      spec: { schedule: '* * * * *', jobTemplate: { spec: { template: { spec: { containers: [] } } } } },
    }),
    same: false,
    has: [/"apiVersion":"batch\/v1"/],
  },
  {
    title: 'a group that the kind has moved from',
    resource: resource('networking.k8s.io', 'v1', 'ingresses'),
    stored: text({ kind: 'Ingress', apiVersion: 'extensions/v1beta1', metadata: METADATA, spec: {} }),
    same: false,
    has: [/"apiVersion":"networking.k8s.io\/v1"/],
  },
];

/** What the served bytes must be: decoded and encoded, with the revision in its place. */
function expected(entry: StoredEntry, row: ResourceDefinition, stored: Buffer): string {
  const inStored = codec.decodeStored(stored, storedVersion(row));
  delete inStored.metadata.resourceVersion;
  delete inStored.metadata['selfLink'];
  const object = codec.convert(inStored, storedVersion(row), row);
  const json = codec.encode(object, row).toString();
  return json.replace('"metadata":{', `"metadata":{"resourceVersion":"${entry.revision}",`);
}

interface Read {
  readonly way: string;
  /** As stored, before any transformation. */
  readonly stored: Buffer;
  readonly entry: StoredEntry;
  readonly store: RunningObjectStore;
}

const MASK: ValueTransform = {
  toStorage: (plain, key) => Buffer.concat([Buffer.from(`masked:${key}:`), plain.map((byte) => byte ^ 0x55)]),
  fromStorage: (stored, key) =>
    Buffer.from(stored.subarray(`masked:${key}:`.length).map((byte) => byte ^ 0x55)),
};

/** Every way on which stored bytes become an entry. */
async function* waysOf(row: ResourceDefinition, stored: Buffer): AsyncGenerator<Read> {
  const namespace = row.namespaced ? 'default' : '';
  const key = `/registry${row.storage!.prefix}/${namespace === '' ? '' : `${namespace}/`}a`;
  for (const transform of [undefined, MASK]) {
    const storage = new MemoryStorage();
    const value = transform === undefined ? stored : transform.toStorage(stored, key);
    const options = { codec, storedVersion, ...(transform === undefined ? {} : { transform }) };
    const { revision: created } = await storage.create(key, value);
    const store = openObjectStore(storage, options);
    const note = transform === undefined ? '' : ', encrypted';
    const get = { resource: row, namespace, name: 'a', at: { at: 'latest' } } as const;
    await store.start([]);
    yield { way: `from the store${note}`, stored, store, entry: await store.get(get) };
    await store.whenReady();
    yield { way: `loaded into the cache${note}`, stored, store, entry: await store.get(get) };
    const sink = new RecordingSink();
    const start = { from: 'after', revision: storage.revision } as const;
    await store.watch({ resource: row, namespace, start, markInitialEvents: false }, sink);
    const { revision } = await storage.replace(key, created, value);
    const entry = await store.get(get);
    assert.equal(entry.revision, revision);
    yield { way: `from the watch${note}`, stored, store, entry };
    await storage.delete(key, revision);
    await sink.until(() => sink.events.length === 2);
    const deleted = sink.batches.at(-1)!.events.at(-1)!;
    assert.deepEqual([deleted.type, deleted.entry.revision], ['DELETED', revision + 1]);
    yield { way: `a deletion${note}`, stored, store, entry: deleted.entry };
    store.close();
    await storage.close();
  }
}

describe('served bytes', () => {
  for (const { title, resource: row, stored, same, has = [] } of CASES) {
    it(`are those of decoding and encoding: ${title}`, async () => {
      for await (const { way, entry, store, stored: bytes } of waysOf(row, Buffer.from(stored))) {
        const encoded = store.encoding(entry, row);
        const served = encoded.bytes.toString();
        assert.equal(served, expected(entry, row, bytes), way);
        assert.equal(
          JSON.stringify(sortedByName(store.decode(entry, row))),
          JSON.stringify(sortedByName(JSON.parse(served))),
          way,
        );
        for (const pattern of has) assert.match(served, pattern, way);
        const unchanged = served.replace(`"resourceVersion":"${entry.revision}",`, '') === stored.trimEnd();
        if (same) assert.ok(unchanged, way);
        const item = JSON.parse(`{${encoded.bytes.subarray(encoded.itemStart).toString()}`) as ApiObject;
        const { kind: _kind, apiVersion: _apiVersion, ...rest } = JSON.parse(served) as ApiObject;
        assert.deepEqual(item, rest, `${way}, as an item of a list`);
      }
    });
  }

  it('in another version than the stored one are those of converting and encoding', async () => {
    const v1 = resource('autoscaling', 'v1', 'horizontalpodautoscalers');
    const v2 = resource('autoscaling', 'v2', 'horizontalpodautoscalers');
    const target = { kind: 'Deployment', name: 'd' };
    const stored = text({
      kind: 'HorizontalPodAutoscaler',
      apiVersion: 'autoscaling/v2',
      metadata: METADATA,
      spec: { scaleTargetRef: target, maxReplicas: 3 },
    });
    for await (const { way, entry, store, stored: bytes } of waysOf(v2, Buffer.from(stored))) {
      const first = store.encoding(entry, v1);
      assert.equal(first.bytes.toString(), expected(entry, v1, bytes), way);
      const isShown = !way.startsWith('from the store');
      assert.equal(store.encoding(entry, v1) === first, isShown, `${way}: kept if a cache shows it`);
      assert.equal(store.decode(entry, v1).apiVersion, 'autoscaling/v1');
      const item = JSON.parse(`{${first.bytes.subarray(first.itemStart).toString()}`) as ApiObject;
      assert.deepEqual(Object.keys(item).slice(0, 1), ['metadata']);
    }
  });

  it('of own writes are those of decoding and encoding, in both versions', async () => {
    const storage = new MemoryStorage();
    const store = openObjectStore(storage, { codec, storedVersion });
    await store.start([]);
    for (const version of ['v1', 'v2']) {
      const row = resource('autoscaling', version, 'horizontalpodautoscalers');
      const object = codec.decodeStored(
        Buffer.from(
          text({
            kind: 'HorizontalPodAutoscaler',
            apiVersion: `autoscaling/${version}`,
            metadata: { ...METADATA, name: version },
            spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3 },
          }),
        ),
        row,
      );
      const entry = await store.create({ resource: row, object });
      const [item] = (await storage.range({ start: `/registry/horizontalpodautoscalers/default/${version}` }))
        .items;
      assert.match(
        item!.value.toString(),
        /^{"kind":"HorizontalPodAutoscaler","apiVersion":"autoscaling\/v2","metadata":{"name"/,
      );
      for (const shown of ['v1', 'v2']) {
        const as = resource('autoscaling', shown, 'horizontalpodautoscalers');
        assert.equal(store.encoding(entry, as).bytes.toString(), expected(entry, as, item!.value));
      }
    }
    store.close();
  });

  it('of objects as large as they come, and with every kind of character', async () => {
    const values = [
      ['__proto__', 'p'],
      ['big', 'x'.repeat(900_000)],
      ['constructor', 'c'],
      ['text', 'é\u{1f600}\u2028<&>"\\\n\u0001'],
    ] as const;
    const data = `{${values.map((pair) => pair.map((part) => JSON.stringify(part)).join(':')).join(',')}}`;
    const stored = `{"kind":"ConfigMap","apiVersion":"v1","metadata":${JSON.stringify(METADATA)},"data":${data}}\n`;
    for await (const { way, entry, store, stored: bytes } of waysOf(CONFIG_MAPS, Buffer.from(stored))) {
      assert.equal(
        store.encoding(entry, CONFIG_MAPS).bytes.toString(),
        expected(entry, CONFIG_MAPS, bytes),
        way,
      );
    }
  });
});

/** The same, fields in order of their names. */
function sortedByName(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sortedByName);
  const fields = Object.entries(value).map(([name, inner]) => [name, sortedByName(inner)] as const);
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A codec that counts. */
function counting(inner: ObjectCodec): ObjectCodec & { decoded: number; encoded: number } {
  const counted = {
    ...inner,
    decoded: 0,
    encoded: 0,
    decodeStored(bytes: Buffer, row: ResourceDefinition) {
      counted.decoded++;
      return inner.decodeStored(bytes, row);
    },
    encode(object: ApiObject, row: ResourceDefinition, ending?: string) {
      counted.encoded++;
      return inner.encode(object, row, ending);
    },
  };
  return counted;
}

describe('decoding', () => {
  it('happens once for what others wrote, again when it is first served, and never for own writes', async () => {
    const storage = new MemoryStorage();
    const counted = counting(codec);
    const store = openObjectStore(storage, { codec: counted, storedVersion });
    await store.start([CONFIG_MAPS]);
    await store.whenReady();
    const object = {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { ...METADATA, name: 'own' },
    } as ApiObject;
    const created = await store.create({ resource: CONFIG_MAPS, object });
    const at = { at: 'latest' } as const;
    const got = await store.get({ resource: CONFIG_MAPS, namespace: 'default', name: 'own', at });
    assert.equal(got, created, 'writer and cache share the entry');
    got.bytes();
    assert.deepEqual([counted.decoded, counted.encoded], [0, 1]);

    const key = '/registry/configmaps/default/a';
    await storage.create(key, Buffer.from(text({ kind: 'ConfigMap', apiVersion: 'v1', metadata: METADATA })));
    const foreign = await store.get({ resource: CONFIG_MAPS, namespace: 'default', name: 'a', at });
    assert.deepEqual([counted.decoded, counted.encoded], [1, 1]);
    for (let i = 0; i < 3; i++) foreign.bytes();
    assert.deepEqual([counted.decoded, counted.encoded], [2, 2]);
    store.close();
  });

  it('gives copies that may be changed', async () => {
    const storage = new MemoryStorage();
    const store = openObjectStore(storage, { codec, storedVersion });
    await store.start([CONFIG_MAPS]);
    const metadata = { ...METADATA, labels: { x: '1' } };
    const object = {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata,
      data: { k: 'v' },
    } as unknown as ApiObject;
    const entry = await store.create({ resource: CONFIG_MAPS, object });
    for (const mine of [object, entry.object(), store.decode(entry, CONFIG_MAPS)]) {
      mine.metadata.labels = { x: '2' };
      (mine['data'] as Record<string, string>)['k'] = 'w';
    }
    assert.deepEqual({ ...entry.labels }, { x: '1' });
    assert.deepEqual({ ...(entry.object()['data'] as object) }, { k: 'v' });
    assert.equal(entry.object().metadata.resourceVersion, String(entry.revision satisfies Revision));
    store.close();
  });

  it('shares equal labels', () => {
    const interner = new Interner<object>(2);
    const [a, b] = [interner.intern('a', () => ({})), interner.intern('b', () => ({}))];
    assert.equal(
      interner.intern('a', () => ({})),
      a,
    );
    interner.intern('c', () => ({}));
    assert.equal(
      interner.intern('b', () => ({})),
      b,
      'what was used lately is kept',
    );
    for (const key of 'defgh') interner.intern(key, () => ({}));
    assert.notEqual(
      interner.intern('a', () => ({})),
      a,
      'what was not is forgotten',
    );
  });
});
