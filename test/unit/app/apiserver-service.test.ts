import assert from 'node:assert/strict';
import { apiserverService, createApiserverService } from '../../../src/app/apiserver-service.ts';
import { freeUnused } from '../../../src/app/free-unused.ts';
import { listServices } from '../../../src/app/service-ranges.ts';
import type { ApiObject } from '../../../src/meta/object.ts';
import { inProcess } from '../../../src/verbs/in-process.ts';
import { openSchemas, PROFILES } from '../../support/schemas.ts';
import { Cluster } from '../verbs/cluster.ts';

const SERVICES = '/api/v1/namespaces/default/services';

describe('the service of the API servers', () => {
  for (const profile of PROFILES) {
    it(`has the first address of the cluster's range and the name that ${profile} gives it`, () => {
      const { names } = openSchemas(profile);
      const { metadata, spec } = apiserverService({
        names,
        clusterIpRanges: ['10.7.0.0/16', 'fd00::/112'],
        port: 6443,
        nodePort: 0,
      });
      assert.equal(metadata.name, profile === 'orch' ? 'orch' : 'kubernetes');
      assert.deepEqual(spec, {
        clusterIP: '10.7.0.1',
        ipFamilyPolicy: 'SingleStack',
        ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
        sessionAffinity: 'None',
        type: 'ClusterIP',
      });
    });
  }

  it('has a port on nodes where it is to have one', () => {
    const { names } = openSchemas('orch');
    const { spec } = apiserverService({ names, clusterIpRanges: ['fd00::/112'], port: 1, nodePort: 30_443 });
    assert.partialDeepStrictEqual(spec, {
      clusterIP: 'fd00::1',
      type: 'NodePort',
      ports: [{ port: 443, targetPort: 1, nodePort: 30_443 }],
    });
  });

  describe('where its address is taken', () => {
    let cluster: Cluster;
    let settled: number;
    beforeEach(async () => {
      settled = 0;
      cluster = await Cluster.open({ services: true });
    });
    afterEach(() => cluster.close());

    /** @param meanwhile what others do: while it waits, and when it has listed the services. */
    const create = (
      meanwhile: { settle?: () => Promise<unknown>; listed?: () => Promise<unknown> } = {},
    ): Promise<void> => {
      const { names, store, schemas, verbs, pools } = cluster;
      const user = { name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} };
      const source = { store, schemas, server: inProcess(verbs, { user, userAgent: 'orch' }) };
      const options = { names, clusterIpRanges: ['10.0.0.0/16'], port: 6443, nodePort: 30_443 };
      const settle = async (): Promise<void> => {
        settled++;
        await meanwhile.settle?.();
      };
      const services = async (): Promise<ApiObject[]> => {
        const listed = await listServices(source);
        await meanwhile.listed?.();
        return listed;
      };
      return createApiserverService(source, apiserverService(options), (asking) =>
        freeUnused({ pools, services, settle }, asking),
      );
    };
    const take = async (): Promise<void> => {
      await cluster.pools.addresses.get('IPv4')?.pool.claim([0]);
      await cluster.pools.ports.pool.claim([443]);
    };
    const free = async (): Promise<void> => {
      await cluster.pools.addresses.get('IPv4')?.pool.release([0]);
      await cluster.pools.ports.pool.release([443]);
    };
    const isTaken = async (): Promise<void> => {
      const { addresses, ports } = cluster.pools;
      for (const [pool, index] of [[addresses.get('IPv4')?.pool, 0] as const, [ports.pool, 443] as const])
        assert.deepEqual(await pool?.tryOut([index]), { ok: false, at: 0, why: 'taken' });
    };
    const own = async (): Promise<ApiObject> =>
      (await cluster.expect(200, `GET ${SERVICES}/${cluster.names.get('service.apiserver')}`)).object;

    it('has it nevertheless when nobody else does, as after a start that was killed', async () => {
      await take();
      await create();
      assert.partialDeepStrictEqual((await own()).spec, {
        clusterIP: '10.0.0.1',
        ports: [{ nodePort: 30_443 }],
      });
      assert.equal(settled, 1);
      await isTaken();
    });

    for (const moment of ['settle', 'listed'] as const) {
      it(`is left to the server that takes it and stores the service (${moment})`, async () => {
        await take();
        await create({
          async [moment]() {
            await free();
            await cluster.expect(201, `POST ${SERVICES}`, { body: wanted() });
          },
        });
        assert.equal((await own()).metadata.labels?.['by'], 'other');
        await isTaken();
      });

      it(`is left to the server that takes it and has not stored the service yet (${moment})`, async () => {
        await take();
        const meanwhile = async (): Promise<void> => {
          await free();
          await take();
        };
        await assert.rejects(create({ [moment]: meanwhile }), { reason: 'Invalid' });
        await isTaken();
        await create();
        assert.equal(settled, 2);
        await own();
      });
    }

    it('is refused when another service has it', async () => {
      const other = { metadata: { name: 'b' }, spec: { clusterIP: '10.0.0.1', ports: [{ port: 80 }] } };
      await cluster.expect(201, `POST ${SERVICES}`, { body: other });
      await assert.rejects(create(), { reason: 'Invalid' });
      await cluster.expect(200, `GET ${SERVICES}/b`);
      await assert.rejects(create(), { reason: 'Invalid' });
    });

    function wanted(): ApiObject {
      const { names } = cluster;
      const service = apiserverService({
        names,
        clusterIpRanges: ['10.0.0.0/16'],
        port: 1,
        nodePort: 30_443,
      });
      service.metadata.labels = { by: 'other' };
      return service;
    }
  });
});
