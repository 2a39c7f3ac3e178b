import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { clusterAuthenticationTrust } from '../../../src/controllers/cluster-authentication-trust/controller.ts';
import {
  combinedTrust,
  type ClusterTrust,
} from '../../../src/controllers/cluster-authentication-trust/trust.ts';
import type { RunningController } from '../../../src/controllers/controller.ts';
import { selfSigned } from '../../support/certificates.ts';
import { Cluster } from '../verbs/cluster.ts';
import { controllerParts } from './controller-parts.ts';

const MAP = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
const NOBODY: ClusterTrust = {
  ...{ clients: '', proxies: '', allowedNames: [], usernameHeaders: ['X-Remote-User'], uidHeaders: [] },
  ...{ groupHeaders: ['X-Remote-Group'], extraHeaderPrefixes: ['X-Remote-Extra-'] },
};

/** As Node writes it, whatever its lines were. */
const normal = (pem: string): string => new X509Certificate(pem).toString();

describe('what servers behind this one are told of its clients', () => {
  let [one, two, old] = ['', '', ''];
  before(async () => {
    [one, two, old] = (await Promise.all([selfSigned(), selfSigned(), selfSigned(Date.now() - 1000)])).map(
      ({ cert }) => normal(cert),
    ) as [string, string, string];
  });
  const combined = (data: Record<string, string>, own: Partial<ClusterTrust>) =>
    combinedTrust(data, { ...NOBODY, ...own }, Date.now());

  it('is nothing where nobody vouches for anybody', () => {
    assert.deepEqual(combined({}, {}), {});
  });

  it('is the authorities of clients, and nothing of proxies where there are none', () => {
    assert.deepEqual(combined({}, { clients: `# ours\n${one}` }), { 'client-ca-file': one });
  });

  it('is the authorities of proxies with the names of their headers', () => {
    assert.deepEqual(combined({}, { proxies: one, allowedNames: ['front'] }), {
      'requestheader-client-ca-file': one,
      'requestheader-allowed-names': '["front"]',
      'requestheader-username-headers': '["X-Remote-User"]',
      'requestheader-group-headers': '["X-Remote-Group"]',
      'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    });
  });

  it('has headers of uids where there are any', () => {
    const { 'requestheader-uid-headers': uids } = combined(
      {},
      { proxies: one, uidHeaders: ['X-Remote-Uid'] },
    );
    assert.equal(uids, '["X-Remote-Uid"]');
  });

  it('keeps what other servers have said, each thing once', () => {
    const before = combined({}, { clients: one, proxies: one, allowedNames: ['a'] });
    const after = combined(before, { clients: `${one}${two}`, proxies: two, allowedNames: ['b', 'a'] });
    assert.equal(after['client-ca-file'], `${one}${two}`);
    assert.equal(after['requestheader-client-ca-file'], `${one}${two}`);
    assert.equal(after['requestheader-allowed-names'], '["a","b"]');
    assert.equal(after['requestheader-username-headers'], '["X-Remote-User"]');
    assert.deepEqual(combined(before, {}), before, 'a server without any adds nothing');
  });

  const bad: readonly (readonly [string, () => Record<string, string>])[] = [
    ['authorities that have expired', () => ({ 'client-ca-file': old })],
    ['what is no certificate', () => ({ 'client-ca-file': one.replace(/[A-Z]{4}/, 'AAAA').slice(0, 200) })],
    [
      'damaged certificates',
      () => ({ 'client-ca-file': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' }),
    ],
    ['lists that are none', () => ({ 'requestheader-allowed-names': '{"a":1}' })],
    ['half of a list', () => ({ 'requestheader-allowed-names': '["a"' })],
    ['keys that nobody knows', () => ({ 'client-ca': one })],
    [
      'more than a megabyte',
      () => ({ 'requestheader-allowed-names': JSON.stringify(['x'.repeat(1 << 20)]) }),
    ],
  ];
  for (const [what, data] of bad) {
    it(`leaves out ${what}`, () => {
      const own = { clients: two, proxies: two };
      assert.deepEqual(combined(data(), own), combined({}, own));
    });
  }

  describe('in its ConfigMap', () => {
    let cluster: Cluster;
    let running: RunningController;
    let trust: ClusterTrust;
    let change: () => void;

    beforeEach(async () => {
      cluster = await Cluster.open();
      cluster.clock.advance(Date.now() - cluster.clock.now());
      await cluster.expect(201, 'POST /api/v1/namespaces', { body: { metadata: { name: 'kube-system' } } });
      trust = { ...NOBODY, clients: one };
      const controller = clusterAuthenticationTrust({
        current: () => trust,
        onChange: (changed) => {
          change = changed;
          return () => undefined;
        },
      });
      running = controller.start(
        controllerParts(cluster, controller.name, (entry) => assert.fail(entry.message)),
      );
      await running.settled;
    });
    afterEach(() => {
      running.close();
      cluster.close();
    });

    const data = async (): Promise<unknown> => {
      const { status, object } = await cluster.ask(`GET ${MAP}`);
      return status === 404 ? undefined : { ...(object['data'] as object) };
    };
    const becomes = async (expected: object): Promise<void> => {
      while (JSON.stringify(await data()) !== JSON.stringify(expected)) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    };

    it('is there from the start', async () => {
      assert.deepEqual(await data(), { 'client-ca-file': one });
    });

    it('is told when the authorities change', async () => {
      trust = { ...NOBODY, clients: two };
      change();
      await becomes({ 'client-ca-file': `${one}${two}` });
    });

    it('is mended, and made anew', async () => {
      const body = { data: { 'client-ca-file': 'mine', more: 'x' } };
      await cluster.expect(200, `PATCH ${MAP}`, { contentType: 'application/merge-patch+json', body });
      await becomes({ 'client-ca-file': one });
      await cluster.expect(200, `DELETE ${MAP}`);
      await becomes({ 'client-ca-file': one });
    });
  });
});
