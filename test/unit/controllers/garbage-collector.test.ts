import assert from 'node:assert/strict';
import type { RunningController } from '../../../src/controllers/controller.ts';
import { garbageCollector } from '../../../src/controllers/garbage-collector/controller.ts';
import type { ApiObject, JsonObject } from '../../../src/meta/object.ts';
import { Cluster } from '../verbs/cluster.ts';
import { controllerParts } from './controller-parts.ts';

const MERGE = 'application/merge-patch+json';

interface OwnerOptions {
  readonly blocks?: boolean;
  readonly kind?: string;
  readonly apiVersion?: string;
}

describe('garbage-collector-controller', () => {
  let cluster: Cluster;
  let running: RunningController | undefined;
  let failures: string[];

  const start = (): void => {
    const parts = controllerParts(cluster, garbageCollector.name, ({ severity, fields }) => {
      if (severity === 'error') failures.push(String(fields['err']));
    });
    running = garbageCollector.start(parts);
  };
  const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  /** Lets everything run that has been set off. */
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 300; i++) {
      await turn();
      if (i % 30 === 0) cluster.clock.advance(1000);
    }
  };
  const pathOf = (name: string, namespace = 'default'): string =>
    name === ''
      ? `/api/v1/namespaces/${namespace}/configmaps`
      : `/api/v1/namespaces/${namespace}/configmaps/${name}`;
  const create = async (
    name: string,
    owners: readonly JsonObject[] = [],
    { finalizers, namespace }: { finalizers?: string[]; namespace?: string } = {},
  ): Promise<ApiObject> => {
    const metadata = { name, ownerReferences: [...owners], ...(finalizers && { finalizers }) };
    const { object } = await cluster.expect(201, `POST ${pathOf('', namespace)}`, { body: { metadata } });
    return object;
  };
  const ref = ({ metadata, ...own }: ApiObject, options: OwnerOptions = {}): JsonObject => ({
    apiVersion: options.apiVersion ?? own.apiVersion,
    kind: options.kind ?? own.kind,
    name: metadata.name,
    uid: metadata.uid,
    ...(options.blocks === undefined ? {} : { blockOwnerDeletion: options.blocks }),
  });
  const phantom = (name = 'phantom', kind = 'ConfigMap', apiVersion = 'v1'): JsonObject => ({
    ...{ apiVersion, kind, name },
    uid: `11111111-0000-4000-8000-${String(name.length).padStart(12, '0')}`,
  });
  const remove = (name: string, propagationPolicy?: string) =>
    cluster.expect(200, `DELETE ${pathOf(name)}`, {
      body: { kind: 'DeleteOptions', apiVersion: 'v1', ...(propagationPolicy && { propagationPolicy }) },
    });
  const names = async (): Promise<string[]> => {
    const { items } = await cluster.expect(200, `GET ${pathOf('')}`);
    return items.map(({ metadata }) => metadata.name ?? '');
  };
  const becomes = async (...expected: string[]): Promise<void> => {
    for (let i = 0; i < 2000; i++) {
      if ((await names()).join() === expected.join()) return;
      await turn();
    }
    assert.deepEqual(await names(), expected);
  };
  const read = async (name: string): Promise<ApiObject> =>
    (await cluster.expect(200, `GET ${pathOf(name)}`)).object;

  beforeEach(async () => {
    cluster = await Cluster.open();
    failures = [];
  });
  afterEach(() => {
    running?.close();
    cluster.close();
    assert.deepEqual(failures, []);
  });

  for (const order of ['before', 'after'] as const) {
    it(`deletes dependents of what was deleted ${order} it began, and theirs`, async () => {
      if (order === 'after') start();
      const owner = await create('a');
      const child = await create('b', [ref(owner)]);
      await create('c', [ref(child)]);
      await create('d');
      await remove('a');
      if (order === 'before') start();
      await becomes('d');
    });
  }

  it('leaves what has owners, and what is owned by kinds that are not served', async () => {
    const owner = await create('a');
    await create('b', [ref(owner)]);
    await create('c', [phantom('x', 'Widget', 'example.com/v1')]);
    start();
    await create('d', [ref(owner)]);
    await create('e', [phantom('x', 'Deployment', 'extensions/v1beta1'), phantom()]);
    await settle();
    assert.deepEqual(await names(), ['a', 'b', 'c', 'd', 'e']);
  });

  it('takes owners that are gone from what others own', async () => {
    start();
    const one = await create('a');
    const two = await create('b');
    await create('c', [ref(one), ref(two), phantom()]);
    await remove('a');
    await becomes('b', 'c');
    await settle();
    const { metadata } = await read('c');
    assert.deepEqual(
      metadata.ownerReferences?.map(({ name }) => name),
      ['b'],
    );
    await remove('b');
    await becomes();
  });

  const wrong: [string, (owner: ApiObject) => JsonObject][] = [
    ['uid', (owner) => ({ ...ref(owner), uid: phantom()['uid'] })],
    ['name', (owner) => ({ ...ref(owner), name: 'other' })],
    ['kind', (owner) => ({ ...ref(owner), kind: 'Secret' })],
    ['group', (owner) => ({ ...ref(owner), apiVersion: 'apps/v1', kind: 'Deployment' })],
  ];
  for (const [what, reference] of wrong) {
    it(`takes an owner for absent whose ${what} is wrong`, async () => {
      start();
      const owner = await create('a');
      await create('b', [reference(owner)]);
      await becomes('a');
    });
  }

  it('deletes what names an owner in another namespace, and says why', async () => {
    start();
    await cluster.expect(201, 'POST /api/v1/namespaces', { body: { metadata: { name: 'other' } } });
    const owner = await create('a', [], { namespace: 'other' });
    await create('b', [ref(owner)]);
    await becomes();
    const { items } = await cluster.expect(200, 'GET /api/v1/namespaces/default/events');
    assert.deepEqual(
      items.map(({ reason, type, involvedObject: object }) => [reason, type, (object as JsonObject)['name']]),
      [['OwnerRefInvalidNamespace', 'Warning', 'b']],
    );
    await cluster.expect(200, `GET ${pathOf('a', 'other')}`);
  });

  it('deletes dependents in namespaces with an owner that is in none', async () => {
    start();
    const node = await cluster.expect(201, 'POST /api/v1/nodes', { body: { metadata: { name: 'n' } } });
    await create('a', [ref(node.object)]);
    await cluster.expect(200, 'DELETE /api/v1/nodes/n');
    await becomes();
  });

  it('leaves what is in no namespace and names an owner in one, and says why', async () => {
    start();
    const owner = await create('a');
    const body = { metadata: { name: 'n', ownerReferences: [ref(owner), phantom()] } };
    await cluster.expect(201, 'POST /api/v1/nodes', { body });
    await settle();
    const { items } = await cluster.expect(200, 'GET /api/v1/namespaces/default/events');
    assert.deepEqual(
      items.map(({ reason, involvedObject: object }) => [reason, (object as JsonObject)['kind']]),
      [['OwnerRefInvalidNamespace', 'Node']],
    );
    await remove('a');
    await settle();
    await cluster.expect(200, 'GET /api/v1/nodes/n');
  });

  it('orphans', async () => {
    start();
    const owner = await create('a');
    const other = await create('o');
    await create('b', [ref(owner)]);
    await create('c', [ref(owner), ref(other)]);
    await remove('a', 'Orphan');
    await becomes('b', 'c', 'o');
    assert.equal((await read('b')).metadata.ownerReferences, undefined);
    assert.equal((await read('c')).metadata.ownerReferences?.length, 1);
    await settle();
    assert.deepEqual(await names(), ['b', 'c', 'o']);
  });

  it('deletes dependents in the foreground first, and waits for those that block', async () => {
    start();
    const owner = await create('a');
    await create('b', [ref(owner, { blocks: true })], { finalizers: ['example.com/f'] });
    await create('c', [ref(owner, { blocks: false })], { finalizers: ['example.com/f'] });
    await create('d', [ref(owner, { blocks: true })]);
    await remove('a', 'Foreground');
    await becomes('a', 'b', 'c');
    await settle();
    assert.notEqual((await read('b')).metadata.deletionTimestamp, undefined);
    assert.notEqual((await read('c')).metadata.deletionTimestamp, undefined);
    const line = `PATCH ${pathOf('b')}`;
    await cluster.expect(200, line, { contentType: MERGE, body: { metadata: { finalizers: null } } });
    await becomes('c');
  });

  it('does not wait for what stops to block', async () => {
    start();
    const owner = await create('a');
    await create('b', [ref(owner, { blocks: true })], { finalizers: ['example.com/f'] });
    await remove('a', 'Foreground');
    await settle();
    const ownerReferences = [ref(owner, { blocks: false })];
    const line = `PATCH ${pathOf('b')}`;
    await cluster.expect(200, line, { contentType: MERGE, body: { metadata: { ownerReferences } } });
    await becomes('b');
  });

  it('deletes in the foreground down to the leaves', async () => {
    start();
    const owner = await create('a');
    const child = await create('b', [ref(owner, { blocks: true })]);
    await create('c', [ref(child, { blocks: true })], { finalizers: ['example.com/f'] });
    await remove('a', 'Foreground');
    await settle();
    assert.deepEqual(await names(), ['a', 'b', 'c']);
    const line = `PATCH ${pathOf('c')}`;
    await cluster.expect(200, line, { contentType: MERGE, body: { metadata: { finalizers: null } } });
    await becomes();
  });

  it('keeps what has another owner when one is deleted in the foreground', async () => {
    start();
    const owner = await create('a');
    const other = await create('o');
    await create('b', [ref(owner, { blocks: true }), ref(other)]);
    await remove('a', 'Foreground');
    await becomes('b', 'o');
    assert.equal((await read('b')).metadata.ownerReferences?.length, 1);
  });

  it('deletes circles, in the foreground and otherwise', async () => {
    start();
    for (const policy of ['Background', 'Foreground']) {
      const a = await create('a');
      const b = await create('b', [ref(a, { blocks: true })]);
      const c = await create('c', [ref(b, { blocks: true })]);
      const ownerReferences = [ref(c, { blocks: true })];
      await cluster.expect(200, `PATCH ${pathOf('a')}`, {
        contentType: MERGE,
        body: { metadata: { ownerReferences } },
      });
      await remove('a', policy);
      await becomes();
    }
  });

  it('honours the finalizer of a dependent that keeps its own dependents', async () => {
    start();
    const owner = await create('a');
    const child = await create('b', [ref(owner)], { finalizers: ['orphan'] });
    await create('c', [ref(child)]);
    await remove('a');
    await becomes('c');
    await settle();
    assert.deepEqual(await names(), ['c']);
  });

  it('goes on where another server stopped', async () => {
    start();
    const owner = await create('a');
    await create('b', [ref(owner, { blocks: true })], { finalizers: ['example.com/f'] });
    await remove('a', 'Foreground');
    await settle();
    running?.close();
    const line = `PATCH ${pathOf('b')}`;
    await cluster.expect(200, line, { contentType: MERGE, body: { metadata: { finalizers: null } } });
    start();
    await becomes();
  });

  it('knows of owners that went while its watch was broken', async () => {
    start();
    const owner = await create('a');
    await create('b', [ref(owner)]);
    await settle();
    cluster.storage.loseWatches();
    await remove('a');
    cluster.clock.advance(5000);
    await becomes();
  });
});
