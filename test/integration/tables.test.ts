import assert from 'node:assert/strict';
import { startAccessPlane, type AccessPlane } from '../support/access.ts';

const TABLE = { accept: 'application/json;as=Table;g=meta.orch.io;v=v1' };
const GROUP = '/apis/autoscaling';
const AUTOSCALERS = 'namespaces/default/horizontalpodautoscalers';

/** Metrics whose order the older form doesn't keep. */
const METRICS = [
  { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
  { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '100Mi' } } },
];
const CURRENT = [
  { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 20, averageValue: '1' } } },
  { type: 'Resource', resource: { name: 'memory', current: { averageValue: '5Mi' } } },
];

describe('the Table of flow schemas', function () {
  this.timeout(60_000);

  it('has them in the order in which requests are matched, the list in that of their names', async () => {
    await using server = await startAccessPlane({ admin: ['system:masters'] });
    const path = '/apis/flowcontrol.apiserver.orch.io/v1/flowschemas';
    const table = await server.ask('admin', { method: 'GET', path, headers: TABLE });
    const { rows } = table.body as { rows: { cells: [string, string, number] }[] };
    const precedences = rows.map(({ cells }) => cells[2]);
    assert.deepEqual(
      precedences,
      precedences.toSorted((a, b) => a - b),
    );
    assert.deepEqual([rows[0]?.cells[0], rows.at(-1)?.cells[0]], ['exempt', 'catch-all']);
    const { body } = await server.ask('admin', { method: 'GET', path });
    const names = (body as { items: { metadata: { name: string } }[] }).items.map((it) => it.metadata.name);
    assert.deepEqual(names, names.toSorted());
    assert.deepEqual(names, rows.map(({ cells }) => cells[0]).toSorted());
  });
});

describe('Tables of kinds with several forms', function () {
  this.timeout(60_000);
  let server: AccessPlane;
  before(async () => {
    server = await startAccessPlane({ admin: ['system:masters'] });
    const scaleTargetRef = { kind: 'Deployment', name: 'd' };
    const made = await server.ask('admin', {
      ...{ method: 'POST', path: `${GROUP}/v2/${AUTOSCALERS}` },
      body: { metadata: { name: 'h' }, spec: { scaleTargetRef, maxReplicas: 5, metrics: METRICS } },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const body = {
      ...(made.body as object),
      status: { currentReplicas: 1, desiredReplicas: 1, currentMetrics: CURRENT },
    };
    const told = await server.ask('admin', {
      ...{ method: 'PUT', path: `${GROUP}/v2/${AUTOSCALERS}/h/status`, body },
    });
    assert.equal(told.status, 200, JSON.stringify(told.body));
  });
  after(() => server[Symbol.asyncDispose]());

  for (const version of ['v1', 'v2']) {
    for (const path of [AUTOSCALERS, `${AUTOSCALERS}/h`]) {
      it(`say the same in each: ${version} ${path}`, async () => {
        const { body } = await server.ask('admin', {
          ...{ method: 'GET', path: `${GROUP}/${version}/${path}`, headers: TABLE },
        });
        const { rows } = body as { rows: { cells: unknown[] }[] };
        assert.equal(rows[0]?.cells[2], 'cpu: 20%/50%, memory: 5Mi/100Mi');
      });
    }
  }
});
