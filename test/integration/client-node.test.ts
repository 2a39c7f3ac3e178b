import assert from 'node:assert/strict';
import {
  CoreV1Api,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type KubernetesObject,
  type V1ConfigMap,
} from '@kubernetes/client-node';
import { OBTAIN_TIMEOUT_MS, startEtcd, type TestEtcd } from '../support/etcd.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';

/** The official JavaScript client, unmodified, with the kubeconfig that the server wrote. */
for (const store of ['embedded', 'etcd'] as const) {
  describe(`@kubernetes/client-node, on the ${store} store`, function () {
    this.timeout(60_000);
    testClient(store);
  });
}

function testClient(store: 'embedded' | 'etcd'): void {
  let etcd: TestEtcd | undefined;
  let server: ServerProcess;
  let config: KubeConfig;
  let core: CoreV1Api;

  before(async function () {
    this.timeout(OBTAIN_TIMEOUT_MS);
    etcd = store === 'etcd' ? await startEtcd() : undefined;
    const args = etcd === undefined ? [] : [`--etcd-servers=${etcd.endpoint}`];
    server = await startProcess({ args: ['--naming=kubernetes', ...args] });
    config = new KubeConfig();
    config.loadFromFile(server.kubeconfig);
    core = config.makeApiClient(CoreV1Api);
  });
  after(async () => {
    assert.equal(await server.stop(), 0, 'the exit code after SIGTERM');
    await etcd?.stop();
  });

  const namespace = 'default';
  const configMap = (name: string, data: Record<string, string> = {}): V1ConfigMap => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { suite: 'client-node' } },
    data,
  });

  it('creates, reads, replaces and deletes', async () => {
    const made = await core.createNamespacedConfigMap({ namespace, body: configMap('crud', { k: '1' }) });
    assert.equal(made.data?.['k'], '1');
    assert.ok(made.metadata?.uid);
    made.data = { k: '2' };
    const replaced = await core.replaceNamespacedConfigMap({ namespace, name: 'crud', body: made });
    assert.notEqual(replaced.metadata?.resourceVersion, made.metadata.resourceVersion);
    await assert.rejects(core.replaceNamespacedConfigMap({ namespace, name: 'crud', body: made }), {
      code: 409,
    });
    assert.equal((await core.readNamespacedConfigMap({ namespace, name: 'crud' })).data?.['k'], '2');
    const status = await core.deleteNamespacedConfigMap({ namespace, name: 'crud' });
    assert.equal(status.status, 'Success');
    await assert.rejects(core.readNamespacedConfigMap({ namespace, name: 'crud' }), { code: 404 });
  });

  it('patches in three ways', async () => {
    await core.createNamespacedConfigMap({ namespace, body: configMap('patched', { k: '1' }) });
    const patch = async (strategy: PatchStrategy, body: object): Promise<V1ConfigMap> =>
      core.patchNamespacedConfigMap(
        { namespace, name: 'patched', body },
        setHeaderOptions('Content-Type', strategy),
      );
    const json = await patch(PatchStrategy.JsonPatch, [{ op: 'add', path: '/data/json', value: 'yes' }]);
    assert.deepEqual(json.data, { k: '1', json: 'yes' });
    const merge = await patch(PatchStrategy.MergePatch, { data: { json: null, merge: 'yes' } });
    assert.deepEqual(merge.data, { k: '1', merge: 'yes' });
    const strategic = await patch(PatchStrategy.StrategicMergePatch, {
      metadata: { finalizers: ['example.com/a'] },
    });
    assert.deepEqual(strategic.metadata?.finalizers, ['example.com/a']);
  });

  it('lists by label and in pages', async () => {
    for (const name of ['page-a', 'page-b', 'page-c']) {
      await core.createNamespacedConfigMap({
        namespace,
        body: { ...configMap(name), metadata: { name, labels: { page: 'x' } } },
      });
    }
    const request = { namespace, labelSelector: 'page=x' };
    assert.equal((await core.listNamespacedConfigMap(request)).items.length, 3);
    const first = await core.listNamespacedConfigMap({ ...request, limit: 2 });
    assert.deepEqual(
      first.items.map((i) => i.metadata?.name),
      ['page-a', 'page-b'],
    );
    const token = first.metadata?._continue;
    assert.ok(token);
    const rest = await core.listNamespacedConfigMap({ ...request, limit: 2, _continue: token });
    assert.deepEqual(
      rest.items.map((i) => i.metadata?.name),
      ['page-c'],
    );
    assert.equal(rest.metadata?.resourceVersion, first.metadata?.resourceVersion);
  });

  it('keeps an informer up to date', async () => {
    const labelSelector = 'informer=yes';
    const informer = makeInformer<V1ConfigMap>(
      config,
      `/api/v1/namespaces/${namespace}/configmaps`,
      () => core.listNamespacedConfigMap({ namespace, labelSelector }),
      labelSelector,
    );
    const next = (verb: 'add' | 'update' | 'delete'): Promise<V1ConfigMap> =>
      new Promise((resolve) => {
        const seen = (object: V1ConfigMap): void => {
          informer.off(verb, seen);
          resolve(object);
        };
        informer.on(verb, seen);
      });
    const connected = new Promise<void>((resolve) => informer.on('connect', () => resolve()));
    await informer.start();
    await connected;
    const body = { ...configMap('watched'), metadata: { name: 'watched', labels: { informer: 'yes' } } };
    const added = next('add');
    await core.createNamespacedConfigMap({ namespace, body });
    assert.equal((await added).metadata?.name, 'watched');
    const updated = next('update');
    await core.replaceNamespacedConfigMap({
      namespace,
      name: 'watched',
      body: { ...body, data: { k: 'v' } },
    });
    assert.equal((await updated).data?.['k'], 'v');
    const deleted = next('delete');
    await core.deleteNamespacedConfigMap({ namespace, name: 'watched' });
    assert.equal((await deleted).metadata?.name, 'watched');
    await informer.stop();
  });

  it('works on any kind through discovery', async () => {
    const objects = KubernetesObjectApi.makeApiClient(config);
    const spec = {
      selector: { matchLabels: { app: 'a' } },
      template: {
        metadata: { labels: { app: 'a' } },
        spec: { containers: [{ name: 'c', image: 'busybox' }] },
      },
    };
    const header = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'any', namespace } };
    const deployment: KubernetesObject & { spec: object } = { ...header, spec };
    const made = await objects.create(deployment);
    assert.equal(made.metadata?.name, 'any');
    await objects.delete(header);
  });
}
