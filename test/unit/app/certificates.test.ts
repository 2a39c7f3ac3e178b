import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { Authorities } from '../../../src/authn/certificates.ts';
import { clientCertificates } from '../../../src/authn/client-certificate.ts';
import { ensureCertificates, makeCertificates } from '../../../src/app/certificates.ts';
import { writeKubeconfig } from '../../../src/app/kubeconfig.ts';

const DAY_MS = 86_400_000;

describe('generated certificates', () => {
  let directory: string;
  const now = new Date();
  const hosts = ['localhost', '127.0.0.1', '::1'];

  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'orch-pki-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  it('serve TLS for their hosts and know the administrator', async () => {
    const { authority, serving, admin } = await ensureCertificates({ directory, hosts, now });
    const server = createServer({
      key: serving.key,
      cert: serving.certificate,
      ca: authority,
      requestCert: true,
      rejectUnauthorized: false,
    });
    const accepted = once(server, 'secureConnection') as Promise<[TLSSocket]>;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = connect({
      port,
      host: '127.0.0.1',
      ca: authority,
      cert: admin.certificate,
      key: admin.key,
    });
    await once(client, 'secureConnect');
    assert.equal(client.authorized, true);
    const [socket] = await accepted;
    const authenticate = clientCertificates({
      ...{ authorities: new Authorities([authority]), credentialKey: 'credential-id', now: Date.now },
    });
    const user = await authenticate({ rawHeaders: [], path: '/', authorization: undefined, socket });
    const digest = new X509Certificate(admin.certificate).fingerprint256.replaceAll(':', '').toLowerCase();
    assert.deepEqual(user, {
      name: 'orch-admin',
      uid: '',
      groups: ['system:masters', 'system:authenticated'],
      extra: { 'credential-id': [`X509SHA256=${digest}`] },
    });
    client.destroy();
    server.close();
    await once(server, 'close');
  });

  it('can be had without a folder', async () => {
    const { authority, serving, admin } = await makeCertificates({ hosts, now });
    const issuer = new X509Certificate(authority).publicKey;
    for (const { certificate, key } of [serving, admin]) {
      const parsed = new X509Certificate(certificate);
      assert.ok(parsed.verify(issuer));
      assert.ok(parsed.checkPrivateKey(createPrivateKey(key)));
    }
    assert.equal(new X509Certificate(serving.certificate).checkIP('127.0.0.1'), '127.0.0.1');
  });

  it('are kept over restarts, with private keys for their owner only', async () => {
    const first = await ensureCertificates({ directory, hosts, now });
    assert.deepEqual(await ensureCertificates({ directory, hosts, now }), first);
    for (const name of ['ca', 'serving', 'admin']) {
      assert.equal(statSync(join(directory, `${name}.key`)).mode & 0o777, 0o600);
    }
  });

  it('are renewed before they end, and for a new host, under the same authority', async () => {
    const first = await ensureCertificates({ directory, hosts, now });
    const named = await ensureCertificates({ directory, hosts: [...hosts, 'orch.example'], now });
    assert.equal(named.authority, first.authority);
    assert.notEqual(named.serving.certificate, first.serving.certificate);
    assert.equal(named.admin.certificate, first.admin.certificate);
    const later = await ensureCertificates({ directory, hosts, now: new Date(now.getTime() + 340 * DAY_MS) });
    assert.equal(later.authority, first.authority);
    assert.notEqual(later.admin.certificate, first.admin.certificate);
  });

  for (const [what, file, text] of [
    ['key is empty', 'serving.key', ''],
    ['certificate is cut short', 'serving.crt', '-----BEGIN CERTIFICATE-----\nMIIB'],
  ] as const) {
    it(`are made anew when the ${what}`, async () => {
      const { authority } = await ensureCertificates({ directory, hosts, now });
      writeFileSync(join(directory, file), text);
      const made = await ensureCertificates({ directory, hosts, now });
      assert.equal(made.authority, authority);
      assert.ok(
        new X509Certificate(made.serving.certificate).checkPrivateKey(createPrivateKey(made.serving.key)),
      );
    });
  }

  it('are not replaced when the authority is damaged', async () => {
    await ensureCertificates({ directory, hosts, now });
    writeFileSync(join(directory, 'ca.crt'), 'garbage');
    await assert.rejects(ensureCertificates({ directory, hosts, now }), new RegExp(`ca.crt .* ${directory}`));
  });

  it('stand in a kubeconfig that only its owner can read', async () => {
    const { authority, admin } = await ensureCertificates({ directory, hosts, now });
    const path = join(directory, 'sub', 'orch.kubeconfig');
    await writeKubeconfig(path, { server: 'https://127.0.0.1:6443', authority, client: admin });
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });
});
