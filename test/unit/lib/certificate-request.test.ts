import assert from 'node:assert/strict';
import { makeRequest, type RequestTemplate } from '../../support/certificate-requests.ts';
import { MAX_REQUEST_BYTES, readCertificateRequest } from '../../../src/lib/x509/certificate-request.ts';

describe('a certificate request', () => {
  it('is read with all its names, whatever the type of its key', async () => {
    const types = ['P-256', 'P-384', 'P-521', 'Ed25519', 'RSA-2048'] as const;
    for (const [index, key] of types.entries()) {
      const { pem } = await makeRequest({
        commonName: 'system:node:eins',
        organizations: ['system:nodes', 'größer'],
        key,
        hash: ['SHA-256', 'SHA-384', 'SHA-512'][index % 3] as string,
        names: [
          { type: 'dns', value: 'eins.example.com' },
          { type: 'ip', value: '10.0.0.7' },
          { type: 'ip', value: '2001:db8::7' },
          { type: 'email', value: 'eins@example.com' },
          { type: 'url', value: 'spiffe://example.com/eins' },
          { type: 'dn', value: 'CN=passed over' },
        ],
      });
      const { publicKey, ...rest } = readCertificateRequest(Buffer.from(pem));
      assert.deepEqual(rest, {
        subject: [
          { type: '2.5.4.10', value: 'system:nodes' },
          { type: '2.5.4.10', value: 'größer' },
          { type: '2.5.4.3', value: 'system:node:eins' },
        ],
        commonName: 'system:node:eins',
        organizations: ['system:nodes', 'größer'],
        dnsNames: ['eins.example.com'],
        ipAddresses: ['10.0.0.7', '2001:0db8:0000:0000:0000:0000:0000:0007'],
        emailAddresses: ['eins@example.com'],
        uris: ['spiffe://example.com/eins'],
      });
      assert.equal(publicKey.type, 'public');
    }
  });

  it('may have no names at all, and text around it', async () => {
    const { pem } = await makeRequest({});
    const { commonName, dnsNames } = readCertificateRequest(Buffer.from(`a note\n${pem}and more\n`));
    assert.deepEqual({ commonName, dnsNames }, { commonName: '', dnsNames: [] });
  });

  it('is for the last of several common names', async () => {
    const { pem } = await makeRequest({ subject: [{ CN: ['first'] }, { CN: ['last'] }] });
    assert.equal(readCertificateRequest(Buffer.from(pem)).commonName, 'last');
  });

  const refused: readonly (readonly [string, RequestTemplate, RegExp])[] = [
    ['a short RSA key', { key: 'RSA-1024' }, /RSA key of 1024 bits: it must have 2048/],
    ['SHA-1', { key: 'RSA-2048', hash: 'SHA-1' }, /signed with 1\.2\.840\.113549\.1\.1\.5: only/],
    ['a line end in its name', { commonName: 'system:node:a\nO=system:masters' }, /control characters/],
    ['a zero in its name', { commonName: 'admin\0.example.com' }, /control characters/],
    ['a further name with a space', { names: [{ type: 'dns', value: 'a b' }] }, /characters that names/],
    ['a further name that is no URI', { names: [{ type: 'url', value: 'nothing' }] }, /no URI: "nothing"/],
  ];
  for (const [what, template, message] of refused) {
    it(`is refused with ${what}`, async () => {
      const { pem } = await makeRequest(template);
      assert.throws(() => readCertificateRequest(Buffer.from(pem)), message);
    });
  }

  it('is refused when it was signed by another key, or changed afterwards', async () => {
    const { pem } = await makeRequest({ commonName: 'system:node:a' });
    const der = Buffer.from(pem.replaceAll(/-.*-/g, ''), 'base64');
    der[der.indexOf('system:node:a') + 12] = 'b'.charCodeAt(0);
    assert.throws(() => readCertificateRequest(toPem(der)), /not by its own key/);
  });

  it('is refused whenever a byte of it is cut off or turned, without a fault of ours', async () => {
    const { pem } = await makeRequest({ commonName: 'a', names: [{ type: 'dns', value: 'b.example' }] });
    const der = Buffer.from(pem.replaceAll(/-.*-/g, ''), 'base64');
    for (let at = 0; at < der.length; at++) {
      assert.throws(() => readCertificateRequest(toPem(der.subarray(0, at))), Error);
      const turned = Buffer.from(der);
      turned[at] = (turned[at] as number) ^ 0x84;
      assert.throws(() => readCertificateRequest(toPem(turned)), Error, `byte ${at}`);
    }
  });

  it('is refused when it is something else, or far too long', () => {
    const deep = Buffer.concat(Array.from({ length: 8000 }, () => Buffer.from([0x30, 0x84, 0, 0, 0, 0])));
    const cases: readonly (readonly [Buffer, RegExp])[] = [
      [Buffer.from('AAAA'), /PEM block of the type CERTIFICATE REQUEST/],
      [Buffer.alloc(0), /PEM block of the type CERTIFICATE REQUEST/],
      [Buffer.from('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'), /the type CERT/],
      [Buffer.from('-----BEGIN CERTIFICATE REQUEST-----\n%%%\n-----END CERTIFICATE REQUEST-----'), /PEM/],
      [Buffer.from('-----BEGIN CERTIFICATE REQUEST-----\n'.repeat(1800)), /the type CERTIFICATE/],
      [toPem(Buffer.from('hello')), /DER/],
      [toPem(Buffer.from([0x30, 0x80])), /a length that it may not have/],
      [toPem(deep), /DER/],
      [Buffer.alloc(MAX_REQUEST_BYTES + 1, 'A'), /at most 65536 bytes/],
    ];
    for (const [pem, message] of cases) assert.throws(() => readCertificateRequest(pem), message);
  });
});

function toPem(der: Buffer): Buffer {
  const text = der.toString('base64');
  return Buffer.from(`-----BEGIN CERTIFICATE REQUEST-----\n${text}\n-----END CERTIFICATE REQUEST-----\n`);
}
