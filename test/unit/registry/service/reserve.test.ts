import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/errors/api-error.ts';
import { parseCidr } from '../../../../src/lib/cidr.ts';
import type { ApiObject, JsonObject } from '../../../../src/meta/object.ts';
import { ZERO_REVISION } from '../../../../src/meta/revision.ts';
import { Bitmap } from '../../../../src/registry/allocation/bitmap.ts';
import { Pool } from '../../../../src/registry/allocation/pool.ts';
import { addressRange, portRange, type NumberedRange } from '../../../../src/registry/allocation/ranges.ts';
import type { AddressPool, ServicePools } from '../../../../src/registry/service/pools.ts';
import { serviceReservations } from '../../../../src/registry/service/reserve.ts';
import { MemoryStorage } from '../../../support/memory-storage.ts';

async function poolOf(storage: MemoryStorage, key: string, range: NumberedRange): Promise<Pool> {
  const pool = new Pool({ storage, key, range, storeAs: 'json', random: Math.random });
  await pool.replace(new Bitmap(range.size), ZERO_REVISION);
  return pool;
}

async function poolsOf(...ranges: string[]): Promise<ServicePools> {
  const storage = new MemoryStorage();
  const addresses = new Map<'IPv4' | 'IPv6', AddressPool>();
  for (const text of ranges) {
    const range = addressRange(parseCidr(text)!);
    addresses.set(range.family, { range, pool: await poolOf(storage, `/${text}`, range) });
  }
  const range = portRange(30_000, 30_003);
  return { addresses, ports: { range, pool: await poolOf(storage, '/ports', range) } };
}

async function takenOf(pool: Pool): Promise<number[]> {
  const { record } = await pool.record();
  return [...Bitmap.from(record?.data ?? Buffer.alloc(0), pool.range.size).indexes()];
}

function service(spec: JsonObject): ApiObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's', namespace: 'default' },
    spec: structuredClone(spec),
  };
}

/** What happens to one service; the pools show what it holds. */
class Life {
  readonly pools: ServicePools;
  current: ApiObject | undefined;

  constructor(pools: ServicePools) {
    this.pools = pools;
  }

  async write(spec: JsonObject, outcome: 'commit' | 'undo' = 'commit'): Promise<JsonObject> {
    const next = service({ type: 'ClusterIP', ...spec });
    const { reserve } = serviceReservations(this.pools);
    const reservation = await reserve(next, this.current, { dryRun: false });
    await reservation[outcome]();
    if (outcome === 'commit') this.current = next;
    return next.spec as JsonObject;
  }

  async holds(): Promise<number> {
    const { addresses, ports } = this.pools;
    const pools = [...[...addresses.values()].map(({ pool }) => pool), ports.pool];
    return (await Promise.all(pools.map(takenOf))).flat().length;
  }
}

async function refusal(work: Promise<unknown>): Promise<string[]> {
  const error = await work.then(
    () => assert.fail('it should be refused'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ApiError, String(error));
  return [
    String(error.code),
    ...(error.details?.causes ?? []).map(({ field = '', reason }) => `${reason} ${field}`),
  ];
}

describe('what services are given', () => {
  it('is an address, which they keep until they are something else', async () => {
    const life = new Life(await poolsOf('10.0.0.0/24'));
    const first = await life.write({});
    assert.ok(typeof first.clusterIP === 'string');
    assert.match(first.clusterIP, /^10\.0\.0\.\d+$/);
    assert.deepEqual(first.clusterIPs, [first.clusterIP]);
    assert.deepEqual([first.ipFamilies, first.ipFamilyPolicy], [['IPv4'], 'SingleStack']);
    const again = await life.write({});
    assert.equal(again.clusterIP, first.clusterIP);
    assert.equal(await life.holds(), 1);
    await life.write({ type: 'ExternalName' });
    assert.equal(await life.holds(), 0);
    await life.write({});
    assert.equal(await life.holds(), 1);
  });

  it('is left to the rules to refuse where it would be none any more', async () => {
    const life = new Life(await poolsOf('10.0.0.0/24'));
    await life.write({ ipFamilyPolicy: 'PreferDualStack' });
    await life.write({ ipFamilyPolicy: 'PreferDualStack', clusterIP: 'None' });
    assert.equal(await life.holds(), 1);
  });

  it('is nothing when the write fails', async () => {
    const life = new Life(await poolsOf('10.0.0.0/24'));
    await life.write({ type: 'NodePort', ports: [{ port: 80 }] }, 'undo');
    assert.equal(await life.holds(), 0);
    await life.write({ type: 'NodePort', ports: [{ port: 80 }] });
    await life.write({ type: 'ExternalName' }, 'undo');
    assert.equal(await life.holds(), 2);
  });

  it('is nothing in a dry run, which may have a taken address, but none out of range and no taken port', async () => {
    const pools = await poolsOf('10.0.0.0/24');
    const { reserve } = serviceReservations(pools);
    const asks = service({ type: 'ClusterIP', clusterIP: '10.0.0.9' });
    await (await reserve(asks, undefined, { dryRun: true })).commit();
    assert.equal(await new Life(pools).holds(), 0);
    const port = { port: 80, nodePort: 30_000 };
    const first = service({ type: 'NodePort', clusterIP: '10.0.0.9', ports: [port] });
    await reserve(first, undefined, { dryRun: false });
    const taken = service({ type: 'ClusterIP', clusterIP: '10.0.0.9' });
    await (await reserve(taken, undefined, { dryRun: true })).undo();
    assert.deepEqual((taken.spec as JsonObject)['clusterIPs'], ['10.0.0.9']);
    const dryRefusal = (spec: JsonObject): Promise<string[]> =>
      refusal(reserve(service(spec), undefined, { dryRun: true }));
    assert.deepEqual(await dryRefusal({ type: 'ClusterIP', clusterIP: '10.0.1.9' }), [
      '422',
      'FieldValueInvalid spec.clusterIPs',
    ]);
    assert.deepEqual(await dryRefusal({ type: 'NodePort', ports: [port] }), [
      '422',
      'FieldValueInvalid spec.ports[0].nodePort',
    ]);
  });

  it('is given back when they are gone', async () => {
    const life = new Life(await poolsOf('10.0.0.0/24', 'fd00::/112'));
    await life.write({
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      ipFamilyPolicy: 'RequireDualStack',
      ports: [{ name: 'a', port: 80 }],
    });
    assert.equal(await life.holds(), 4);
    await serviceReservations(life.pools).release(life.current!);
    assert.equal(await life.holds(), 0);
  });

  it('is one port on nodes for a port of two protocols', async () => {
    const life = new Life(await poolsOf('10.0.0.0/24'));
    const spec = await life.write({
      type: 'NodePort',
      ports: [
        { name: 't', port: 53, protocol: 'TCP' },
        { name: 'u', port: 53, protocol: 'UDP' },
        { name: 'w', port: 80, protocol: 'TCP', nodePort: 30_002 },
      ],
    });
    const [t, u, w] = (spec.ports as JsonObject[]).map(({ nodePort }) => nodePort);
    assert.equal(t, u);
    assert.equal(w, 30_002);
    assert.notEqual(t, w);
  });

  it('is the same ports for what is sent again without them', async () => {
    const life = new Life(await poolsOf('10.0.0.0/24'));
    const ports = [
      { name: 'a', port: 80 },
      { name: 'b', port: 81 },
    ];
    const first = await life.write({ type: 'NodePort', ports });
    const again = await life.write({ type: 'NodePort', ports: [{ name: 'b', port: 81 }] });
    assert.deepEqual(again.ports, [(first.ports as JsonObject[])[1]]);
    assert.equal(await life.holds(), 2);
  });

  it('is a second address when they ask for two families, and none when they give it up', async () => {
    const life = new Life(await poolsOf('10.0.0.0/24', 'fd00::/112'));
    await life.write({});
    const two = await life.write({ ipFamilyPolicy: 'PreferDualStack' });
    assert.deepEqual(two.ipFamilies, ['IPv4', 'IPv6']);
    assert.match((two.clusterIPs as string[])[1] ?? '', /^fd00::/);
    assert.equal(await life.holds(), 2);
    const one = await life.write({ ...two, ipFamilyPolicy: 'SingleStack' });
    assert.equal((one.clusterIPs as string[]).length, 1);
    assert.equal(await life.holds(), 1);
  });

  it('is both families for those without addresses and selector', async () => {
    const life = new Life(await poolsOf('10.0.0.0/24'));
    const free = await life.write({ clusterIP: 'None' });
    assert.deepEqual([free.ipFamilies, free.ipFamilyPolicy], [['IPv4', 'IPv6'], 'RequireDualStack']);
    assert.equal(await life.holds(), 0);
  });

  const refused: readonly (readonly [string, JsonObject, string[]])[] = [
    ['of another range', { clusterIP: '10.0.1.1' }, ['422', 'FieldValueInvalid spec.clusterIPs']],
    ['of the network', { clusterIP: '10.0.0.0' }, ['422', 'FieldValueInvalid spec.clusterIPs']],
    ['for broadcasts', { clusterIP: '10.0.0.255' }, ['422', 'FieldValueInvalid spec.clusterIPs']],
    ['of all', { clusterIP: '0.0.0.0' }, ['422', 'FieldValueInvalid spec.clusterIPs']],
    ['of the other family', { clusterIP: 'fd00::1' }, ['422', 'FieldValueInvalid spec.clusterIPs[0]']],
    ['that is none', { clusterIP: '10.0.0' }, ['422', 'FieldValueInvalid spec.clusterIPs[0]']],
    [
      'of a family that it says it is not',
      { clusterIP: '10.0.0.5', ipFamilies: ['IPv6'] },
      ['422', 'FieldValueInvalid spec.clusterIPs[0]'],
    ],
    [
      'of two families where there is one',
      { ipFamilyPolicy: 'RequireDualStack' },
      ['422', 'FieldValueInvalid spec.ipFamilyPolicy'],
    ],
    [
      'of a family that there is not',
      { ipFamilies: ['IPv6'] },
      ['422', 'FieldValueInvalid spec.ipFamilies[0]'],
    ],
    [
      'with a port of another range',
      { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] },
      ['422', 'FieldValueInvalid spec.ports[0].nodePort'],
    ],
    [
      'with too many ports',
      { type: 'NodePort', ports: [1, 2, 3, 4, 5].map((port) => ({ name: `p${port}`, port })) },
      ['500', 'UnexpectedServerError '],
    ],
    [
      'with a port for the health check of another range',
      { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 5, ports: [{ port: 80 }] },
      ['500', 'UnexpectedServerError '],
    ],
  ];
  for (const [what, spec, expected] of refused) {
    it(`is no address ${what}, and nothing is lost`, async () => {
      const life = new Life(await poolsOf('10.0.0.0/24'));
      assert.deepEqual(await refusal(life.write(spec)), expected);
      assert.equal(await life.holds(), 0);
    });
  }

  const taken: JsonObject = {
    type: 'NodePort',
    clusterIP: '10.0.0.7',
    ports: [{ port: 80, nodePort: 30_001 }],
  };
  const words: readonly (readonly [string, JsonObject, RegExp])[] = [
    ['a port of another range', { nodePort: 915 }, /915: .*port is not in the valid range.*30000-30003/],
    ['a port that another service has', { nodePort: 30_001 }, /30001: .*port is already allocated/],
    [
      'an address of another range',
      { clusterIP: '1.2.3.4' },
      /1\.2\.3\.4\) is not in the valid range.*10\.0\.0\.0/,
    ],
    [
      'an address that another service has',
      { clusterIP: '10.0.0.7' },
      /10\.0\.0\.7.*IP is already allocated/,
    ],
  ];
  for (const [what, { nodePort = 0, ...spec }, expected] of words) {
    it(`refuses ${what} in the words that scripts look for`, async () => {
      const pools = await poolsOf('10.0.0.0/24');
      await new Life(pools).write(taken);
      const asked = { type: 'NodePort', ports: [{ port: 80, nodePort }], ...spec };
      await assert.rejects(new Life(pools).write(asked), expected);
    });
  }

  it('is one of the range however it is written', async () => {
    for (const [i, text] of ['010.0.0.7', '::ffff:10.0.0.7'].entries()) {
      const life = new Life(await poolsOf('10.0.0.0/24'));
      const spec = await life.write({ clusterIP: text });
      assert.equal(spec.clusterIP, text, String(i));
      assert.deepEqual(await takenOf(life.pools.addresses.get('IPv4')!.pool), [6]);
    }
  });

  it('ends', async () => {
    const pools = await poolsOf('10.0.0.0/30');
    await new Life(pools).write({});
    await new Life(pools).write({});
    assert.deepEqual(await refusal(new Life(pools).write({})), ['500', 'UnexpectedServerError ']);
  });
});
