import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { CHART } from '../support/chart.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';
import { mapPod, probe, runPod, secretText, type RunningPod } from './chart-pod.ts';
import {
  callWith,
  optionalPeer,
  runBeside,
  titled,
  workloadOf,
  type Call,
  type Manifest,
  type Pod,
} from './chart-tools.ts';
import { run, type Outcome } from './peers.ts';

const helm = optionalPeer('helm');
const HOST = 'cp-orch.it.svc';
const IN_NAMESPACE = '/namespaces/it';

/** A release from its installation to its end, in a cluster whose API server is ours. */
describe(titled('a release of the chart', { helm }), function () {
  this.timeout(120_000);
  let cluster: ServerProcess;
  let call: Call;
  let gateway: RunningPod | undefined;
  let installed: Manifest[];

  before(async function () {
    if (helm === undefined) return this.skip();
    cluster = await startProcess({ args: ['--naming=kubernetes'] });
    call = callWith(cluster.kubeconfig);
  });
  after(async () => {
    await gateway?.stop();
    await cluster?.stop();
  });

  const environment = (): NodeJS.ProcessEnv => ({
    PATH: process.env['PATH'],
    HOME: cluster.directory,
    KUBECONFIG: cluster.kubeconfig,
  });
  const runHelm = (...args: string[]): Outcome =>
    run(helm!, ['--namespace=it', ...args], undefined, environment());
  const ok = (...args: string[]): string => {
    const { status, stdout, stderr } = runHelm(...args);
    assert.equal(status, 0, `helm ${args.join(' ')}: ${stderr}`);
    return stdout;
  };

  /** What the release has in the cluster. */
  async function objects(): Promise<Manifest[]> {
    const paths = [
      ...['secrets', 'services', 'serviceaccounts', 'configmaps', 'pods'].map(
        (r) => `/api/v1${IN_NAMESPACE}/${r}`,
      ),
      ...['statefulsets', 'deployments'].map((r) => `/apis/apps/v1${IN_NAMESPACE}/${r}`),
    ];
    const kinds = ['Secret', 'Service', 'ServiceAccount', 'ConfigMap', 'Pod', 'StatefulSet', 'Deployment'];
    const lists = await Promise.all(
      paths.map(async (path, index) => {
        const { text: body } = await call('GET', `${path}?labelSelector=app.kubernetes.io/instance=cp`);
        const { items } = JSON.parse(body) as { items: Manifest[] };
        return items.map((item) => ({ ...item, kind: kinds[index] ?? '' }));
      }),
    );
    return lists.flat();
  }
  const secretsOf = (all: readonly Manifest[]): Record<string, unknown> =>
    Object.fromEntries(all.filter(({ kind }) => kind === 'Secret').map((s) => [s.metadata.name, s.data]));
  const checksumOf = (all: readonly Manifest[]): string | undefined =>
    workloadOf(all).spec.template.metadata.annotations?.['checksum/credentials'];
  const teamOf = (all: readonly Manifest[]): string | undefined =>
    all.find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'cp-orch')?.metadata
      .annotations?.['team'];
  const servingCertificate = (all: readonly Manifest[]): X509Certificate =>
    new X509Certificate(secretText('cp-orch-tls', 'tls.crt', all));

  it('is installed, and says what to do next', async () => {
    const notes = ok('install', 'cp', CHART, '--create-namespace');
    assert.match(notes, /on its embedded store, with the names of orch/);
    assert.match(notes, /kubectl -n it get secret cp-orch-auth/);
    installed = await objects();
    assert.deepEqual(Object.keys(secretsOf(installed)).sort(), ['cp-orch-auth', 'cp-orch-ca', 'cp-orch-tls']);
    assert.equal(workloadOf(installed).kind, 'StatefulSet');
  });

  it('runs the command line that the cluster has, answers its probes, and knows its administrator', async () => {
    const { spec } = workloadOf(installed).spec.template;
    gateway = await runPod(spec, installed);
    const [{ startupProbe, readinessProbe, livenessProbe }] = spec.containers;
    for (const one of [startupProbe, readinessProbe, livenessProbe]) {
      assert.equal(await probe(gateway, HOST, one), 200);
    }
    const token = secretText('cp-orch-auth', 'admin-token', installed);
    assert.equal((await gateway.call(HOST, token)('GET', '/api/v1/namespaces/orch-system')).status, 200);
    assert.equal((await gateway.call(HOST)('GET', '/api/v1/namespaces')).status, 403);
    const monitoring = gateway.call(HOST, secretText('cp-orch-auth', 'monitoring-token', installed));
    assert.equal((await monitoring('GET', '/metrics')).status, 200);
    assert.equal((await monitoring('GET', '/api/v1/secrets')).status, 403);
  });

  it('has a test that fails while the gateway does not answer, and else passes', async () => {
    for (const [server, expected] of [
      // Its pod stays, with what it printed, until the next test.
      ['https://127.0.0.1:1', 1],
      [gateway!.url, 0],
    ] as const) {
      const testing = runBeside(helm!, ['--namespace=it', 'test', 'cp', '--timeout=60s'], environment());
      await runTestPod(server);
      const { status, stdout, stderr } = await testing;
      assert.equal(status, expected, stdout + stderr);
      assert.match(stdout, expected === 0 ? /Phase:\s+Succeeded/ : /Phase:\s+Failed/);
    }
  });

  /** Does what a node does with the pod of the test: runs it, and tells how it ended. */
  async function runTestPod(server: string): Promise<void> {
    const pods = `/api/v1${IN_NAMESPACE}/pods`;
    let pod: Pod | undefined;
    const deadline = Date.now() + 30_000;
    // The pod of the test before this one is still there until helm deletes it.
    while (pod === undefined && Date.now() < deadline) {
      const { text: body } = await call('GET', pods);
      const { items } = JSON.parse(body) as { items: (Pod & { status: { phase: string } })[] };
      pod = items.find(({ status }) => status.phase === 'Pending');
    }
    assert.ok(pod, 'helm made no pod');
    const mapped = mapPod(pod.spec, installed);
    const [, ...args] = mapped.args;
    const child = spawn(process.execPath, args, {
      env: { ...mapped.env, SERVER: server },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const exited = once(child, 'exit') as Promise<[number]>;
    const output = await text(child.stdout);
    const [code] = await exited;
    mapped.remove();
    if (code === 0) assert.match(output, /200 \/readyz\n200 \/version\nv1\.32\.\d+\+orch\S*\n200 \/api/);
    const path = `${pods}/${pod.metadata.name}/status`;
    const status = { status: { phase: code === 0 ? 'Succeeded' : 'Failed' } };
    const answer = await call('PATCH', path, status, 'application/merge-patch+json');
    assert.equal(answer.status, 200, answer.text);
  }

  it('keeps certificates and tokens over an upgrade, and does not restart what has not changed', async () => {
    ok('upgrade', 'cp', CHART, '--set=service.annotations.team=blue');
    const upgraded = await objects();
    assert.deepEqual(secretsOf(upgraded), secretsOf(installed));
    assert.deepEqual(workloadOf(upgraded).spec.template, workloadOf(installed).spec.template);
    assert.equal(teamOf(upgraded), 'blue');
  });

  it('makes a certificate of the same authority for new names, which gateways take up without a restart', async () => {
    ok('upgrade', 'cp', CHART, '--set=tls.extraNames={cp.example,192.0.2.7}');
    const upgraded = await objects();
    const { 'cp-orch-tls': oldTls, ...kept } = secretsOf(installed);
    const { 'cp-orch-tls': newTls, ...others } = secretsOf(upgraded);
    assert.deepEqual(others, kept);
    assert.notDeepEqual(newTls, oldTls);
    assert.equal(checksumOf(upgraded), checksumOf(installed));
    const certificate = servingCertificate(upgraded);
    assert.ok(certificate.checkHost('cp.example') && certificate.checkIP('192.0.2.7'));
    assert.ok(certificate.checkHost(HOST));
    const authority = new X509Certificate(secretText('cp-orch-ca', 'tls.crt', installed));
    assert.ok(certificate.verify(authority.publicKey));
  });

  it('makes a new certificate in the last third of its days', async () => {
    const path = `/api/v1${IN_NAMESPACE}/secrets/cp-orch-tls`;
    const past = { metadata: { annotations: { 'orch.io/renew-after': '1000000000' } } };
    assert.equal((await call('PATCH', path, past, 'application/merge-patch+json')).status, 200);
    const before = servingCertificate(await objects());
    ok('upgrade', 'cp', CHART, '--set=tls.extraNames={cp.example,192.0.2.7}');
    const after = servingCertificate(await objects());
    assert.notEqual(after.serialNumber, before.serialNumber);
  });

  it('goes back to what it was', async () => {
    ok('rollback', 'cp', '1');
    const now = await objects();
    assert.deepEqual(secretsOf(now), secretsOf(installed));
    assert.equal(checksumOf(now), checksumOf(installed));
    assert.equal(teamOf(now), undefined);
  });

  it('refuses an upgrade to values that can not be, and stays as it is', async () => {
    const before = await objects();
    const { status, stderr } = runHelm('upgrade', 'cp', CHART, '--set=replicaCount=2');
    assert.equal(status, 1);
    assert.match(stderr, /replicaCount/);
    assert.deepEqual(await objects(), before);
  });

  it('goes, and leaves nothing', async () => {
    ok('uninstall', 'cp');
    assert.deepEqual(await objects(), []);
  });
});
