import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, X509Certificate, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SigningOrder } from '../../../src/controllers/certificates/signing.ts';
import { signRequest } from '../../../src/app/sign-request.ts';
import { signCertificate, type Signer } from '../../../src/app/x509.ts';
import { readCertificateRequest } from '../../../src/lib/x509/certificate-request.ts';
import { USAGES } from '../../../src/registry/certificatesigningrequest/usages.ts';
import { makeRequest, type RequestTemplate } from '../../support/certificate-requests.ts';

const NOW = Date.parse('2026-11-20T18:57:21Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** An authority with a key of a type, good for ten years. */
async function authority(
  type: 'ec' | 'P-384' | 'rsa' = 'ec',
  end = NOW + 3650 * DAY,
): Promise<Required<Signer>> {
  const { publicKey, privateKey: key }: { publicKey: KeyObject; privateKey: KeyObject } =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: type === 'ec' ? 'P-256' : type });
  const subject = [{ type: '2.5.4.3', value: 'ca' }];
  const dates = { notBefore: new Date(NOW - DAY), notAfter: new Date(end) };
  const certificate = await signCertificate({ subject, publicKey, ...dates }, { key });
  return { certificate, key };
}

async function order(template: RequestTemplate, fields: Partial<SigningOrder> = {}): Promise<SigningOrder> {
  const { pem } = await makeRequest(template);
  return { request: readCertificateRequest(Buffer.from(pem)), usages: ['client auth'], ...fields };
}

const time = (durationMs = 365 * DAY) => ({ now: NOW, durationMs });

describe('a signed certificate', () => {
  it('says what was asked, and is by its authority, whatever the keys are', async () => {
    const names = [
      { type: 'dns', value: 'a.example.com' },
      { type: 'ip', value: '10.0.0.1' },
      { type: 'ip', value: '2001:db8::1' },
      { type: 'email', value: 'a@example.com' },
      { type: 'url', value: 'spiffe://example.com/a' },
    ] as const;
    for (const [type, key] of [
      ['ec', 'RSA-2048'],
      ['P-384', 'Ed25519'],
      ['rsa', 'P-521'],
    ] as const) {
      const signer = await authority(type);
      const template = { commonName: 'jane', organizations: ['a', 'größer', '#0c01'], names, key };
      const asked = await order(template, { usages: ['digital signature', 'client auth', 's/mime'] });
      const certificate = new X509Certificate(await signRequest(asked, signer, time()));
      assert.ok(certificate.checkIssued(new X509Certificate(signer.certificate)));
      assert.ok(certificate.verify(new X509Certificate(signer.certificate).publicKey));
      assert.deepEqual(
        { ...certificate.toLegacyObject().subject },
        { O: ['a', 'größer', '#0c01'], CN: 'jane' },
      );
      assert.equal(
        certificate.subjectAltName,
        'DNS:a.example.com, email:a@example.com, IP Address:10.0.0.1, IP Address:2001:DB8:0:0:0:0:0:1, URI:spiffe://example.com/a',
      );
      assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.4']);
      assert.equal(certificate.ca, false);
      assert.ok(certificate.publicKey.equals(asked.request.publicKey));
    }
  });

  it('has one common name, and no parts that nobody knows', async () => {
    const subject = [
      { CN: ['first'] },
      { '1.2.3.4': ['odd'] },
      { '2.5.4.5': ['1'] },
      { C: ['CH'] },
      { CN: ['last'] },
    ];
    const asked = await order({ subject });
    const certificate = new X509Certificate(await signRequest(asked, await authority(), time()));
    assert.equal(certificate.subject, 'C=CH\nCN=last\nserialNumber=1');
  });

  const lives: readonly (readonly [string, number | undefined, number, number])[] = [
    ['the longest where nothing is asked', undefined, 365 * DAY, 365 * DAY - 5 * MINUTE],
    ['what is asked', 86_400, 365 * DAY, DAY - 5 * MINUTE],
    ['what is asked, all of it, where that is short', 3600, 365 * DAY, HOUR],
    ['no more than the longest', 2 * 365 * 86_400, 30 * DAY, 30 * DAY - 5 * MINUTE],
    ['ten minutes at least', 1, 365 * DAY, 10 * MINUTE],
  ];
  for (const [what, seconds, longest, expected] of lives) {
    it(`is good for ${what}`, async () => {
      const asked = await order({ commonName: 'a' }, seconds === undefined ? {} : { seconds });
      const signed = new X509Certificate(await signRequest(asked, await authority(), time(longest)));
      assert.equal(Date.parse(signed.validFrom), NOW - 5 * MINUTE);
      assert.equal(Date.parse(signed.validTo) - NOW, expected);
    });
  }

  it('ends with its authority, which must not have ended', async () => {
    const asked = await order({ commonName: 'a' });
    const short = await authority('ec', NOW + HOUR);
    const signed = new X509Certificate(await signRequest(asked, short, time()));
    assert.equal(Date.parse(signed.validTo) - NOW, HOUR);
    const ended = await authority('ec', NOW - 1000);
    await assert.rejects(signRequest(asked, ended, time()), /certificate of the authority has ended/);
  });

  it('is for all usages that there are, as openssl reads them', async function () {
    const openssl = (...args: string[]) => spawnSync('openssl', args, { encoding: 'utf8' });
    if (openssl('version').status !== 0) this.skip();
    const directory = mkdtempSync(join(tmpdir(), 'orch-signed-'));
    try {
      const signer = await authority();
      const asked = await order({ commonName: '' }, { usages: USAGES });
      writeFileSync(join(directory, 'ca.crt'), signer.certificate);
      writeFileSync(join(directory, 'a.crt'), await signRequest(asked, signer, time()));
      const text = openssl('x509', '-in', join(directory, 'a.crt'), '-noout', '-text').stdout;
      assert.match(
        text,
        /Key Usage: critical\s+Digital Signature, Non Repudiation, Key Encipherment, Data Encipherment, Key Agreement, Certificate Sign, CRL Sign, Encipher Only, Decipher Only/,
      );
      assert.match(text, /Any Extended Key Usage, TLS Web Client Authentication/);
      assert.match(text, /CA:FALSE/);
      const at = String(Math.floor(NOW / 1000));
      const verified = openssl(
        'verify',
        '-attime',
        at,
        '-CAfile',
        join(directory, 'ca.crt'),
        join(directory, 'a.crt'),
      );
      assert.equal(verified.status, 0, verified.stderr);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
