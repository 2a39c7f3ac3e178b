import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { KeySet, readSigningKey, readVerifyingKeys } from '../../../../src/authn/service-account/keys.ts';

const ec = (namedCurve: string): KeyObject => generateKeyPairSync('ec', { namedCurve }).privateKey;
const rsa = (modulusLength: number): KeyObject => generateKeyPairSync('rsa', { modulusLength }).privateKey;
const pem = (key: KeyObject, type: 'pkcs8' | 'sec1' | 'pkcs1' = 'pkcs8'): string =>
  key.export({ type, format: 'pem' }).toString();
const PARAMETERS = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n';

describe('keys of service-account tokens', () => {
  for (const [curve, algorithm] of [
    ['P-256', 'ES256'],
    ['P-384', 'ES384'],
    ['P-521', 'ES512'],
  ] as const) {
    it(`signs with ${algorithm} on ${curve}, whatever the form of the key`, () => {
      const key = ec(curve);
      for (const text of [pem(key), PARAMETERS + pem(key, 'sec1')]) {
        assert.equal(readSigningKey(text).verifying.algorithm, algorithm);
      }
    });
  }

  it('signs with RS256 by RSA keys', () => {
    const key = rsa(2048);
    assert.equal(readSigningKey(pem(key, 'pkcs1')).verifying.algorithm, 'RS256');
  });

  it('calls a key by the digest of its public part, as the Go API server does', () => {
    const { verifying } = readSigningKey(pem(ec('P-256')));
    const der = verifying.key.export({ type: 'spki', format: 'der' });
    assert.equal(verifying.id, createHash('sha256').update(der).digest('base64url'));
  });

  it('reads every key of a file, private ones as what they verify', () => {
    const first = readSigningKey(pem(ec('P-256')));
    const second = readSigningKey(pem(ec('P-384')));
    const file = [
      pem(first.privateKey),
      PARAMETERS,
      second.verifying.key.export({ type: 'spki', format: 'pem' }).toString(),
    ].join('junk\n');
    const keys = readVerifyingKeys(file);
    assert.deepEqual(
      keys.map(({ id }) => id),
      [first.verifying.id, second.verifying.id],
    );
    assert.deepEqual(
      keys.map(({ key }) => key.type),
      ['public', 'public'],
    );
  });

  for (const [name, text, message] of [
    ['a file without keys', 'nothing', /holds no RSA or ECDSA key/],
    ['a damaged key', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n', /./],
    ['a short RSA key', pem(rsa(1024)), /1024 bits is too short/],
    ['an Ed25519 key', pem(generateKeyPairSync('ed25519').privateKey), /neither RSA nor ECDSA/],
    ['a curve that tokens have no algorithm for', pem(ec('secp256k1')), /on none of P-256/],
  ] as const) {
    it(`refuses ${name}`, () => assert.throws(() => readVerifyingKeys(text), { message }));
  }

  it('finds keys by what tokens call them, and offers all to those that call none', () => {
    const [one, two] = [
      readSigningKey(pem(ec('P-256'))).verifying,
      readSigningKey(pem(ec('P-256'))).verifying,
    ];
    const keys = new KeySet([one, two, one]);
    assert.deepEqual(keys.candidates(''), [one, two]);
    assert.deepEqual(keys.candidates(two.id), [two]);
    assert.deepEqual(keys.candidates('constructor'), []);
  });
});
