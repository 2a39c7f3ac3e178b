import assert from 'node:assert/strict';
import { ApiError } from '../../src/errors/api-error.ts';
import { notFoundError } from '../../src/errors/status-errors.ts';
import { EVENTS, NODES, PODS, thing } from '../support/object-store.ts';
import { names, refusedWith, type Declare } from './object-store-support.ts';

export function declareWrites(it: Declare): void {
  it('an object is stored where and as the Go API server would store it', async (g) => {
    const object = thing(PODS, 'a', { labels: { x: '1' } });
    const entry = await g.store.create({ resource: PODS, object });
    const { uid } = object.metadata;
    const stored = `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","labels":{"x":"1"},"namespace":"default","uid":"${uid}"}}\n`;
    assert.equal(await g.stored('/pods/default/a'), stored);
    assert.equal(
      entry.bytes().bytes.toString(),
      stored.trimEnd().replace('"metadata":{', `"metadata":{"resourceVersion":"${entry.revision}",`),
    );
    await g.create(NODES, 'n');
    assert.match((await g.stored('/minions/n'))!, /^{"kind":"Node"/);
  });

  it('what comes back from a create is what was stored, with its revision', async (g) => {
    const entry = await g.create(PODS, 'a', { labels: { x: '1' }, spec: { nodeName: 'n1' } });
    assert.deepEqual(
      [
        entry.namespace,
        entry.name,
        { ...entry.labels },
        entry.field('spec.nodeName'),
        entry.field('metadata.name'),
      ],
      ['default', 'a', { x: '1' }, 'n1', 'a'],
    );
    assert.equal(entry.createRevision, entry.revision);
    assert.equal(entry.object().metadata.resourceVersion, String(entry.revision));
    assert.equal(entry.uid, entry.object().metadata.uid);
    const { bytes, itemStart } = entry.bytes();
    assert.match(bytes.subarray(itemStart).toString(), /^"metadata":{"resourceVersion":"\d+","name":"a"/);
  });

  it('a name is taken once', async (g) => {
    await g.create(PODS, 'a');
    const error = await refusedWith('AlreadyExists', g.create(PODS, 'a'));
    assert.deepEqual([error.code, error.details], [409, { name: 'a', kind: 'pods' }]);
    await g.create(PODS, 'a', { namespace: 'other' });
  });

  it('of many creates of one name one succeeds', async (g) => {
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => g.create(PODS, 'a')));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  it('a read after an acknowledged write sees it', async (g) => {
    for (let i = 0; i < 20; i++) {
      const { revision } = await g.create(PODS, `p${i}`);
      const [got, page] = await Promise.all([g.get(PODS, `p${i}`), g.list(PODS)]);
      assert.equal(got.revision, revision);
      assert.ok(page.revision >= revision && page.entries.some(({ name }) => name === `p${i}`));
    }
  });

  it("a read at another gateway sees this one's acknowledged writes", async (g) => {
    const other = await g.another([PODS]);
    for (let i = 0; i < 10; i++) {
      const { revision } = await g.create(PODS, `p${i}`);
      assert.equal((await other.get(PODS, `p${i}`)).revision, revision);
    }
  });

  it('an update replaces, and says so', async (g) => {
    const created = await g.create(PODS, 'a');
    const { action, entry } = await g.update(PODS, 'a', { spec: { x: 1 } });
    assert.equal(action, 'updated');
    assert.ok(entry!.revision > created.revision);
    assert.equal(entry!.createRevision, created.createRevision);
    assert.equal((await g.get(PODS, 'a')).revision, entry!.revision);
  });

  it('an update that changes nothing writes nothing', async (g) => {
    const created = await g.create(PODS, 'a', { spec: { x: 1 } });
    const { action, entry } = await g.update(PODS, 'a', { spec: { x: 1 } });
    assert.deepEqual([action, entry!.revision], ['unchanged', created.revision]);
    assert.equal(await g.store.currentRevision(), created.revision);
  });

  it('what another writer stored in another form is stored anew by an update that changes nothing', async (g) => {
    const start = `${g.subject.root}/pods/default/a`;
    const foreign = Buffer.from(
      '{"apiVersion":"v1","kind":"Pod","spec":{},"metadata":{"namespace":"default","name":"a"}}',
    );
    await g.storage.create(start, foreign);
    assert.equal((await g.update(PODS, 'a')).action, 'updated');
    assert.match(
      (await g.stored('/pods/default/a'))!,
      /^{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"/,
    );
    assert.equal((await g.update(PODS, 'a')).action, 'unchanged');
  });

  it('concurrent updates are all applied, each to the other', async (g) => {
    const other = await g.another([PODS]);
    await g.create(PODS, 'a', { count: 0 });
    const increment = (gateway: typeof g) =>
      gateway.store.write({
        resource: PODS,
        namespace: 'default',
        name: 'a',
        attempt(current) {
          const object = gateway.store.decode(current!, PODS);
          object['count'] = (object['count'] as number) + 1;
          return Promise.resolve({ action: 'put', object });
        },
      });
    await Promise.all(Array.from({ length: 20 }, (_, i) => increment(i % 2 === 0 ? g : other)));
    assert.equal((await g.get(PODS, 'a')).object()['count'], 20);
  });

  it('a write of an object that is not there may create it', async (g) => {
    const outcome = await g.store.write({
      resource: PODS,
      namespace: 'default',
      name: 'a',
      attempt(current) {
        assert.equal(current, undefined);
        return Promise.resolve({ action: 'put', object: thing(PODS, 'a') });
      },
    });
    assert.deepEqual([outcome.action, outcome.entry?.name], ['created', 'a']);
  });

  it('a refusal passes to the caller, and nothing is written', async (g) => {
    const { revision } = await g.create(PODS, 'a');
    const refusal = new ApiError('Conflict', 'no');
    const write = g.store.write({
      resource: PODS,
      namespace: 'default',
      name: 'a',
      attempt: () => Promise.reject(refusal),
    });
    await assert.rejects(write, (error) => error === refusal);
    assert.equal(await g.store.currentRevision(), revision);
    const missing = notFoundError(PODS, 'b');
    await assert.rejects(
      g.store.write({
        resource: PODS,
        namespace: 'default',
        name: 'b',
        attempt: () => Promise.reject(missing),
      }),
      (error) => error === missing,
    );
  });

  it('a write that leaves things as they are says so', async (g) => {
    const created = await g.create(PODS, 'a');
    const attempt = () => Promise.resolve({ action: 'keep' } as const);
    const outcome = await g.store.write({ resource: PODS, namespace: 'default', name: 'a', attempt });
    assert.deepEqual([outcome.action, outcome.entry?.revision], ['unchanged', created.revision]);
    const nothing = await g.store.write({ resource: PODS, namespace: 'default', name: 'b', attempt });
    assert.deepEqual(nothing, { action: 'unchanged', entry: undefined });
  });

  it('a deleted object is gone, and comes back at the revision of its deletion', async (g) => {
    const created = await g.create(PODS, 'a', { spec: { nodeName: 'n1' } });
    const { action, entry } = await g.remove(PODS, 'a');
    assert.equal(action, 'deleted');
    assert.ok(entry!.revision > created.revision);
    assert.deepEqual(
      [entry!.name, entry!.uid, entry!.field('spec.nodeName'), entry!.object().metadata.resourceVersion],
      ['a', created.uid, 'n1', String(entry!.revision)],
    );
    assert.match(entry!.bytes().bytes.toString(), new RegExp(`"resourceVersion":"${entry!.revision}"`));
    await refusedWith('NotFound', g.get(PODS, 'a'));
    assert.equal(await g.stored('/pods/default/a'), undefined);
    await g.create(PODS, 'a');
  });

  it('an object with a lifetime is stored under a lease that others share', async (g) => {
    await g.create(EVENTS, 'a', { ttl: 3600 });
    await g.create(EVENTS, 'b', { ttl: 3600 });
    await g.create(EVENTS, 'c', { ttl: 7200 });
    await g.create(EVENTS, 'd');
    const leases = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (name) => {
        const { items } = await g.storage.range({ start: `${g.subject.root}/events/default/${name}` });
        return items[0]!.lease;
      }),
    );
    assert.ok(leases[0] !== undefined && leases[0] === leases[1]);
    assert.ok(leases[2] !== undefined && leases[2] !== leases[0]);
    assert.equal(leases[3], undefined);
  });

  it('names and namespaces can not leave their place', async (g) => {
    await g.create(PODS, 'a', { namespace: 'other' });
    for (const name of ['', '.', '..', 'a/b', '../other/a', 'a%2fb', 'a\0b', 'x'.repeat(5000), '\ud800']) {
      await refusedWith('BadRequest', g.get(PODS, name));
      await refusedWith('BadRequest', g.create(PODS, name));
      await refusedWith('BadRequest', g.remove(PODS, name));
    }
    for (const namespace of ['.', '..', 'a/b', 'default/..', '%2e%2e']) {
      await refusedWith('BadRequest', g.get(PODS, 'a', { namespace }));
      await refusedWith('BadRequest', g.list(PODS, { namespace }));
    }
    await refusedWith('BadRequest', g.get(PODS, 'a', { namespace: '' }));
    assert.deepEqual(names(await g.list(PODS)), ['other/a']);
  });

  for (const resource of [PODS, EVENTS]) {
    it(`what can not be read of ${resource.resource} is removed unread, and nothing else`, async (g) => {
      const key = `${g.subject.root}/${resource.resource}/default/bad`;
      const bad = { resource, namespace: 'default', name: 'bad' };
      await g.create(resource, 'good');
      await g.storage.create(key, Buffer.from('{"kind":'));
      await refusedWith('StorageReadError', g.list(resource));
      assert.equal(await g.store.removeUnread({ ...bad, name: 'good' }), false);
      assert.equal(await g.store.removeUnread(bad), true);
      assert.equal(await g.store.removeUnread(bad), true, 'it is gone');
      assert.deepEqual(names(await g.list(resource)), ['default/good']);
      await g.create(resource, 'bad');
      assert.equal(await g.store.removeUnread(bad), false, 'another one of that name');
    });
  }
}
