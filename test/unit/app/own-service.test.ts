import assert from 'node:assert/strict';
import { keepEndpoints } from '../../../src/app/apiserver-endpoints.ts';
import { apiserverLeases, type ApiserverLeases } from '../../../src/app/apiserver-leases.ts';
import { apiserverService, createApiserverService } from '../../../src/app/apiserver-service.ts';
import { readCommandLine } from '../../../src/app/options/command-line.ts';
import type { CompletedConfig } from '../../../src/app/options/complete.ts';
import { OwnService } from '../../../src/app/own-service.ts';
import type { Entry } from '../../../src/telemetry/log/log.ts';
import { inProcess } from '../../../src/verbs/in-process.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { MemoryStorage } from '../../support/memory-storage.ts';
import { PROFILES } from '../../support/schemas.ts';
import { controllerParts } from '../controllers/controller-parts.ts';
import { turn } from '../controllers/running-controller.ts';
import { Cluster } from '../verbs/cluster.ts';

describe('the leases of the servers on a store', () => {
  let clock: ManualClock;
  let storage: MemoryStorage;
  beforeEach(() => {
    clock = new ManualClock();
    storage = new MemoryStorage({ clock, capabilities: { shared: true } });
  });

  function leaseOf(address: string): ApiserverLeases {
    return apiserverLeases({ storage, root: '/registry', address, ttlSeconds: 15 });
  }

  it('tell who is there, and who has gone without a word', async () => {
    const [one, two] = [leaseOf('10.1.0.1'), leaseOf('10.1.0.2')];
    await one.renew();
    await two.renew();
    assert.deepEqual(await one.addresses(), ['10.1.0.1', '10.1.0.2']);
    clock.advance(10_000);
    await one.renew();
    clock.advance(10_000);
    assert.deepEqual(await one.addresses(), ['10.1.0.1']);
    await two.renew();
    await one.remove();
    assert.deepEqual(await two.addresses(), ['10.1.0.2']);
  });

  it('are where the Go API server has them', async () => {
    await leaseOf('10.1.0.1').renew();
    const { items } = await storage.range({ start: '/registry/masterleases/10.1.0.1' });
    assert.deepEqual(JSON.parse(items[0]?.value.toString() ?? ''), {
      kind: 'Endpoints',
      apiVersion: 'v1',
      metadata: { creationTimestamp: null },
      subsets: [{ addresses: [{ ip: '10.1.0.1' }] }],
    });
    assert.ok(items[0]?.lease);
  });

  it('are none on a store of its own', async () => {
    const own = new MemoryStorage({ clock });
    const alone = apiserverLeases({ storage: own, root: '/registry', address: 'fd00::1', ttlSeconds: 15 });
    await alone.renew();
    assert.deepEqual(await alone.addresses(), ['fd00::1']);
    await alone.remove();
    assert.deepEqual(await alone.addresses(), []);
    assert.equal((await own.range({ start: '/registry', end: '/registrz' })).count, 0);
  });
});

for (const profile of PROFILES) {
  describe(`the endpoints of the servers' own service (${profile})`, () => {
    let cluster: Cluster;
    beforeEach(async () => {
      cluster = await Cluster.open({ profile });
    });
    afterEach(() => cluster.close());

    async function keep(addresses: string[], port = 6443, ports: 'reset' | 'keep' = 'keep'): Promise<void> {
      const { store, schemas, names, verbs } = cluster;
      const user = { name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} };
      const server = inProcess(verbs, { user, userAgent: 'orch' });
      await keepEndpoints({ store, schemas, server, names, port }, addresses, ports);
    }

    async function shown(): Promise<unknown[]> {
      const name = cluster.names.get('service.apiserver');
      const group = cluster.names.get('group.discovery');
      const endpoints = await cluster.expect(200, `GET /api/v1/namespaces/default/endpoints/${name}`);
      const slices = `/apis/${group}/v1/namespaces/default/endpointslices`;
      const slice = await cluster.expect(200, `GET ${slices}/${name}`);
      const { addressType, endpoints: points, ports } = slice.object;
      return [endpoints.object.subsets ?? [], addressType, points, ports];
    }

    const ports = [{ name: 'https', port: 6443, protocol: 'TCP' }];
    const point = (address: string): unknown => ({ addresses: [address], conditions: { ready: true } });

    it('are the servers that are there', async () => {
      await keep(['10.1.0.1', '10.1.0.2']);
      const addresses = [{ ip: '10.1.0.1' }, { ip: '10.1.0.2' }];
      assert.deepEqual(await shown(), [
        [{ addresses, ports }],
        'IPv4',
        [point('10.1.0.1'), point('10.1.0.2')],
        ports,
      ]);
      await keep(['10.1.0.2']);
      assert.deepEqual((await shown())[2], [point('10.1.0.2')]);
      await keep([]);
      assert.deepEqual(await shown(), [[], 'IPv4', null, null]);
    });

    it('are written only when they change', async () => {
      await keep(['10.1.0.1']);
      const before = await cluster.storage.currentRevision();
      await keep(['10.1.0.1']);
      assert.equal(await cluster.storage.currentRevision(), before);
    });

    it('change their ports only at a start', async () => {
      await keep(['10.1.0.1'], 6443);
      await keep(['10.1.0.1'], 7443);
      assert.deepEqual((await shown())[3], ports);
      await keep(['10.1.0.1'], 7443, 'reset');
      assert.deepEqual((await shown())[3], [{ name: 'https', port: 7443, protocol: 'TCP' }]);
    });

    it('change their family', async () => {
      await keep(['10.1.0.1']);
      await keep(['fd00::1']);
      assert.deepEqual((await shown()).slice(1, 3), ['IPv6', [point('fd00::1')]]);
    });
  });
}

describe("the servers' own service that can not be had", () => {
  const INTERVAL_MS = 10_000;
  let cluster: Cluster;
  let service: OwnService;
  let storage: MemoryStorage;
  let asked: number[];
  let errors: unknown[];
  let round: number;

  beforeEach(async () => {
    [asked, errors, round] = [[], [], 0];
    cluster = await Cluster.open({ services: true });
    const { clock, names, store, schemas } = cluster;
    storage = new MemoryStorage({ clock, capabilities: { shared: true } });
    const told = ({ severity, fields }: Entry): void => {
      if (severity === 'error') errors.push(fields['err']);
    };
    const { server, log } = controllerParts(cluster, 'orch', told);
    service = new OwnService({
      ...{ clock, names, log, storage, config: config(), port: 6443 },
      source: { store, schemas, server },
      freeUnused() {
        asked.push(round);
        return Promise.resolve(false);
      },
    });
  });
  afterEach(() => {
    service.abort();
    cluster.close();
  });

  function config(): CompletedConfig {
    const request = readCommandLine({
      argv: ['--service-cluster-ip-range=10.0.0.0/16', '--advertise-address=10.1.0.1'],
      env: {},
      machine: { workingDirectory: '/work', hostname: 'host-1', addresses: ['192.0.2.7'] },
      release: '1.32',
    });
    assert.ok(request.kind === 'serve', JSON.stringify(request));
    return request.config;
  }

  async function rounds(count: number): Promise<void> {
    await service.start();
    for (round = 1; round < count; round++) {
      cluster.clock.advance(INTERVAL_MS);
      for (let i = 0; i < 2000 && errors.length <= round; i++) await turn();
      await turn();
    }
  }

  const leases = async (): Promise<number> =>
    (await storage.range({ start: '/registry/masterleases/10.1.0.1' })).items.length;

  it('is looked after ever more rarely, and says that the server is there', async () => {
    const body = { metadata: { name: 'b' }, spec: { clusterIP: '10.0.0.1', ports: [{ port: 80 }] } };
    await cluster.expect(201, 'POST /api/v1/namespaces/default/services', { body });
    await rounds(17);
    assert.deepEqual(asked, [0, 1, 3, 7, 15]);
    assert.equal(errors.length, 17);
    assert.equal(await leases(), 1);
  });

  it('is not looked after where its address and ports are not the cause', async () => {
    const { names } = cluster;
    const source = { ...controllerParts(cluster, 'orch', () => undefined) };
    const invalid = apiserverService({ names, clusterIpRanges: ['10.0.0.0/16'], port: 6443, nodePort: 0 });
    invalid.metadata.labels = { '-': '' };
    const ask = (): Promise<boolean> => Promise.resolve(asked.push(0) > 0);
    await assert.rejects(createApiserverService(source, invalid, ask), { reason: 'Invalid' });
    assert.deepEqual(asked, []);
  });
});
