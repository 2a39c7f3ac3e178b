import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates, type GeneratedCertificates } from '../../../src/app/certificates.ts';
import type { KeyFiles, SignerFlag, SigningOptions } from '../../../src/app/options/signing.ts';
import { openSigners } from '../../../src/app/signers.ts';
import { readCertificateRequest } from '../../../src/lib/x509/certificate-request.ts';
import { loadNames } from '../../../src/names/load.ts';
import { makeRequest } from '../../support/certificate-requests.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const NOW = Date.parse('2026-11-20T18:57:21Z');
const NONE: KeyFiles = { certificateFile: '', keyFile: '' };
const ALL = ['kube-apiserver-client', 'kube-apiserver-client-kubelet', 'kubelet-serving', 'legacy-unknown'];

describe('the signers', () => {
  let directory: string;
  let generated: GeneratedCertificates;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'orch-signers-'));
    generated = await makeCertificates({ hosts: ['localhost'], now: new Date(NOW) });
  });
  after(() => rmSync(directory, { recursive: true }));

  const names = loadNames({ profile: 'orch' });
  const open = (
    signing: Partial<SigningOptions>,
    own: GeneratedCertificates | undefined,
  ): ReturnType<typeof openSigners> =>
    openSigners({
      config: { signing: { general: NONE, own: new Map(), durationMs: 3_600_000, ...signing } },
      names,
      clock: new ManualClock(NOW),
      generated: own,
    });
  const write = async (name: string, text?: string): Promise<KeyFiles & { readonly certificate: string }> => {
    const made = await makeCertificates({ hosts: [], now: new Date(NOW) });
    const files = {
      certificateFile: join(directory, `${name}.crt`),
      keyFile: join(directory, `${name}.key`),
    };
    writeFileSync(files.certificateFile, text ?? made.authority);
    writeFileSync(files.keyFile, text ?? made.authorityKey);
    return { ...files, certificate: made.authority };
  };
  /** The certificate of the authority that a signer signs with. */
  const signs = async (
    signers: Awaited<ReturnType<typeof open>>,
    name: string,
    by: string,
  ): Promise<boolean> => {
    const { pem } = await makeRequest({ commonName: 'a' });
    const order = { request: readCertificateRequest(Buffer.from(pem)), usages: ['client auth'] };
    const signed = await signers.get(names.get(`signer.${name}`))?.sign(order);
    return new X509Certificate(signed ?? '').verify(new X509Certificate(by).publicKey);
  };

  it("sign with the server's own authority where no flag names one", async () => {
    const signers = await open({}, generated);
    assert.deepEqual(
      [...signers.keys()],
      ALL.map((name) => names.get(`signer.${name}`)),
    );
    for (const name of ALL) assert.ok(await signs(signers, name, generated.authority));
    assert.equal((await open({}, undefined)).size, 0);
  });

  it('sign with the files of all, as they are then', async () => {
    const first = await write('general');
    const signers = await open({ general: first }, generated);
    assert.ok(await signs(signers, 'kubelet-serving', first.certificate));
    const renewed = await write('general');
    assert.ok(await signs(signers, 'kubelet-serving', renewed.certificate));
    await write('general', 'half');
    await assert.rejects(signs(signers, 'kubelet-serving', first.certificate), /--cluster-signing-cert-file/);
  });

  it('sign with files of their own, and those without not at all', async () => {
    const files = await write('own');
    const own = new Map<SignerFlag, KeyFiles>([['kubelet-client', files]]);
    const signers = await open({ own }, generated);
    assert.deepEqual([...signers.keys()], [names.get('signer.kube-apiserver-client-kubelet')]);
    assert.ok(await signs(signers, 'kube-apiserver-client-kubelet', files.certificate));
  });

  it('do not start with files that can not be used', async () => {
    const good = await write('good');
    const other = await write('other');
    const bad = await write('bad', 'no certificate');
    const cases: readonly (readonly [KeyFiles, RegExp])[] = [
      [{ ...good, certificateFile: join(directory, 'missing') }, /--cluster-signing-cert-file: .*missing/],
      [{ ...good, certificateFile: bad.certificateFile }, /--cluster-signing-cert-file: .*bad\.crt/],
      [{ ...good, keyFile: bad.keyFile }, /--cluster-signing-key-file: .*bad\.key/],
      [{ ...good, keyFile: other.keyFile }, /other\.key is not the key of the certificate in .*good\.crt/],
    ];
    for (const [general, message] of cases) {
      await assert.rejects(open({ general }, undefined), (error: AggregateError) => {
        assert.equal(error.errors.length, 1);
        assert.match(String(error.errors[0]), message);
        return true;
      });
    }
  });
});
