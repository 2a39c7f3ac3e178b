import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { chartFile, chartRules, dashboardQueries } from '../support/chart.ts';
import { startEtcd, type TestEtcd, OBTAIN_TIMEOUT_MS } from '../support/etcd.ts';
import { makeEtcdCertificates } from '../support/etcd-certificates.ts';
import { runPod, secretText, type RunningPod } from './chart-pod.ts';
import { optionalPeer, template, titled, workloadOf, type Call, type Manifest } from './chart-tools.ts';
import { run } from './peers.ts';
import {
  startPrometheus,
  type RunningPrometheus,
  type Sample,
  type ServiceMonitor,
} from './prometheus-server.ts';

const helm = optionalPeer('helm');
const prometheus = optionalPeer('prometheus');
const promtool = optionalPeer('promtool');
const HOST = 'it-orch.it.svc';
/** Of a kind that the server itself writes no objects of. */
const LIMITS = '/api/v1/namespaces/default/limitranges';
const FLAGS = [
  ...['naming=kubernetes', 'shutdown.delaySeconds=0'],
  ...['metrics.serviceMonitor.enabled=true', 'metrics.prometheusRule.enabled=true'],
  ...['metrics.serviceMonitor.interval=1s', 'metrics.serviceMonitor.scrapeTimeout=1s'],
].map((one) => `--set=${one}`);

/** A gateway as the chart starts it, a Prometheus with the chart's own settings and rules, and what that then knows. */
for (const store of ['embedded', 'etcd'] as const) {
  describe(titled(`Prometheus and the chart, on the ${store} store`, { helm, prometheus }), function () {
    this.timeout(120_000);
    let etcd: TestEtcd | undefined;
    let gateway: RunningPod;
    let observer: RunningPrometheus;
    let call: Call;
    let objects: Manifest[];

    before(async function () {
      if (helm === undefined || prometheus === undefined) return this.skip();
      this.timeout(OBTAIN_TIMEOUT_MS);
      const secured = store === 'etcd' ? await startSecuredEtcd() : undefined;
      etcd = secured?.etcd;
      objects = [...template(helm, [...FLAGS, ...(secured?.flags ?? [])]), ...(secured?.secrets ?? [])];
      gateway = await runPod(workloadOf(objects).spec.template.spec, objects);
      call = gateway.call(HOST, secretText('it-orch-auth', 'admin-token', objects));
      observer = await startPrometheus({
        program: prometheus,
        monitor: objects.find(({ kind }) => kind === 'ServiceMonitor') as ServiceMonitor,
        objects,
        target: gateway.url,
        rules: objects.find(({ kind }) => kind === 'PrometheusRule')?.spec as object,
      });
    });
    after(async () => {
      await observer?.stop();
      if (gateway !== undefined) assert.equal(await gateway.stop(), 0, 'the exit code after SIGTERM');
      await etcd?.stop();
    });

    /** Sums over all series, as long as it takes for a scrape to bring them. */
    const sums = (selector: string, wanted: number): Promise<Sample[]> =>
      observer.eventually(`sum(${selector})`, ([sum]) => sum?.value === wanted);

    it('finds it up, with the job that its rules have', async () => {
      const [up] = await observer.eventually('up', ([sample]) => sample?.value === 1);
      assert.equal(up?.metric['job'], 'it-orch');
      const build = await observer.query('kubernetes_build_info');
      assert.match(build[0]?.metric['git_version'] ?? '', /^v1\.32\.\d+\+orch\./);
    });

    it('knows the requests by verb and code, the objects, and what the store was asked', async () => {
      const limits = (name: string): object => ({ apiVersion: 'v1', kind: 'LimitRange', metadata: { name } });
      const statuses: number[] = [];
      const count = async (...request: Parameters<Call>): Promise<void> => {
        statuses.push((await call(...request)).status);
      };
      for (let i = 0; i < 7; i++) await count('POST', LIMITS, limits(`m${i}`));
      await count('POST', LIMITS, limits('m0'));
      for (let i = 0; i < 3; i++) await count('GET', `${LIMITS}/m${i}`);
      await count('GET', `${LIMITS}/none`);
      await count('GET', LIMITS);
      for (let i = 0; i < 2; i++) await count('DELETE', `${LIMITS}/m${i}`);
      assert.deepEqual(statuses, [...Array<number>(7).fill(201), 409, 200, 200, 200, 404, 200, 200, 200]);

      const requests = (matchers: string): string =>
        `apiserver_request_total{job="it-orch",resource="limitranges",${matchers}}`;
      await sums(requests('verb="DELETE",code="200"'), 2);
      await sums(requests('verb="POST",code="201"'), 7);
      await sums(requests('verb="POST",code="409"'), 1);
      await sums(requests('verb="GET",code="200"'), 3);
      await sums(requests('verb="GET",code="404"'), 1);
      await sums(requests('verb="LIST",code="200"'), 1);
      await sums('apiserver_request_duration_seconds_count{resource="limitranges",verb="POST"}', 8);
      await sums('apiserver_storage_objects{resource="limitranges"}', 5);
      await sums('etcd_requests_total{operation="create",type="limitranges"}', 8);
      await sums('etcd_requests_total{operation="delete",type="limitranges"}', 2);
    });

    it('knows how long the store takes, and how large it is', async () => {
      const latency =
        'histogram_quantile(0.5, sum by (le) (etcd_request_duration_seconds_bucket{operation="create"}))';
      const [median] = await observer.eventually(latency, ([sample]) => sample !== undefined);
      assert.ok(median !== undefined && median.value > 0 && median.value < 5, String(median?.value));
      const [size] = await observer.query('apiserver_storage_size_bytes');
      assert.ok(size !== undefined && size.value > 10_000, String(size?.value));
    });

    it('knows the watches that are open, and the events that they were sent', async () => {
      const before = await observer.query('sum(apiserver_watch_events_total{kind="LimitRange"})');
      const watch = await openWatch(gateway, `${LIMITS}?watch=true&resourceVersion=0`, objects);
      await observer.eventually(
        'sum(apiserver_longrunning_requests{verb="WATCH",resource="limitranges"})',
        ([sum]) => sum?.value === 1,
      );
      const limits = { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'watched' } };
      assert.equal((await call('POST', LIMITS, limits)).status, 201);
      // The five that were there, and the one that came.
      await sums('apiserver_watch_events_total{kind="LimitRange"}', (before[0]?.value ?? 0) + 6);
      watch.destroy();
      await sums('apiserver_longrunning_requests{verb="WATCH",resource="limitranges"}', 0);
    });

    it('evaluates every rule, and no alert fires', async () => {
      const groups = (await observer.get('rules')) as { groups: { rules: EvaluatedRule[] }[] };
      const rules = groups.groups.flatMap((group) => group.rules);
      assert.equal(rules.length, chartRules().length);
      for (const { name, health, lastError, state } of rules) {
        assert.equal(health, 'ok', `${name}: ${lastError}`);
        assert.notEqual(state, 'firing', name);
      }
      const recorded = await observer.eventually(
        'job_verb_code:apiserver_request_total:rate5m{verb="POST",code="201"}',
        ([sample]) => sample !== undefined,
      );
      assert.equal(recorded[0]?.metric['job'], 'it-orch');
    });

    it('answers every query of the dashboard', async () => {
      // There is something to see in all but those of what went wrong, and of what needs a collection of garbage.
      const quiet = new Set(['Failed requests', 'Garbage collection']);
      for (const { panel, expr } of dashboardQueries({
        job: 'it-orch',
        instance: '.*',
        __rate_interval: '1m',
      })) {
        const samples = await observer.query(expr);
        assert.ok(samples.length > 0 || quiet.has(panel), `${panel}: ${expr}`);
      }
    });
  });
}

/** An etcd that demands certificates, with the secret and the values by which the chart knows it. */
async function startSecuredEtcd(): Promise<{ etcd: TestEtcd; flags: string[]; secrets: Manifest[] }> {
  const certificates = await makeEtcdCertificates();
  const { cafile, server, client } = certificates;
  const etcd = await startEtcd({ tls: { ...server, clientCafile: cafile } });
  const read = (path: string): string => readFileSync(path, 'utf8');
  const stringData = {
    'ca.crt': read(cafile),
    'tls.crt': read(client.certfile),
    'tls.key': read(client.keyfile),
  };
  const flags = [`--set=etcd.endpoints={${etcd.endpoint}}`, '--set=etcd.tls.existingSecret=etcd-client'];
  const stop = async (): Promise<void> => {
    await etcd.stop();
    await certificates.remove();
  };
  return {
    etcd: { ...etcd, stop },
    flags,
    secrets: [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'etcd-client' }, stringData }],
  };
}

interface EvaluatedRule {
  readonly name: string;
  readonly health: string;
  readonly lastError?: string;
  readonly state?: string;
}

/** Opens a watch and waits for its first bytes. */
async function openWatch(
  { url }: RunningPod,
  path: string,
  objects: readonly Manifest[],
): Promise<{ destroy(): void }> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const authorization = `Bearer ${secretText('it-orch-auth', 'admin-token', objects)}`;
  const ca = secretText('it-orch-tls', 'ca.crt', objects);
  const request = https
    .get(url + path, { ca, servername: HOST, headers: { authorization }, agent: false }, (answer) => {
      answer.once('data', () => resolve());
      answer.on('error', () => undefined);
    })
    .on('error', reject);
  await promise;
  return request;
}

describe(titled("the chart's alerts", { helm, promtool }), () => {
  const directory = mkdtempSync(join(tmpdir(), 'orch-rules-'));
  after(() => rmSync(directory, { recursive: true }));

  it('are rules that promtool accepts, for any job', function () {
    if (helm === undefined || promtool === undefined) return this.skip();
    for (const job of ['', 'apiserver', 'a.b:c/d_e-f']) {
      const flags = [...FLAGS, `--set=metrics.serviceMonitor.job=${job}`];
      const rule = template(helm, flags).find(({ kind }) => kind === 'PrometheusRule');
      const path = join(directory, 'rules.yaml');
      writeFileSync(path, stringify(rule?.spec));
      const { status, stdout, stderr } = run(promtool, ['check', 'rules', path]);
      assert.equal(status, 0, stderr);
      assert.match(stdout, new RegExp(`${chartRules().length} rules found`));
    }
  });

  it('fire when they should, and only then', function () {
    if (promtool === undefined) return this.skip();
    const cases = parse(chartFile('files/rules.test.yaml')) as object;
    const path = join(directory, 'test.yaml');
    writeFileSync(join(directory, 'rules.yaml'), chartFile('files/rules.yaml'));
    writeFileSync(path, stringify(cases));
    const { status, stdout, stderr } = run(promtool, ['test', 'rules', path]);
    assert.equal(status, 0, stdout + stderr);
  });
});
