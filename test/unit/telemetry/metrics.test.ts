import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { MetricCatalogue } from '../../../src/telemetry/metrics/catalogue.ts';
import { formatBound } from '../../../src/telemetry/metrics/exposition.ts';
import { Metrics } from '../../../src/telemetry/metrics/metrics.ts';
import { processMetrics } from '../../../src/telemetry/metrics/process.ts';

/** Between two readings of the processor time, microseconds. */
const SLACK = 50_000;

const catalogue: MetricCatalogue = {
  metrics: {
    asked_total: { type: 'counter', stability: 'stable', labels: ['code', 'verb'], help: 'Asked.' },
    open: { type: 'gauge', stability: 'alpha', help: 'Open.' },
    seconds: { type: 'histogram', stability: 'beta', labels: ['verb'], buckets: [0.1, 1], help: 'Took.' },
    cardinality_enforcement_unexpected_categorizations_total: {
      type: 'counter',
      stability: 'alpha',
      help: 'Too many.',
    },
  },
};

const make = (
  options: { disabled?: string[]; maxSeries?: number; others?: () => Promise<string> } = {},
): Metrics => new Metrics({ catalogue, now: () => 0, ...options });

describe('metrics', () => {
  it('are shown sorted by name, with help, stability and type', async () => {
    const metrics = make();
    metrics.gauge('open').with({}).set(2);
    const asked = metrics.counter('asked_total');
    asked.with({ verb: 'GET', code: '200' }).inc();
    asked.with({ code: '200', verb: 'GET' }).inc(2);
    asked.with({ verb: 'GET', code: '404' }).inc();
    assert.equal(
      await metrics.text(),
      [
        '# HELP asked_total [STABLE] Asked.',
        '# TYPE asked_total counter',
        'asked_total{code="200",verb="GET"} 3',
        'asked_total{code="404",verb="GET"} 1',
        '# HELP open [ALPHA] Open.',
        '# TYPE open gauge',
        'open 2',
        '',
      ].join('\n'),
    );
  });

  it('count values into cumulative buckets, bounds included', async () => {
    const metrics = make();
    const get = metrics.histogram('seconds').with({ verb: 'GET' });
    for (const value of [0.05, 0.1, 0.5, 1, 7]) get.observe(value);
    assert.deepEqual((await metrics.text()).split('\n').slice(2, -1), [
      'seconds_bucket{verb="GET",le="0.1"} 2',
      'seconds_bucket{verb="GET",le="1"} 4',
      'seconds_bucket{verb="GET",le="+Inf"} 5',
      'seconds_sum{verb="GET"} 8.65',
      'seconds_count{verb="GET"} 5',
    ]);
  });

  it('that nothing was counted under are not shown, but for those without labels', async () => {
    const metrics = make();
    metrics.counter('asked_total');
    metrics.gauge('open');
    assert.match(await metrics.text(), /^# HELP open .*\n# TYPE open gauge\nopen 0\n$/);
  });

  it('escape the values of labels', async () => {
    const metrics = make();
    metrics.counter('asked_total').with({ code: 'a"b\\c\nd', verb: '' }).inc();
    assert.match(await metrics.text(), /asked_total\{code="a\\"b\\\\c\\nd",verb=""\} 1/);
  });

  it('of which there are too many are counted together, and that is counted', async () => {
    const metrics = make({ maxSeries: 2 });
    for (const code of ['1', '2', '3', '4']) metrics.counter('asked_total').with({ code, verb: 'GET' }).inc();
    const text = await metrics.text();
    assert.match(text, /asked_total\{code="unexpected",verb="unexpected"\} 2/);
    assert.match(text, /cardinality_enforcement_unexpected_categorizations_total 2/);
  });

  it('that are disabled are not shown', async () => {
    const metrics = make({ disabled: ['open'] });
    metrics.gauge('open').with({}).set(1);
    assert.equal(await metrics.text(), '');
  });

  it('are collected when they are asked for, in part if wanted', async () => {
    const metrics = make({ others: () => Promise.resolve('other 1\n') });
    metrics.onScrape(() => metrics.gauge('open').with({}).inc());
    assert.match(await metrics.text(), /open 1\nother 1\n$/);
    metrics.histogram('seconds').with({ verb: 'GET' });
    assert.match(await metrics.text(new Set(['open'])), /open 2\n$/);
  });

  it('are forgotten where they are set anew at each scrape', async () => {
    const metrics = make();
    metrics.counter('asked_total').with({ code: '1', verb: 'a' }).inc();
    metrics.counter('asked_total').clear();
    assert.equal(await metrics.text(), '');
  });

  it('refuse names, types and labels that are not in the catalogue', () => {
    const metrics = make();
    assert.throws(() => metrics.counter('nothing'), /the catalogue has no metric nothing/);
    assert.throws(() => metrics.counter('__proto__'), /the catalogue has no metric/);
    assert.throws(() => metrics.gauge('asked_total'), /asked_total is a counter, no gauge/);
    const asked = metrics.counter('asked_total');
    assert.throws(() => asked.with({ code: '1' }), /has the labels code, verb, not code/);
    assert.throws(() => asked.with({ code: '1', verv: '2' }), /asked_total needs the label verb/);
  });

  for (const [bound, text] of [
    [0, '0'],
    [0.005, '0.005'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1000, '1000'],
    [1e6, '1e+06'],
    [1.05e6, '1.05e+06'],
    [2592000, '2.592e+06'],
  ] as const) {
    it(`write the bound ${bound} as ${text}`, () => assert.equal(formatBound(bound), text));
  }

  describe('of the process', () => {
    const read = (text: string, name: string): number => {
      const line = new RegExp(`^${name} (.*)$`, 'm').exec(text);
      assert.ok(line, name);
      return Number(line[1]);
    };
    const lags = (text: string): number[] =>
      ['min_', 'max_', 'mean_', 'p50_', 'p90_', 'p99_', ''].map((part) =>
        read(text, `nodejs_eventloop_lag_${part}seconds`),
      );
    const isBetween = (seconds: number, least: number, most: number): void => {
      const spent = Math.round(seconds * 1e6);
      assert.ok(spent >= least - SLACK && spent <= most, `${least} <= ${spent} <= ${most}`);
    };
    const isTrue = (text: string): void => {
      assert.deepEqual(
        lags(text).filter((lag) => !(lag > 0)),
        [],
      );
      assert.ok(read(text, 'nodejs_eventloop_lag_stddev_seconds') >= 0);
    };

    it('are there when they are first asked for', async () => {
      const text = await processMetrics()();
      assert.ok(read(text, 'process_resident_memory_bytes') > 0);
      isTrue(text);
    });

    it('tell how late the event loop is however soon they are asked for again', async () => {
      const ask = processMetrics();
      for (const text of [await ask(), await ask(), ...(await Promise.all([ask(), ask()]))]) isTrue(text);
    });

    it('are there when their library can be had after all', async () => {
      let loads = 0;
      const ask = processMetrics(() =>
        loads++ === 0 ? Promise.reject(new Error('too many open files')) : import('prom-client'),
      );
      await assert.rejects(ask(), /too many/);
      isTrue(await ask());
      isTrue(await ask());
      assert.equal(loads, 2);
    });

    it('count the processor time since the process began', async () => {
      const ask = processMetrics();
      for (let scrape = 0; scrape < 2; scrape++) {
        const before = process.cpuUsage();
        const text = await ask();
        const after = process.cpuUsage();
        const [user, system] = ['user_', 'system_'].map((of) => read(text, `process_cpu_${of}seconds_total`));
        const both = read(text, 'process_cpu_seconds_total');
        isBetween(user!, before.user, after.user);
        isBetween(system!, before.system, after.system);
        assert.ok(Math.abs(both - user! - system!) < 1e-5);
      }
    });
  });
});

describe('the metrics catalogue', () => {
  const root = join(import.meta.dirname, '..', '..', '..');
  const schema = parse(readFileSync(join(root, 'schemas', 'metrics.yaml'), 'utf8')) as MetricCatalogue;
  const facts = JSON.parse(
    readFileSync(join(root, 'test', 'fixtures', 'facts', 'metrics.json'), 'utf8'),
  ) as Record<string, { type: string; labels: string[]; buckets?: (number | string)[]; stability: string }>;

  it('has the types, labels, buckets and stability of the facts', () => {
    for (const [name, fact] of Object.entries(facts)) {
      const row = schema.metrics[name];
      assert.equal(row?.type, fact.type, name);
      assert.deepEqual(row?.labels ?? [], fact.labels, name);
      assert.equal(row?.stability, fact.stability.toLowerCase(), name);
      assert.deepEqual(row?.buckets, fact.buckets?.map(Number).filter(Number.isFinite), name);
    }
  });

  it('has labels in order, and buckets that rise', () => {
    for (const [name, { labels = [], buckets = [] }] of Object.entries(schema.metrics)) {
      assert.deepEqual(labels, labels.toSorted(), name);
      assert.deepEqual(
        buckets,
        buckets.toSorted((a, b) => a - b),
        name,
      );
    }
  });
});
