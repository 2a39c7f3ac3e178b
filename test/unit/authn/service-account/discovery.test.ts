import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { issuerDocuments } from '../../../../src/authn/service-account/discovery.ts';
import { KeySet, signingKey } from '../../../../src/authn/service-account/keys.ts';

const rsa = signingKey(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey).verifying;
const ec = signingKey(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey).verifying;
const keys = new KeySet([rsa, ec]);

interface WebKeys {
  keys: Record<string, string>[];
}

describe('documents of the issuer of service-account tokens', () => {
  it('name issuer, keys and algorithms', () => {
    const documents = issuerDocuments('https://issuer/path', 'https://api/openid/v1/jwks', keys);
    assert.deepEqual(JSON.parse(documents?.configuration ?? ''), {
      issuer: 'https://issuer/path',
      jwks_uri: 'https://api/openid/v1/jwks',
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES384', 'RS256'],
    });
  });

  it('hold every key that verifies, and no private part', () => {
    const documents = issuerDocuments('https://issuer', 'https://api/keys', keys);
    const { keys: written } = JSON.parse(documents?.keys ?? '') as WebKeys;
    assert.deepEqual(
      written.map(({ use, kty, kid, alg }) => ({ use, kty, kid, alg })),
      [
        { use: 'sig', kty: 'RSA', kid: rsa.id, alg: 'RS256' },
        { use: 'sig', kty: 'EC', kid: ec.id, alg: 'ES384' },
      ],
    );
    for (const [i, key] of [rsa, ec].entries()) {
      const jwk = written[i] as Record<string, string>;
      assert.ok(key.key.equals(createPublicKey({ key: jwk, format: 'jwk' })));
      assert.ok(!('d' in jwk));
    }
  });

  for (const issuer of [
    'kubernetes/serviceaccount',
    'http://issuer',
    'https://issuer?a=b',
    'https://issuer#a',
  ]) {
    it(`are none for ${issuer}`, () => {
      assert.equal(issuerDocuments(issuer, 'https://api/keys', keys), undefined);
    });
  }
});
