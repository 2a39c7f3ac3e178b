import assert from 'node:assert/strict';
import { endOfLease, IdentityLease, identityLeaseName } from '../../../src/app/identity-lease.ts';
import type { ApiObject, JsonObject } from '../../../src/meta/object.ts';
import { controllerParts } from '../controllers/controller-parts.ts';
import { turn } from '../controllers/running-controller.ts';
import { Cluster } from '../verbs/cluster.ts';

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const NAME = identityLeaseName('vm');

describe("the lease of a server's identity", () => {
  it('has a name that says nothing but which machine', () => {
    assert.equal(identityLeaseName('vm'), 'apiserver-lphjr5z7h3imqn7sokpnsue3ha');
  });

  it('ends when it was not renewed for so long; at once where it does not say', () => {
    const lease = (spec: JsonObject): ApiObject => ({ metadata: {}, spec }) as unknown as ApiObject;
    const renewTime = '2026-11-20T18:57:21.500000Z';
    const time = Date.parse('2026-11-20T18:57:21.5Z');
    assert.equal(endOfLease(lease({ renewTime, leaseDurationSeconds: 60 })), time + 60_000);
    assert.equal(endOfLease(lease({ renewTime })), 0);
    assert.equal(endOfLease(lease({ leaseDurationSeconds: 60 })), 0);
  });

  describe('in a cluster', () => {
    let cluster: Cluster;
    let running: IdentityLease[];

    const start = (hostname: string, uid: string, shared: boolean): void => {
      const { store, schemas, names, clock, server, log } = controllerParts(cluster, 'orch', () => undefined);
      const source = { store, schemas, server };
      const lease = new IdentityLease({ ...{ names, source, clock, log, hostname }, uid, shared });
      running.push(lease);
      lease.start();
    };
    const becomes = async (
      name: string,
      isRight: (lease: ApiObject | undefined) => boolean,
    ): Promise<ApiObject> => {
      for (let i = 0; i < 2000; i++) {
        const { status, object } = await cluster.ask(`GET ${LEASES}/${name}`);
        if (isRight(status === 200 ? object : undefined)) return object;
        await turn();
      }
      throw new Error(`${name} is not as it should be`);
    };
    const specOf = (lease: ApiObject | undefined): JsonObject => (lease?.['spec'] ?? {}) as JsonObject;

    beforeEach(async () => {
      cluster = await Cluster.open();
      running = [];
      await cluster.expect(201, 'POST /api/v1/namespaces', { body: { metadata: { name: 'kube-system' } } });
    });
    afterEach(() => {
      for (const lease of running) lease.stop();
      cluster.close();
    });

    it('says who is there, and goes on saying so', async () => {
      start('vm', 'one', true);
      const { metadata, ...rest } = await becomes(NAME, (lease) => lease !== undefined);
      assert.deepEqual(
        { ...metadata.labels },
        {
          'apiserver.kubernetes.io/identity': 'kube-apiserver',
          'kubernetes.io/hostname': 'vm',
        },
      );
      const first = specOf(rest as unknown as ApiObject);
      assert.equal(first['holderIdentity'], `${NAME}_one`);
      assert.equal(first['leaseDurationSeconds'], 3600);
      while (!cluster.clock.pending.includes(10_000)) await turn();
      cluster.clock.advance(10_000);
      await becomes(NAME, (lease) => specOf(lease)['renewTime'] !== first['renewTime']);
    });

    it('says so rarely where nobody else is on the store', async () => {
      start('vm', 'one', false);
      const first = await becomes(NAME, (lease) => lease !== undefined);
      while (!cluster.clock.pending.includes(900_000)) await turn();
      cluster.clock.advance(60_000);
      for (let i = 0; i < 100; i++) await turn();
      const { object } = await cluster.expect(200, `GET ${LEASES}/${NAME}`);
      assert.deepEqual(specOf(object), specOf(first));
    });

    it('is taken over by the next server of the machine, and deleted when none comes', async () => {
      start('vm', 'one', true);
      await becomes(NAME, (lease) => lease !== undefined);
      running.pop()?.stop();
      start('vm', 'two', true);
      await becomes(NAME, (lease) => specOf(lease)['holderIdentity'] === `${NAME}_two`);
      running.pop()?.stop();
      start('other', 'three', false);
      await becomes(identityLeaseName('other'), (lease) => lease !== undefined);
      for (let i = 0; i < 200; i++) await turn();
      cluster.clock.advance(3_599_000);
      await becomes(NAME, (lease) => lease !== undefined);
      cluster.clock.advance(2000);
      await becomes(NAME, (lease) => lease === undefined);
    });
  });
});
