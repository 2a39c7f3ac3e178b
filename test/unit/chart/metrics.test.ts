import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import { chartRules, dashboardQueries } from '../../support/chart.ts';
import { groupedLabels, selectorsOf, seriesOf } from '../../support/promql.ts';
import { startProcess, type ServerProcess } from '../../support/server-process.ts';

interface Family {
  readonly type: string;
  readonly labels?: readonly string[];
}

const { metrics: CATALOGUE } = parse(
  readFileSync(join(import.meta.dirname, '../../../schemas/metrics.yaml'), 'utf8'),
) as { metrics: Record<string, Family> };
/** Prometheus's own, of every target. */
const TARGET_LABELS = ['job', 'instance'];
/** Of `nodejs_gc_duration_seconds`, which has no series before something was collected. */
const GARBAGE_LABELS = ['kind'];
const HISTOGRAM = /_(?:bucket|sum|count)$/;

/** What the chart looks at must be there to be seen. */
describe("the chart's rules and dashboard", function () {
  this.timeout(60_000);
  let directory: string;
  let server: ServerProcess;
  let scraped: Map<string, Set<string>>;
  let types: Set<string>;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'orch-chart-'));
    const tokens = join(directory, 'tokens.csv');
    writeFileSync(tokens, 'admin,admin,,"system:masters"\nmonitoring,monitoring,,"system:monitoring"\n');
    server = await startProcess({ args: [`--token-auth-file=${tokens}`] });
    const maps = '/api/v1/namespaces/default/configmaps';
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
    const watch = call('GET', `${maps}?watch=true&timeoutSeconds=1`, 'admin');
    assert.equal((await call('POST', maps, 'admin', body)).status, 201);
    assert.equal((await call('GET', maps, 'admin')).status, 200);
    assert.match((await watch).body, /ADDED/);
    for (const check of ['/readyz', '/livez']) assert.equal((await call('GET', check, 'admin')).status, 200);
    const { status, body: exposition } = await call('GET', '/metrics', 'monitoring');
    assert.equal(status, 200, 'with the token that the chart gives Prometheus');
    scraped = seriesOf(exposition);
    types = new Set([...exposition.matchAll(/^# TYPE (nodejs_\S+)/gm)].map(([, name = '']) => name));
  });
  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true });
  });

  async function call(
    method: string,
    path: string,
    token: string,
    body?: string,
  ): Promise<{ status: number | undefined; body: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<{
      status: number | undefined;
      body: string;
    }>();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const options = { method, headers, rejectUnauthorized: false, agent: false as const };
    https
      .request(server.url + path, options, (answer) => {
        text(answer).then((body) => resolve({ status: answer.statusCode, body }), reject);
      })
      .on('error', reject)
      .end(body);
    return promise;
  }

  const recorded = new Map(
    chartRules().flatMap(({ record, expr }) => (record === undefined ? [] : [[record, expr] as const])),
  );
  const queries = [
    ...chartRules().map((rule) => ({ name: rule.alert ?? rule.record ?? '', expr: rule.expr })),
    ...dashboardQueries({ __rate_interval: '5m' }).map(({ panel, expr }) => ({ name: panel, expr })),
  ];

  for (const { name, expr } of queries) {
    it(`use only metrics and labels that there are: ${name}`, () => {
      const selectors = selectorsOf(expr);
      assert.notEqual(selectors.length, 0, expr);
      const known = new Set([...TARGET_LABELS, 'le']);
      for (const { metric, labels } of selectors) {
        const has = labelsOf(metric);
        for (const label of [...has, ...TARGET_LABELS]) known.add(label);
        const missing = labels.filter((label) => !has.includes(label) && !TARGET_LABELS.includes(label));
        assert.deepEqual(missing, [], `${metric} has no such labels`);
        assert.ok(labels.includes('job'), `${metric}: selects every job`);
      }
      const unknown = groupedLabels(expr).filter((label) => !known.has(label));
      assert.deepEqual(unknown, [], `grouped by labels that no metric has: ${expr}`);
    });
  }

  /** A metric's labels: as scraped, else (it has no series until something goes wrong) as catalogued. */
  function labelsOf(metric: string): readonly string[] {
    const rule = recorded.get(metric);
    if (rule !== undefined) return groupedLabels(rule);
    const series = scraped.get(metric);
    if (series !== undefined) return [...series];
    if (metric === 'up') return [];
    // Of the runtime: told of before anything has been observed.
    if (types.has(metric.replace(HISTOGRAM, ''))) return GARBAGE_LABELS;
    const family = CATALOGUE[metric.replace(HISTOGRAM, '')] ?? CATALOGUE[metric];
    assert.ok(family, `there is no metric ${metric}`);
    if (HISTOGRAM.test(metric) && CATALOGUE[metric] === undefined) assert.equal(family.type, 'histogram');
    return family.labels ?? [];
  }

  it('alert with a severity, a summary and what it means', () => {
    const alerts = chartRules().filter(({ alert }) => alert !== undefined);
    assert.ok(alerts.length >= 10);
    for (const { alert, labels, annotations } of alerts) {
      assert.match(alert ?? '', /^Orch[A-Z]/);
      assert.match(labels?.['severity'] ?? '', /^(critical|warning)$/, alert);
      assert.ok(annotations?.['summary'] && annotations['description'], alert);
    }
  });
});
