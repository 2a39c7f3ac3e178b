import assert from 'node:assert/strict';
import {
  CLUSTERROLE_AGGREGATION,
  clusterRoleAggregation,
} from '../../../src/controllers/clusterrole-aggregation/controller.ts';
import type { ApiObject, Json } from '../../../src/meta/object.ts';
import type { RunningController } from '../../../src/controllers/controller.ts';
import { runsController } from '../../../src/app/options/controllers.ts';
import { Cluster } from '../verbs/cluster.ts';
import { controllerParts } from './controller-parts.ts';

const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const rule = (resource: string): Json => ({ verbs: ['get'], apiGroups: [''], resources: [resource] });

describe('the aggregation of ClusterRoles', () => {
  let cluster: Cluster;
  let running: RunningController;
  let failures: string[];
  /** How many of the next writes fail. */
  let failing: number;

  const create = (name: string, fields: object, labels: Record<string, string> = {}) =>
    cluster.expect(201, `POST ${ROLES}`, { body: { metadata: { name, labels }, ...fields } });
  const aggregated = (label: string) => ({
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: 'true' } }] },
  });
  const read = async (name: string): Promise<ApiObject> =>
    (await cluster.expect(200, `GET ${ROLES}/${name}`)).object;
  const resourcesOf = async (name: string): Promise<string[]> =>
    ((await read(name))['rules'] as { resources: string[] }[] | null)?.flatMap(
      ({ resources }) => resources,
    ) ?? [];
  /** Lets the controller run until a role has these rules. */
  const becomes = async (name: string, resources: string[], ms = 0): Promise<void> => {
    while ((await resourcesOf(name)).join() !== resources.join()) {
      cluster.clock.advance(ms);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  beforeEach(async () => {
    cluster = await Cluster.open();
    failures = [];
    failing = 0;
    const parts = controllerParts(cluster, CLUSTERROLE_AGGREGATION, ({ fields }) => {
      failures.push(`${String(fields['role'])}: ${(fields['err'] as Error).message}`);
    });
    running = clusterRoleAggregation.start({
      ...parts,
      server: {
        ...parts.server,
        apply: (resource, object) =>
          failing-- > 0 ? Promise.reject(new Error('no luck')) : parts.server.apply(resource, object),
      },
    });
  });
  afterEach(() => {
    running.close();
    cluster.close();
  });

  it('gives a role the rules of those that it selects, each once, in the order of names', async () => {
    await create('b', { rules: [rule('pods'), rule('nodes')] }, { to: 'true' });
    await create('a', { rules: [rule('secrets'), rule('pods')] }, { to: 'true' });
    await create('other', { rules: [rule('events')] });
    await create('all', aggregated('to'));
    await becomes('all', ['secrets', 'pods', 'nodes']);
    const [record] =
      (await read('all')).metadata.managedFields?.filter(({ operation }) => operation === 'Apply') ?? [];
    assert.equal(record?.manager, CLUSTERROLE_AGGREGATION);
  });

  it('follows what becomes of them', async () => {
    await create('a', { rules: [rule('pods')] }, { to: 'true' });
    await create('all', aggregated('to'));
    await becomes('all', ['pods']);
    const patch = { contentType: 'application/merge-patch+json' };
    await cluster.expect(200, `PATCH ${ROLES}/a`, { ...patch, body: { rules: [rule('nodes')] } });
    await becomes('all', ['nodes']);
    await cluster.expect(200, `PATCH ${ROLES}/all`, { ...patch, body: { rules: [rule('mine')] } });
    await becomes('all', ['nodes']);
    await cluster.expect(200, `DELETE ${ROLES}/a`);
    await becomes('all', []);
  });

  it('goes through roles that are aggregated themselves, also in a circle', async () => {
    await create('a', { rules: [rule('pods')] }, { one: 'true' });
    await create('one', aggregated('one'), { two: 'true' });
    await create('two', aggregated('two'), { one: 'true' });
    await becomes('two', ['pods']);
    await becomes('one', ['pods']);
  });

  it('tries again what has failed', async () => {
    failing = 2;
    await create('a', { rules: [rule('pods')] }, { to: 'true' });
    await create('all', aggregated('to'));
    await becomes('all', ['pods'], 1000);
    assert.deepEqual(failures, ['all: no luck', 'all: no luck']);
  });

  it('writes nothing where everything is as it should be', async () => {
    await create('a', { rules: [rule('pods')] }, { to: 'true' });
    await create('all', aggregated('to'));
    await becomes('all', ['pods']);
    const { resourceVersion } = (await read('all')).metadata;
    await create('b', { rules: [rule('pods')] }, { to: 'true' });
    await create('marker', { ...aggregated('marker') }, {});
    await create('c', { rules: [rule('x')] }, { marker: 'true' });
    await becomes('marker', ['x']);
    assert.equal((await read('all')).metadata.resourceVersion, resourceVersion);
  });
});

describe('--controllers', () => {
  for (const [list, name, runs] of [
    [['*'], 'namespace-controller', true],
    [['*'], 'token-cleaner-controller', false],
    [['*', 'tokencleaner'], 'token-cleaner-controller', true],
    [['*', '-namespace'], 'namespace-controller', false],
    [['namespace'], 'namespace-controller', true],
    [['namespace'], 'garbage-collector-controller', false],
    [['-*'], 'namespace-controller', false],
    [[], 'namespace-controller', false],
  ] as const) {
    it(`${list.join() || 'nothing'} ${runs ? 'runs' : 'leaves out'} ${name}`, () => {
      assert.equal(runsController(list, name), runs);
    });
  }
});
