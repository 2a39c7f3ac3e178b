import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuthenticationV1Api, KubeConfig } from '@kubernetes/client-node';
import { startEtcd } from '../support/etcd.ts';
import { freePort } from '../support/free-ports.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';
import { findPeer, run } from './peers.ts';
import { startReference, type ReferenceServer } from './reference.ts';

interface Review {
  status: { authenticated?: boolean; user: object; audiences?: string[]; error?: string };
}

/** Runs kubectl to its good end. @returns what it printed. */
type Kubectl = (args: readonly string[], input?: string) => string;

function kubectlFor(access: readonly string[]): Kubectl {
  const program = findPeer('kubectl');
  return (args, input) => {
    const { status, stdout, stderr } = run(program, [...access, ...args], input);
    assert.equal(status, 0, stderr);
    return stdout.trim();
  };
}

function review(kubectl: Kubectl, token: string, audiences: readonly string[] = []): Review['status'] {
  const question = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token, audiences },
  };
  return (JSON.parse(kubectl(['create', '-f', '-', '-o', 'json'], JSON.stringify(question))) as Review)
    .status;
}

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'default' },
  spec: {
    serviceAccountName: 'a',
    automountServiceAccountToken: false,
    containers: [{ name: 'c', image: 'i:1' }],
  },
};

const KEYS = {
  RSA: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs1',
    format: 'pem',
  }),
  ECDSA: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'sec1',
    format: 'pem',
  }),
};

for (const [kind, key] of Object.entries(KEYS)) {
  describe(`tokens of service accounts beside the Go API server, ${kind} keys`, function () {
    this.timeout(180_000);
    const cleanUp: (() => Promise<unknown> | void)[] = [];
    let server: ServerProcess;
    let ours: Kubectl;
    let theirs: Kubectl;

    before(async () => {
      const directory = mkdtempSync(join(tmpdir(), 'orch-tokens-'));
      cleanUp.push(() => rmSync(directory, { recursive: true, force: true }));
      const keyFile = join(directory, 'sa.key');
      writeFileSync(keyFile, key, { mode: 0o600 });
      const keyArgs = [
        `--service-account-key-file=${keyFile}`,
        `--service-account-signing-key-file=${keyFile}`,
      ];
      const etcd = await startEtcd();
      cleanUp.push(() => etcd.stop());
      const reference: ReferenceServer = await startReference(etcd.endpoint, keyArgs);
      cleanUp.push(() => reference.stop());
      const args = ['--naming=kubernetes', `--etcd-servers=${etcd.endpoint}`, ...keyArgs];
      server = await startProcess({ args });
      cleanUp.push(() => server.stop());
      ours = kubectlFor([`--kubeconfig=${server.kubeconfig}`]);
      const { url, token } = reference;
      theirs = kubectlFor([`--server=${url}`, `--token=${token}`, '--insecure-skip-tls-verify']);
      ours(['create', 'serviceaccount', 'a']);
      ours(['create', '-f', '-'], JSON.stringify(POD));
    });
    after(async () => {
      for (const step of cleanUp.reverse()) await step();
    });

    const bound = ['create', 'token', 'a', '--bound-object-kind=Pod', '--bound-object-name=p'];
    for (const [name, args, audiences] of [
      ['a plain token', ['create', 'token', 'a'], []],
      ['a token for an audience', ['create', 'token', 'a', '--audience=x'], ['x', 'y']],
      ['a token bound to a Pod', bound, []],
    ] as const) {
      for (const [by, issue] of [
        ['ours', () => ours],
        ['the Go API server', () => theirs],
      ] as const) {
        it(`judges ${name} of ${by} alike`, () => {
          const token = issue()(args);
          const here = review(ours, token, audiences);
          assert.equal(here.authenticated, true, here.error);
          assert.deepEqual(here, review(theirs, token, audiences));
        });
      }
    }

    it('judges the token of a Secret alike', () => {
      const metadata = { name: 's', annotations: { 'kubernetes.io/service-account.name': 'a' } };
      const type = 'kubernetes.io/service-account-token';
      ours(['create', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata, type }));
      ours(['wait', 'secret/s', '--for=jsonpath={.data.token}', '--timeout=30s']);
      const encoded = ours(['get', 'secret', 's', '-o', 'jsonpath={.data.token}']);
      const token = Buffer.from(encoded, 'base64').toString();
      const here = review(ours, token);
      assert.equal(here.authenticated, true, here.error);
      assert.deepEqual(here, review(theirs, token));
    });

    it('refuses what the Go API server refuses', () => {
      const elsewhere = ours(['create', 'token', 'a', '--audience=x']);
      for (const token of [elsewhere, `${elsewhere}x`, 'nonsense']) {
        for (const kubectl of [ours, theirs]) assert.equal(review(kubectl, token).authenticated, undefined);
      }
    });

    it('is used by kubectl from a file, and by @kubernetes/client-node inside a pod', async () => {
      const root = mkdtempSync(join(tmpdir(), 'orch-pod-'));
      cleanUp.push(() => rmSync(root, { recursive: true, force: true }));
      const folder = join(root, 'var/run/secrets/kubernetes.io/serviceaccount');
      mkdirSync(folder, { recursive: true });
      const admin = new KubeConfig();
      admin.loadFromFile(server.kubeconfig);
      const authority = Buffer.from(admin.getCurrentCluster()?.caData ?? '', 'base64');
      writeFileSync(join(folder, 'token'), ours(bound));
      writeFileSync(join(folder, 'ca.crt'), authority);
      writeFileSync(join(folder, 'namespace'), 'default');
      const { hostname, port } = new URL(server.url);
      process.env['KUBERNETES_SERVICE_HOST'] = hostname;
      process.env['KUBERNETES_SERVICE_PORT'] = port;
      const inside = new KubeConfig();
      inside.loadFromCluster(root);
      delete process.env['KUBERNETES_SERVICE_HOST'];
      delete process.env['KUBERNETES_SERVICE_PORT'];
      const api = inside.makeApiClient(AuthenticationV1Api);
      const { status } = await api.createSelfSubjectReview({ body: {} });
      assert.equal(status?.userInfo?.username, 'system:serviceaccount:default:a');

      const file = join(root, 'kubeconfig');
      const config = {
        ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'c' },
        clusters: [
          { name: 'c', cluster: { server: server.url, 'certificate-authority': join(folder, 'ca.crt') } },
        ],
        users: [{ name: 'u', user: { tokenFile: join(folder, 'token') } }],
        contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      };
      writeFileSync(file, JSON.stringify(config));
      const asAccount = kubectlFor([`--kubeconfig=${file}`]);
      assert.match(asAccount(['auth', 'whoami']), /system:serviceaccount:default:a/);
    });

    it('ends with its Pod', () => {
      const token = ours(bound);
      ours(['delete', 'pod', 'p', '--now', '--wait']);
      assert.equal(review(ours, token).authenticated, undefined);
    });
  });
}

describe('documents of our issuer', function () {
  this.timeout(180_000);
  const cleanUp: (() => Promise<unknown> | void)[] = [];
  after(async () => {
    for (const step of cleanUp.reverse()) await step();
  });

  it('let a Go API server of another cluster take our tokens', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'orch-issuer-'));
    cleanUp.push(() => rmSync(directory, { recursive: true, force: true }));
    const port = await freePort();
    const issuer = `https://127.0.0.1:${port}`;
    const args = ['--naming=kubernetes', `--secure-port=${port}`, `--service-account-issuer=${issuer}`];
    const server = await startProcess({ args });
    cleanUp.push(() => server.stop());
    const ours = kubectlFor([`--kubeconfig=${server.kubeconfig}`]);
    const role = 'system:service-account-issuer-discovery';
    ours(['create', 'clusterrolebinding', 'all', `--clusterrole=${role}`, '--group=system:unauthenticated']);
    ours(['create', 'serviceaccount', 'a']);

    const file = join(directory, 'authentication.json');
    const claim = { claim: 'sub', prefix: 'ours:' };
    const certificateAuthority = readFileSync(join(server.directory, 'pki/ca.crt'), 'utf8');
    const jwt = [
      {
        issuer: { url: issuer, audiences: ['them'], certificateAuthority },
        claimMappings: { username: claim },
      },
    ];
    const apiVersion = 'apiserver.config.k8s.io/v1beta1';
    writeFileSync(file, JSON.stringify({ apiVersion, kind: 'AuthenticationConfiguration', jwt }));
    const etcd = await startEtcd();
    cleanUp.push(() => etcd.stop());
    const reference = await startReference(etcd.endpoint, [
      `--authentication-config=${file}`,
      '--api-audiences=them',
    ]);
    cleanUp.push(() => reference.stop());
    const access = [`--server=${reference.url}`, '--insecure-skip-tls-verify'];
    const token = ours(['create', 'token', 'a', '--audience=them']);
    // The issuer's keys come a moment after the start.
    const { status, stdout } = await until(() =>
      run(findPeer('kubectl'), [...access, `--token=${token}`, 'auth', 'whoami']),
    );
    assert.equal(status, 0);
    assert.match(stdout, /ours:system:serviceaccount:default:a/);
  });
});

/** Another program's progress can only be asked for: up to 30 times. */
async function until<T extends { status: number | null }>(ask: () => T): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const outcome = ask();
    if (outcome.status === 0 || attempt === 30) return outcome;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
