import assert from 'node:assert/strict';
import { claimProtection, usesClaim } from '../../../src/controllers/volume-protection/claims.ts';
import { volumeProtection } from '../../../src/controllers/volume-protection/volumes.ts';
import type { ApiObject } from '../../../src/meta/object.ts';
import { ControllerWorld } from './running-controller.ts';

const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';
const PODS = '/api/v1/namespaces/default/pods';
const VOLUMES = '/api/v1/persistentvolumes';
const CLAIM = {
  metadata: { name: 'claim' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const NOW = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 };

function pod(spec: object = {}, metadata: object = {}): ApiObject {
  return {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { name: 'p', ...metadata },
    spec: {
      nodeName: 'node',
      containers: [{ name: 'c', image: 'i' }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'claim' } }],
      ...spec,
    },
  };
}

describe('protection of volumes', () => {
  let world: ControllerWorld;
  beforeEach(async () => {
    world = await ControllerWorld.open();
  });
  afterEach(() => world.close());

  const protectedAt = (path: string, finalizer: string) =>
    world.becomes(path, (object) => object?.metadata.finalizers?.includes(finalizer) === true);
  const remove = (path: string) => world.cluster.expect(200, `DELETE ${path}`);

  it('keeps a claim as long as a pod on a node uses it', async () => {
    world.start(claimProtection);
    await world.create(CLAIMS, CLAIM);
    await protectedAt(`${CLAIMS}/claim`, 'kubernetes.io/pvc-protection');
    await world.create(PODS, pod());
    await remove(`${CLAIMS}/claim`);
    await world.settle();
    await world.merge(`${PODS}/p`, { metadata: { labels: { a: 'b' } } });
    await world.settle();
    assert.notEqual(await world.read(`${CLAIMS}/claim`), undefined);
    await world.cluster.expect(200, `DELETE ${PODS}/p`, { body: NOW });
    await world.goes(`${CLAIMS}/claim`);
  });

  it('lets a claim go, though deleted before it began, that only pods without a node use', async () => {
    await world.create(CLAIMS, {
      ...CLAIM,
      metadata: { name: 'claim', finalizers: ['kubernetes.io/pvc-protection'] },
    });
    await world.create(PODS, pod({ nodeName: undefined }));
    await remove(`${CLAIMS}/claim`);
    world.start(claimProtection);
    await world.goes(`${CLAIMS}/claim`);
  });

  it('leaves the finalizers of others', async () => {
    world.start(claimProtection);
    await world.create(CLAIMS, { ...CLAIM, metadata: { name: 'claim', finalizers: ['example.com/f'] } });
    await protectedAt(`${CLAIMS}/claim`, 'kubernetes.io/pvc-protection');
    await remove(`${CLAIMS}/claim`);
    const left = await world.becomes(`${CLAIMS}/claim`, (one) => one?.metadata.finalizers?.length === 1);
    assert.deepEqual(left?.metadata.finalizers, ['example.com/f']);
  });

  const ephemeral = { volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: {} } }] };
  const owned = (controller: boolean, uid = 'u'): ApiObject =>
    ({
      metadata: {
        name: 'p-v',
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid, controller }],
      },
    }) as ApiObject;
  const shutDown = { uid: 'u', deletionTimestamp: '2026-11-20T18:57:21Z', deletionGracePeriodSeconds: 0 };
  const uses: [string, ApiObject, ApiObject, boolean][] = [
    ['of its own', pod(ephemeral, { uid: 'u' }), owned(true), true],
    ['of its own, when it has ended', pod(ephemeral, shutDown), owned(true), false],
    ['with the name of its own, that it does not control', pod(ephemeral, { uid: 'u' }), owned(false), false],
    ['of another pod with its name', pod(ephemeral, { uid: 'u' }), owned(true, 'other'), false],
    ['by its name, when it has ended', pod({}, shutDown), CLAIM as unknown as ApiObject, true],
    ['of another name', pod(), { metadata: { name: 'other' } } as ApiObject, false],
  ];
  for (const [what, user, claim, expected] of uses) {
    it(`${expected ? 'counts' : 'does not count'} a pod as a user of a claim ${what}`, () => {
      assert.equal(usesClaim(user, claim), expected);
    });
  }

  it('keeps a volume as long as it is bound', async () => {
    world.start(volumeProtection);
    await world.create(VOLUMES, {
      metadata: { name: 'v' },
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
    });
    await protectedAt(`${VOLUMES}/v`, 'kubernetes.io/pv-protection');
    await world.merge(`${VOLUMES}/v/status`, { status: { phase: 'Bound' } });
    await remove(`${VOLUMES}/v`);
    await world.settle();
    assert.notEqual(await world.read(`${VOLUMES}/v`), undefined);
    await world.merge(`${VOLUMES}/v/status`, { status: { phase: 'Released' } });
    await world.goes(`${VOLUMES}/v`);
  });
});
