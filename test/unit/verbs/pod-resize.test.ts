import assert from 'node:assert/strict';
import { objectAt, objectsAt, textAt } from '../../../src/meta/fields.ts';
import type { JsonObject } from '../../../src/meta/object.ts';
import { Cluster } from './cluster.ts';

const POD = '/api/v1/namespaces/default/pods/p';
const STRATEGIC = 'application/strategic-merge-patch+json';
const MERGE = 'application/merge-patch+json';

describe('resizing a pod', () => {
  let cluster: Cluster;
  beforeEach(async () => {
    cluster = await Cluster.open();
  });
  afterEach(() => cluster.close());

  const make = async (spec: JsonObject = {}, status: JsonObject = {}, annotations = {}): Promise<void> => {
    const resources = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', 'example.com/x': '1' } };
    const requests = { ...resources.requests, 'example.com/x': '1' };
    const container = { name: 'a', image: 'i', resources: { ...resources, requests } };
    const body = {
      metadata: { name: 'p', annotations },
      spec: { containers: [container, { name: 'b', image: 'i' }], ...spec },
    };
    await cluster.expect(201, 'POST /api/v1/namespaces/default/pods', { body });
    await cluster.expect(200, `PATCH ${POD}/status`, { body: { status }, contentType: MERGE });
  };
  const resize = (resources: JsonObject | null, more: JsonObject = {}) =>
    cluster.ask(`PATCH ${POD}/resize`, {
      body: { spec: { containers: [{ name: 'a', resources }], ...more } },
      contentType: STRATEGIC,
    });

  it('changes what containers ask for, and proposes it to the node', async () => {
    await make();
    const { status, object } = await resize({ requests: { cpu: '1500m' } });
    assert.equal(status, 200, JSON.stringify(object));
    const [container] = objectsAt(objectAt(object, 'spec'), 'containers');
    assert.deepEqual(
      { ...objectAt(objectAt(container, 'resources'), 'requests') },
      {
        cpu: '1500m',
        memory: '1Gi',
        'example.com/x': '1',
      },
    );
    assert.deepEqual(
      objectsAt(container, 'resizePolicy').map((policy) => Object.values(policy)),
      [
        ['cpu', 'NotRequired'],
        ['memory', 'NotRequired'],
      ],
    );
    assert.equal(objectAt(object, 'status')?.['resize'], 'Proposed');
  });

  it('changes nothing else, and proposes nothing then', async () => {
    await make();
    const { object } = await cluster.ask(`PATCH ${POD}/resize`, {
      body: {
        metadata: { labels: { a: 'b' } },
        spec: { activeDeadlineSeconds: 5, containers: [{ name: 'a', image: 'other' }] },
      },
      contentType: STRATEGIC,
    });
    const spec = objectAt(object, 'spec');
    assert.equal(object.metadata.labels, undefined);
    assert.equal(spec?.['activeDeadlineSeconds'], undefined);
    assert.equal(objectsAt(spec, 'containers')[0]?.['image'], 'i');
    assert.equal(objectAt(object, 'status')?.['resize'], undefined);
  });

  const running = (resources?: JsonObject): JsonObject => ({
    containerStatuses: [
      {
        ...{ name: 'a', image: 'i', imageID: '', ready: true, restartCount: 0 },
        state: { running: {} },
        ...(resources === undefined ? {} : { resources }),
      },
    ],
  });

  it('is for nodes that say what running containers have', async () => {
    await make({}, running({ requests: { cpu: '1' } }));
    assert.equal((await resize({ requests: { cpu: '1200m' } })).status, 200);
  });

  for (const [what, prepare, resources, field, message] of [
    ['that takes a request back', () => make(), { requests: { memory: null } }, /requests$/, /removed/],
    ['that takes a limit back', () => make(), { limits: { cpu: null } }, /limits$/, /removed/],
    [
      'of something else',
      () => make(),
      { limits: { 'example.com/x': '2' }, requests: { 'example.com/x': '2' } },
      /^spec$/,
      /only cpu and memory/,
    ],
    [
      'that changes its quality of service',
      () => make({ containers: [{ name: 'a', image: 'i' }] }),
      { requests: { cpu: '1' } },
      /^spec$/,
      /quality of service/,
    ],
    ['on a node that can not', () => make({}, running()), { requests: { cpu: '1500m' } }, /^spec$/, /node/],
    [
      'of a mirror',
      () => make({ nodeName: 'n' }, {}, { 'kubernetes.io/config.mirror': 'x' }),
      { requests: { cpu: '1500m' } },
      /^\[\]$/,
      /by itself/,
    ],
    ['beyond its limits', () => make(), { requests: { cpu: '3' } }, /requests/, /limit/],
  ] as const) {
    it(`is refused ${what}`, async () => {
      await prepare();
      const { status, object } = await resize(resources);
      assert.equal(status, 422, JSON.stringify(object));
      const causes = objectsAt(objectAt(object, 'details'), 'causes');
      const found = causes.some(
        (cause) => field.test(textAt(cause, 'field')) && message.test(textAt(cause, 'message')),
      );
      assert.ok(found, JSON.stringify(causes));
    });
  }
});
