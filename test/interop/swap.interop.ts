import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEtcd, type TestEtcd } from '../support/etcd.ts';
import { startProcess } from '../support/server-process.ts';
import { MANIFESTS } from './manifests.ts';
import { findPeer, run } from './peers.ts';
import { startReference } from './reference.ts';

const TOKEN = 'swap-admin';

/** Either server reads what the other wrote into the same etcd. */
describe('swap with the Go API server', function () {
  this.timeout(300_000);
  const kubectl = findPeer('kubectl');
  let etcd: TestEtcd;
  let directory: string;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'orch-swap-'));
    writeFileSync(join(directory, 'tokens.csv'), `${TOKEN},admin,admin-uid,"system:masters"\n`, {
      mode: 0o600,
    });
    etcd = await startEtcd();
  });
  after(async () => {
    await etcd.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const call = (url: string, token: string, args: string[], input?: string): string => {
    const flags = [`--server=${url}`, `--token=${token}`, '--insecure-skip-tls-verify=true'];
    const outcome = run(kubectl, [...flags, ...args], input, { HOME: directory, KUBECONFIG: '/dev/null' });
    assert.equal(outcome.status, 0, `kubectl ${args.join(' ')}: ${outcome.stderr}`);
    return outcome.stdout;
  };
  const ours = (): ReturnType<typeof startProcess> =>
    startProcess({
      args: [
        '--naming=kubernetes',
        `--etcd-servers=${etcd.endpoint}`,
        `--token-auth-file=${join(directory, 'tokens.csv')}`,
        '--service-account-issuer=https://kubernetes.default.svc',
        '--service-cluster-ip-range=10.0.0.0/24',
      ],
    });
  const named = (yaml: string, name: string): string => yaml.replace('{name: it', `{name: ${name}`);
  /** Without what a server may rightly change when it serves the object anew. */
  const objectOf = (text: string): unknown => JSON.parse(text);

  it('reads and rewrites the objects of the other one', async () => {
    const first = await ours();
    const before = new Map<string, unknown>();
    for (const { yaml, resource, namespaced } of MANIFESTS) {
      const where = namespaced ? ['-n', 'default'] : [];
      call(first.url, TOKEN, ['create', '-f', '-', ...where], named(yaml, 'ours'));
      before.set(
        resource,
        objectOf(call(first.url, TOKEN, ['get', resource, 'ours', '-o', 'json', ...where])),
      );
    }
    assert.equal(await first.stop(), 0);

    const reference = await startReference(etcd.endpoint);
    for (const { yaml, resource, namespaced } of MANIFESTS) {
      const where = namespaced ? ['-n', 'default'] : [];
      const got = objectOf(
        call(reference.url, reference.token, ['get', resource, 'ours', '-o', 'json', ...where]),
      );
      assert.deepEqual(got, before.get(resource), `${resource} written by us`);
      call(reference.url, reference.token, ['create', '-f', '-', ...where], named(yaml, 'theirs'));
      before.set(
        resource,
        objectOf(call(reference.url, reference.token, ['get', resource, 'theirs', '-o', 'json', ...where])),
      );
    }
    await reference.stop();

    const second = await ours();
    for (const { resource, namespaced } of MANIFESTS) {
      const where = namespaced ? ['-n', 'default'] : [];
      const got = objectOf(call(second.url, TOKEN, ['get', resource, 'theirs', '-o', 'json', ...where]));
      assert.deepEqual(got, before.get(resource), `${resource} written by the Go API server`);
      call(second.url, TOKEN, ['label', resource, 'theirs', 'swapped=yes', ...where]);
    }
    await second.stop();
  });
});
