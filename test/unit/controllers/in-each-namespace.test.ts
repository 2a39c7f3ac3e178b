import assert from 'node:assert/strict';
import { rowOf, type Controller, type RunningController } from '../../../src/controllers/controller.ts';
import { keepInEachNamespace } from '../../../src/controllers/in-each-namespace.ts';
import { rootCaPublisher } from '../../../src/controllers/root-ca-certificate-publisher/controller.ts';
import { serviceAccountController } from '../../../src/controllers/serviceaccount/controller.ts';
import type { ApiObject } from '../../../src/meta/object.ts';
import { Cluster } from '../verbs/cluster.ts';
import { controllerParts } from './controller-parts.ts';

const PEM = '-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n';
const MERGE = 'application/merge-patch+json';

let cluster: Cluster;
let running: RunningController | undefined;
let failures: string[];

function run(controller: Controller): void {
  const parts = controllerParts(cluster, controller.name, ({ fields }) =>
    failures.push(String(fields['err'])),
  );
  running = controller.start(parts);
}

async function turns(count = 50): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function becomes(path: string, isRight: (object: ApiObject) => boolean): Promise<ApiObject> {
  for (;;) {
    const { status, object } = await cluster.ask(`GET ${path}`);
    if (status === 200 && isRight(object)) return object;
    await turns(1);
  }
}

const makeNamespace = (name: string) =>
  cluster.expect(201, 'POST /api/v1/namespaces', { body: { metadata: { name } } });
const there = (): boolean => true;

describe('controllers of every namespace', () => {
  beforeEach(async () => {
    cluster = await Cluster.open();
    failures = [];
  });
  afterEach(() => {
    running?.close();
    running = undefined;
    cluster.close();
  });

  it('may keep objects of any group', async () => {
    run({
      name: 'keeper',
      start: (parts) =>
        keepInEachNamespace(parts, {
          resource: rowOf(parts.schemas, ['coordination.k8s.io', 'v1', 'leases']),
          name: 'kept',
          make: () => ({}),
        }),
    });
    await running?.settled;
    await cluster.expect(200, 'GET /apis/coordination.k8s.io/v1/namespaces/default/leases/kept');
    assert.deepEqual(failures, []);
  });

  describe('serviceaccount-controller', () => {
    const account = (namespace: string): string => `/api/v1/namespaces/${namespace}/serviceaccounts/default`;

    it('makes the default account of every namespace, whether it was there before or comes later', async () => {
      run(serviceAccountController);
      await makeNamespace('later');
      for (const namespace of ['default', 'later']) {
        const { metadata } = await becomes(account(namespace), there);
        assert.deepEqual(Object.keys(metadata).sort(), [
          'creationTimestamp',
          'name',
          'namespace',
          'resourceVersion',
          'uid',
        ]);
      }
    });

    it('makes it anew when it was deleted, and leaves other accounts alone', async () => {
      run(serviceAccountController);
      const { metadata } = await becomes(account('default'), there);
      await cluster.expect(201, 'POST /api/v1/namespaces/default/serviceaccounts', {
        body: { metadata: { name: 'mine' } },
      });
      await cluster.expect(200, 'DELETE /api/v1/namespaces/default/serviceaccounts/mine');
      await cluster.expect(200, `DELETE ${account('default')}`);
      await becomes(account('default'), ({ metadata: { uid } }) => uid !== metadata.uid);
      const { items } = await cluster.expect(200, 'GET /api/v1/namespaces/default/serviceaccounts');
      assert.deepEqual(
        items.map(({ metadata: { name } }) => name),
        ['default'],
      );
    });

    it('makes none in a namespace that is going away', async () => {
      await makeNamespace('ends');
      await cluster.expect(200, 'DELETE /api/v1/namespaces/ends');
      run(serviceAccountController);
      await becomes(account('default'), there);
      await turns();
      await cluster.expect(404, `GET ${account('ends')}`);
      assert.deepEqual(failures, []);
    });

    it('writes nothing where there is nothing to do', async () => {
      run(serviceAccountController);
      await becomes(account('default'), there);
      running?.close();
      const revision = await cluster.store.currentRevision();
      run(serviceAccountController);
      await turns();
      assert.equal(await cluster.store.currentRevision(), revision);
    });
  });

  describe('root-ca-certificate-publisher-controller', () => {
    const path = '/api/v1/namespaces/default/configmaps/kube-root-ca.crt';
    const isRight = ({ data }: ApiObject): boolean =>
      JSON.stringify(data) === JSON.stringify({ 'ca.crt': PEM });

    it('publishes the authority in every namespace, and says what it is for', async () => {
      run(rootCaPublisher(PEM));
      await makeNamespace('later');
      const { metadata } = await becomes(path, isRight);
      assert.match(metadata.annotations?.['kubernetes.io/description'] ?? '', /authority/);
      await becomes('/api/v1/namespaces/later/configmaps/kube-root-ca.crt', isRight);
    });

    for (const [change, patch] of [
      ['changed', { data: { 'ca.crt': 'mine' } }],
      ['extended', { data: { more: 'mine' } }],
      ['emptied', { data: null }],
      ['taken its description', { metadata: { annotations: null } }],
    ] as const) {
      it(`mends one that was ${change}, and keeps what else it has`, async () => {
        run(rootCaPublisher(PEM));
        await becomes(path, isRight);
        const labels = { my: 'own' };
        await cluster.expect(200, `PATCH ${path}`, {
          contentType: MERGE,
          body: { ...patch, metadata: { labels, ...('metadata' in patch ? patch.metadata : {}) } },
        });
        const { metadata } = await becomes(
          path,
          (object) => isRight(object) && object.metadata.annotations !== undefined,
        );
        assert.deepEqual({ ...metadata.labels }, labels);
        assert.deepEqual(failures, []);
      });
    }

    it('publishes it anew where it was deleted, also while nobody looked', async () => {
      run(rootCaPublisher(PEM));
      await becomes(path, isRight);
      await cluster.expect(200, `DELETE ${path}`);
      await becomes(path, isRight);
      running?.close();
      await cluster.expect(200, `DELETE ${path}`);
      run(rootCaPublisher('another'));
      const { data } = await becomes(path, there);
      assert.deepEqual({ ...(data as object) }, { 'ca.crt': 'another' });
    });

    it('replaces another authority', async () => {
      run(rootCaPublisher('old'));
      await becomes(path, there);
      running?.close();
      run(rootCaPublisher(PEM));
      await becomes(path, isRight);
    });
  });
});
