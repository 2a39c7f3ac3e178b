import assert from 'node:assert/strict';
import { CoreV1Api, KubeConfig, type V1Service } from '@kubernetes/client-node';
import { systemClock } from '../../src/lib/clock.ts';
import { parseCidr } from '../../src/lib/cidr.ts';
import { Pool } from '../../src/registry/allocation/pool.ts';
import { addressRange } from '../../src/registry/allocation/ranges.ts';
import { Repair } from '../../src/registry/allocation/repair.ts';
import { addressUses, takenAddresses } from '../../src/registry/service/repairs.ts';
import { openEtcdStorage } from '../../src/storage/etcd/index.ts';
import type { ApiObject } from '../../src/meta/object.ts';
import { OBTAIN_TIMEOUT_MS, startEtcd, type TestEtcd } from '../support/etcd.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';

const RANGE = '10.77.0.0/24';
const GATEWAYS = 4;
const namespace = 'default';

/** What a Status says. */
function codeOf(error: unknown): number {
  return (error as { code?: number }).code ?? 0;
}

/** Several servers that give addresses out of one small range. */
describe('four gateways on one etcd', function () {
  this.timeout(180_000);
  let etcd: TestEtcd;
  const gateways: ServerProcess[] = [];

  before(async function () {
    this.timeout(OBTAIN_TIMEOUT_MS);
    etcd = await startEtcd();
    for (let i = 0; i < GATEWAYS; i++) gateways.push(await gateway(i));
  });
  after(async () => {
    await Promise.all(gateways.map((one) => one.stop()));
    await etcd.stop();
  });

  function gateway(i: number, directory?: string): Promise<ServerProcess> {
    const args = [
      '--naming=kubernetes',
      `--etcd-servers=${etcd.endpoint}`,
      `--service-cluster-ip-range=${RANGE}`,
      `--advertise-address=10.9.0.${i + 1}`,
      '--controllers=',
    ];
    return startProcess({ args, ...(directory === undefined ? {} : { directory }) });
  }

  function client(i: number): CoreV1Api {
    const config = new KubeConfig();
    config.loadFromFile(gateways[i]?.kubeconfig ?? '');
    return config.makeApiClient(CoreV1Api);
  }

  async function services(): Promise<V1Service[]> {
    return (await client(0).listNamespacedService({ namespace })).items;
  }

  it('are the endpoints of their own service, until they stop', async () => {
    const addresses = async (): Promise<string[]> => {
      const { subsets = [] } = await client(0).readNamespacedEndpoints({ namespace, name: 'kubernetes' });
      return subsets.flatMap((subset) => (subset.addresses ?? []).map(({ ip }) => ip));
    };
    assert.deepEqual(await addresses(), ['10.9.0.1', '10.9.0.2', '10.9.0.3', '10.9.0.4']);
    await gateways[3]?.stop();
    assert.deepEqual(await addresses(), ['10.9.0.1', '10.9.0.2', '10.9.0.3']);
    gateways[3] = await gateway(3);
    assert.deepEqual(await addresses(), ['10.9.0.1', '10.9.0.2', '10.9.0.3', '10.9.0.4']);
  });

  it('never give an address twice, killed and restarted, and lose none for good', async () => {
    let next = 0;
    let full = 0;
    const died = new Set([0, 401, 503]);
    const write = async (i: number): Promise<void> => {
      const name = `s-${next++}`;
      const body = { metadata: { name }, spec: { ports: [{ port: 80 }] } };
      try {
        await client(i).createNamespacedService({ namespace, body });
        if (next % 3 === 0) await client(i).deleteNamespacedService({ namespace, name });
      } catch (error) {
        if (codeOf(error) === 500) full++;
        else assert.ok(died.has(codeOf(error)), String(error));
      }
    };
    let over = false;
    const writers = Array.from({ length: 8 }, async (_, w) => {
      while (!over && next < 1500) await write(w % GATEWAYS);
    });
    for (const i of [1, 3, 2]) {
      const victim = gateways[i];
      await victim?.kill();
      gateways[i] = await gateway(i, victim?.directory);
    }
    over = true;
    await Promise.all(writers);
    const held = await services();
    const addresses = held.map(({ spec }) => spec?.clusterIP ?? '');
    assert.equal(new Set(addresses).size, addresses.length, 'an address twice');
    assert.ok(addresses.length > 20, `only ${addresses.length} services, ${full} times full`);
    assert.deepEqual(await repaired(held), [...addresses].sort());
  });

  it('say so when there are no more', async () => {
    const until = async (i: number): Promise<number> => {
      for (let n = 0; ; n++) {
        const body = { metadata: { name: `more-${i}-${n}` }, spec: { ports: [{ port: 80 }] } };
        try {
          await client(i).createNamespacedService({ namespace, body });
        } catch (error) {
          return codeOf(error);
        }
      }
    };
    assert.deepEqual(await Promise.all([0, 1, 2, 3].map(until)), [500, 500, 500, 500]);
    const held = (await services()).map(({ spec }) => spec?.clusterIP);
    assert.equal(held.length, 254);
    assert.equal(new Set(held).size, 254);
  });

  /** Three repairs, as after nine minutes. @returns the addresses that are taken then, in order */
  async function repaired(held: readonly V1Service[]): Promise<string[]> {
    const storage = await openEtcdStorage({ endpoints: [etcd.endpoint], clock: systemClock });
    const cidr = parseCidr(RANGE);
    assert.ok(cidr);
    const range = addressRange(cidr);
    const key = '/registry/ranges/serviceips';
    const pool = new Pool({ storage, key, range, storeAs: 'json', random: Math.random });
    const objects = JSON.parse(JSON.stringify(held)) as ApiObject[];
    const problems: string[] = [];
    const repair = new Repair<ApiObject>({
      pool,
      indexesOf: (record) => takenAddresses(record, range),
      uses: () => Promise.resolve(addressUses(objects, range)),
      onProblem: ({ text }, problem) => problems.push(`${text} ${problem}`),
      onLeak: () => undefined,
    });
    for (let i = 0; i < 3; i++) await repair.run();
    const { record } = await pool.record();
    await storage.close();
    assert.deepEqual(problems, []);
    assert.ok(record);
    return takenAddresses(record, range)
      .map((index) => range.addressAt(index))
      .sort();
  }
});
