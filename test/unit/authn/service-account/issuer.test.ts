import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { claimNames } from '../../../../src/authn/service-account/claims.ts';
import { tokenIssuer } from '../../../../src/authn/service-account/issuer.ts';
import { signingKey } from '../../../../src/authn/service-account/keys.ts';
import { loadNames } from '../../../../src/names/load.ts';

const key = signingKey(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
const account = { namespace: 'n', name: 'a', uid: 'u' };

describe('issuer of service-account tokens', () => {
  const names = loadNames({ profile: 'kubernetes' });
  const issuer = tokenIssuer(key, 'https://issuer', claimNames(names));

  it('makes tokens of the form that the Go API server makes', () => {
    const token = issuer.issueToken({
      ...{ namespace: 'n', account: { name: 'a', uid: 'u' }, audiences: ['x', 'y'], id: 'j' },
      ...{ pod: { name: 'p', uid: 'pu' }, node: { name: 'w', uid: '' } },
      ...{ issuedAt: 1000, expiresAfter: 600, warnAfter: 60 },
    });
    const { header, payload } = jwt.verify(token, key.verifying.key, {
      algorithms: ['RS256'],
      clockTimestamp: 1000,
      complete: true,
    });
    assert.deepEqual(header, { alg: 'RS256', kid: key.verifying.id });
    assert.deepEqual(payload, {
      ...{ iss: 'https://issuer', sub: 'system:serviceaccount:n:a', aud: ['x', 'y'], jti: 'j' },
      ...{ iat: 1000, nbf: 1000, exp: 1600 },
      'kubernetes.io': {
        namespace: 'n',
        serviceaccount: { name: 'a', uid: 'u' },
        pod: { name: 'p', uid: 'pu' },
        node: { name: 'w' },
        warnafter: 1060,
      },
    });
  });

  it('makes tokens for Secrets that say no time', () => {
    const token = issuer.issueLegacyToken(account, { name: 's' });
    assert.deepEqual(jwt.decode(token), {
      iss: 'kubernetes/serviceaccount',
      sub: 'system:serviceaccount:n:a',
      'kubernetes.io/serviceaccount/namespace': 'n',
      'kubernetes.io/serviceaccount/secret.name': 's',
      'kubernetes.io/serviceaccount/service-account.name': 'a',
      'kubernetes.io/serviceaccount/service-account.uid': 'u',
    });
    assert.equal(issuer.issueLegacyToken(account, { name: 's' }), token);
  });
});
