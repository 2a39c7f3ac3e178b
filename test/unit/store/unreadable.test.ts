import assert from 'node:assert/strict';
import type { Revision } from '../../../src/meta/revision.ts';
import { Gateway, names, refusedWith } from '../../contract/object-store-support.ts';
import { MemoryStorage } from '../../support/memory-storage.ts';
import { EVENTS, PODS } from '../../support/object-store.ts';

const PROTOBUF = Buffer.from('k8s\0\n\x0b\n\x02v1\x12\x03Po');
const GARBAGE = Buffer.from('{"kind":"Pod"');

for (const resource of [PODS, EVENTS]) {
  describe(`stored ${resource.resource} that can not be read`, () => {
    const key = `/registry/${resource.resource}/default/bad`;
    let storage: MemoryStorage;
    let gateway: Gateway;
    let told: string[];

    beforeEach(async () => {
      storage = new MemoryStorage();
      told = [];
      const observer = { unreadable: (bad: string) => void told.push(bad) };
      const subject = { storage, root: '/registry', close: () => storage.close() };
      gateway = await Gateway.start(subject, [resource], { observer });
    });
    afterEach(() => gateway.close());

    async function store(value: Buffer): Promise<Revision> {
      const [current] = (await storage.range({ start: key })).items;
      const result =
        current === undefined
          ? await storage.create(key, value)
          : await storage.replace(key, current.modRevision, value);
      return result.revision;
    }

    for (const [what, bytes] of [
      ['damaged Protobuf', PROTOBUF],
      ['garbage', GARBAGE],
    ] as const) {
      it(`${what}: a read of it is an error that names the key`, async () => {
        await store(bytes);
        const error = await refusedWith('StorageReadError', gateway.get(resource, 'bad'));
        assert.equal(error.code, 500);
        assert.ok(error.message.includes(key), error.message);
        await refusedWith('StorageReadError', gateway.remove(resource, 'bad'));
      });
    }

    it('a list that would lack it is an error that names the key; others go on', async () => {
      await gateway.create(resource, 'good');
      await gateway.create(resource, 'good', { namespace: 'other' });
      const past = await store(PROTOBUF);
      const error = await refusedWith('StorageReadError', gateway.list(resource));
      assert.ok(error.message.includes(key), error.message);
      await refusedWith('StorageReadError', gateway.list(resource, { namespace: 'default' }));
      await refusedWith('StorageReadError', gateway.watch(resource));
      assert.deepEqual(names(await gateway.list(resource, { namespace: 'other' })), ['other/good']);
      assert.equal((await gateway.get(resource, 'good')).name, 'good');
      await gateway.update(resource, 'good', { v: 1 });
      // And it heals by itself.
      const [item] = (await storage.range({ start: key })).items;
      await storage.delete(key, item!.modRevision);
      assert.deepEqual(names(await gateway.list(resource)), ['default/good', 'other/good']);
      await refusedWith('StorageReadError', gateway.list(resource, { at: { at: 'exact', revision: past } }));
    });

    it('pages of another namespace leave no state behind that lacks it', async () => {
      for (const name of ['a', 'b', 'c']) await gateway.create(resource, name, { namespace: 'other' });
      await store(PROTOBUF);
      const { revision, continueToken } = await gateway.list(resource, { namespace: 'other', limit: 1 });
      const rest = await gateway.list(resource, { namespace: 'other', continueToken: continueToken! });
      assert.deepEqual([rest.revision, names(rest)], [revision, ['other/b', 'other/c']]);
      await refusedWith('StorageReadError', gateway.list(resource, { at: { at: 'exact', revision } }));
    });

    it('watches go on: its changes are passed over, and it comes and goes as it was last readable', async () => {
      const { sink } = await gateway.watch(resource);
      await gateway.create(resource, 'bad', { v: 1 });
      await store(PROTOBUF);
      await store(GARBAGE);
      await gateway.create(resource, 'other');
      await sink.until(() => sink.events.length === 2);
      await store(
        Buffer.from(`{"kind":"${resource.kind}","apiVersion":"v1","metadata":{"name":"bad"},"v":2}`),
      );
      await sink.until(() => sink.events.length === 3);
      await store(PROTOBUF);
      if (resource === PODS) {
        const [item] = (await storage.range({ start: key })).items;
        await storage.delete(key, item!.modRevision);
        await sink.until(() => sink.events.length === 4);
        const gone = sink.batches.at(-1)!.events[0]!;
        assert.deepEqual([gone.type, gone.entry.object()['v']], ['DELETED', 2]);
        assert.deepEqual(told, [key, key, key]);
        assert.deepEqual(sink.kinds.slice(0, 3), ['ADDED bad', 'ADDED other', 'MODIFIED bad']);
      }
    });

    it('a store may be full of them', async () => {
      for (let i = 0; i < 20; i++)
        await storage.create(`/registry/${resource.resource}/default/bad${i}`, PROTOBUF);
      const error = await refusedWith('StorageReadError', gateway.list(resource));
      assert.match(error.message, /and 10 more$/);
      assert.equal(error.details?.causes?.length, 20);
      const late = await gateway.another([resource]);
      await refusedWith('StorageReadError', late.list(resource));
    });

    it('keys that are no objects of the resource are none', async () => {
      await storage.create(`/registry/${resource.resource}/default`, GARBAGE);
      await storage.create(`/registry/${resource.resource}/default/a/b`, GARBAGE);
      await storage.create(`/registry/${resource.resource}/default/`, GARBAGE);
      await storage.create(`/registry/${resource.resource}//a`, GARBAGE);
      await gateway.create(resource, 'a');
      assert.deepEqual(names(await gateway.list(resource)), ['default/a']);
    });
  });
}
