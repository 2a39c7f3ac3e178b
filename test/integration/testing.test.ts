import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { connect as openTcp } from 'node:net';
import { dirname } from 'node:path';
import { makeInformer, VersionApi, RbacAuthorizationV1Api, type V1ConfigMap } from '@kubernetes/client-node';
import type { KubeObject } from '../../src/client/kinds.ts';
import { startControlPlane, type TestControlPlane } from '../../src/testing/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { configMap, connect, create, listValues, namespace, read } from '../support/testing-client.ts';

const YEAR_2100 = Date.UTC(2100, 0, 1);

describe('a control plane for tests', function () {
  this.timeout(60_000);
  const running: TestControlPlane[] = [];
  afterEach(() => Promise.all(running.splice(0).map((plane) => plane.stop())));

  async function start(...options: Parameters<typeof startControlPlane>): Promise<TestControlPlane> {
    const plane = await startControlPlane(...options);
    running.push(plane);
    return plane;
  }

  async function fork(plane: TestControlPlane): Promise<TestControlPlane> {
    const other = await plane.fork();
    running.push(other);
    return other;
  }

  it('serves whoever has its kubeconfig', async () => {
    const plane = await start();
    const { config, core } = connect(plane);
    assert.equal(config.getCurrentCluster()?.server, plane.url);
    const { gitVersion } = await config.makeApiClient(VersionApi).getCode();
    assert.match(gitVersion, /^v1\.32/);
    await create(core, 'a', '1');
    assert.equal((await read(core, 'a')).data?.['value'], '1');
  });

  it('has a client, which goes on over everything that happens to its control plane', async () => {
    const plane = await start();
    const configMaps = plane.client.resource('v1', 'ConfigMap').namespace(namespace);
    const made = await configMaps.create({ metadata: { name: 'a' }, data: { value: '1' } });
    const snapshot = await plane.snapshot();
    await configMaps.modify('a', (object) => void (object.data = { value: '2' }));
    await plane.restore(snapshot);
    assert.deepEqual(await configMaps.get('a'), made);
    await plane.stop();
    await assert.rejects(configMaps.get('a'));
  });

  it('speaks in the names that it is told', async () => {
    const plane = await start({ naming: 'kubernetes' });
    const rbac = connect(plane).config.makeApiClient(RbacAuthorizationV1Api);
    const { metadata } = await rbac.readClusterRole({ name: 'cluster-admin' });
    assert.equal(metadata?.labels?.['kubernetes.io/bootstrapping'], 'rbac-defaults');
  });

  it('takes gates and flags of orchd, and tells what is wrong with them, before anything is started', async () => {
    await start({
      featureGates: { WatchList: true },
      flags: ['--disable-admission-plugins=NamespaceLifecycle'],
    });
    await assert.rejects(startControlPlane({ flags: ['--nonsense'], featureGates: { WatchLits: true } }), {
      name: 'TypeError',
      message: /unknown flag: --nonsense.*WatchLits/,
    });
    await assert.rejects(startControlPlane({ flags: ['--etcd-servers=http://127.0.0.1:1'] }), TypeError);
  });

  it('runs the controllers that it is told, and those of orchd by default', async () => {
    const group = 'rbac.authorization.orch.io';
    const [bare, whole, named] = await Promise.all([
      start({ controllers: [] }),
      start(),
      start({ controllers: ['clusterrole-aggregation-controller'] }),
    ]);
    const rolesOf = ({ client }: TestControlPlane) =>
      client.resource<KubeObject & { rules?: unknown[] }>(`${group}/v1`, 'ClusterRole');
    for (const plane of [whole, named]) {
      // Puts the rules of a role together of other roles'.
      for await (const { object } of rolesOf(plane).watch({ fieldSelector: 'metadata.name=edit' })) {
        if ((object.rules ?? []).length > 0) break;
      }
    }
    assert.equal((await rolesOf(bare).get('edit')).rules, null);
  });

  it('serves without the controllers of what it does not serve, and says so', async () => {
    const lines: string[] = [];
    const { core } = connect(
      await start({ flags: ['--runtime-config=v1/serviceaccounts=false'], log: (text) => lines.push(text) }),
    );
    await create(core, 'a', '1');
    assert.match(lines.join(''), /a controller does not run.*serviceaccount-controller/);
  });

  it('makes names, uids and times as it is told', async () => {
    let uids = 0;
    const plane = await start({
      random: () => 0,
      newUid: () => `uid-${++uids}`,
      clock: new ManualClock(YEAR_2100),
    });
    const { core } = connect(plane);
    const { metadata } = await core.createNamespacedConfigMap({
      namespace,
      body: { metadata: { generateName: 'made-' } },
    });
    assert.equal(metadata?.name, 'made-bbbbb');
    assert.equal(metadata?.uid, `uid-${uids}`);
    assert.equal(metadata?.creationTimestamp?.getTime(), YEAR_2100);
  });

  it('several do not know of each other', async () => {
    const [first, second] = await Promise.all([start(), start()]);
    await create(connect(first).core, 'a', 'first');
    await create(connect(second).core, 'a', 'second');
    assert.deepEqual(await listValues(connect(first).core), { a: 'first' });
    await assert.rejects(
      connect({ ...second, url: second.url, kubeconfig: mixed(first, second) }).core.listNode(),
    );
  });

  it('stops at once, whoever is connected, and leaves nothing', async () => {
    const plane = await start();
    const { config, core } = connect(plane);
    const informer = makeInformer<V1ConfigMap>(config, `/api/v1/namespaces/${namespace}/configmaps`, () =>
      core.listNamespacedConfigMap({ namespace }),
    );
    const failed = new Promise((resolve) => informer.on('error', resolve));
    await informer.start();
    assert.ok(existsSync(plane.kubeconfigFile));
    await plane.stop();
    await plane.stop();
    await Promise.all([failed, informer.stop()]);
    assert.equal(existsSync(dirname(plane.kubeconfigFile)), false);
    await assert.rejects(reach(plane.url));
    for (const refused of [plane.snapshot(), plane.fork()]) await assert.rejects(refused, /is stopped/);
  });

  describe('put back to a snapshot', () => {
    it('has the objects as they were, as often as wanted', async () => {
      const plane = await start();
      const { core } = connect(plane);
      const kept = [await create(core, 'a', '1'), await create(core, 'b', '1')];
      const snapshot = await plane.snapshot();
      for (let i = 0; i < 2; i++) {
        await core.deleteNamespacedConfigMap({ namespace, name: 'a' });
        await core.replaceNamespacedConfigMap({ namespace, name: 'b', body: configMap('b', '2') });
        await create(core, 'c', '2');
        await plane.restore(snapshot);
        assert.deepEqual([await read(core, 'a'), await read(core, 'b')], kept);
        assert.deepEqual(await listValues(core), { a: '1', b: '1' });
      }
    });

    it('never uses a version twice', async () => {
      const plane = await start();
      const { core } = connect(plane);
      const snapshot = await plane.snapshot();
      const lost = await create(core, 'a', 'lost');
      await plane.restore(snapshot);
      const made = await create(core, 'a', 'made');
      assert.ok(Number(made.metadata?.resourceVersion) > Number(lost.metadata?.resourceVersion));
      const listed = core.listNamespacedConfigMap({
        namespace,
        resourceVersion: lost.metadata?.resourceVersion ?? '',
        resourceVersionMatch: 'Exact',
      });
      await assert.rejects(listed, { code: 410 });
    });

    it('brings informers with it', async () => {
      const plane = await start();
      const { config, core } = connect(plane);
      await create(core, 'kept', '1');
      const snapshot = await plane.snapshot();
      const informer = makeInformer<V1ConfigMap>(config, `/api/v1/namespaces/${namespace}/configmaps`, () =>
        core.listNamespacedConfigMap({ namespace }),
      );
      const known = (): (string | undefined)[] =>
        informer
          .list()
          .filter(({ data }) => data?.['value'] !== undefined)
          .map(({ metadata }) => metadata?.name)
          .sort();
      const sees = (name: string, event: 'add' | 'delete') =>
        new Promise<void>((resolve) =>
          informer.on(event, ({ metadata }) => {
            if (metadata?.name === name) resolve();
          }),
        );
      const lost = sees('lost', 'add');
      await informer.start();
      await create(core, 'lost', '1');
      await lost;
      const gone = sees('lost', 'delete');
      const late = sees('late', 'add');
      await plane.restore(snapshot);
      await create(core, 'late', '1');
      await Promise.all([gone, late]);
      assert.deepEqual(known(), ['kept', 'late']);
      await informer.stop();
    });

    it('answers late whoever asks while it is put back', async () => {
      const plane = await start();
      const { core } = connect(plane);
      await create(core, 'a', '1');
      const snapshot = await plane.snapshot();
      await core.deleteNamespacedConfigMap({ namespace, name: 'a' });
      const restoring = plane.restore(snapshot);
      const asked = Array.from({ length: 20 }, () => read(core, 'a'));
      await restoring;
      for (const answer of await Promise.all(asked)) assert.equal(answer.data?.['value'], '1');
    });

    it('takes snapshots of its own only', async () => {
      const plane = await start();
      const other = await fork(plane);
      await assert.rejects(plane.restore(await other.snapshot()), TypeError);
    });
  });

  describe('forked', () => {
    it('has the same objects, and goes its own way', async () => {
      const plane = await start();
      const { core } = connect(plane);
      const kept = await create(core, 'a', '1');
      const other = connect(await fork(plane)).core;
      assert.deepEqual(await read(other, 'a'), kept);
      await create(core, 'b', 'original');
      await create(other, 'b', 'fork');
      assert.deepEqual(await listValues(core), { a: '1', b: 'original' });
      assert.deepEqual(await listValues(other), { a: '1', b: 'fork' });
      await plane.stop();
      assert.deepEqual(await listValues(other), { a: '1', b: 'fork' });
    });

    it('has controllers that see to what is written to it', async () => {
      const other = await fork(await start());
      await other.client.resource('v1', 'Namespace').create({ metadata: { name: 'made' } });
      const accounts = other.client.resource('v1', 'ServiceAccount').namespace('made');
      for await (const { object } of accounts.watch()) if (object.metadata.name === 'default') break;
    });

    it('counts versions on from those of the first', async () => {
      const plane = await start();
      const { core } = connect(plane);
      await create(core, 'a', '1');
      const { metadata } = await core.listNamespacedConfigMap({ namespace });
      const other = connect(await fork(plane)).core;
      const made = await create(other, 'b', '1');
      const further = Number(made.metadata?.resourceVersion) - Number(metadata?.resourceVersion);
      // The control plane itself may have written, too.
      assert.ok(further > 0 && further < 100, `${further} further`);
    });

    it('can be put back and forked again', async () => {
      const plane = await start({ naming: 'kubernetes' });
      await create(connect(plane).core, 'a', '1');
      const child = await fork(plane);
      const snapshot = await child.snapshot();
      await create(connect(child).core, 'b', '1');
      const grandchild = await fork(child);
      await child.restore(snapshot);
      assert.deepEqual(await listValues(connect(child).core), { a: '1' });
      assert.deepEqual(await listValues(connect(grandchild).core), { a: '1', b: '1' });
    });
  });
});

/** The credentials of one control plane with the address of another. */
function mixed(credentials: TestControlPlane, address: TestControlPlane): string {
  return credentials.kubeconfig.replace(credentials.url, address.url);
}

/** Opens a connection. @throws when nobody listens. */
function reach(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = openTcp(Number(port), hostname, () => {
      socket.destroy();
      resolve();
    });
    socket.on('error', reject);
  });
}
