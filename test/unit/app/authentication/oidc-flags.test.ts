import assert from 'node:assert/strict';
import { oidcConfiguration } from '../../../../src/app/authentication/oidc-flags.ts';
import type { OidcOptions } from '../../../../src/app/options/providers.ts';

const ISSUER = 'https://issuer.example.com';
const OPTIONS: OidcOptions = {
  ...{ issuerUrl: ISSUER, clientId: 'orch', caFile: '', usernameClaim: 'sub', usernamePrefix: '' },
  ...{ groupsClaim: '', groupsPrefix: '', signingAlgorithms: ['RS256'], requiredClaims: new Map() },
};

describe('what --oidc-* flags come to', () => {
  it('is no issuer without an address', () => {
    assert.deepEqual(oidcConfiguration({ ...OPTIONS, issuerUrl: '' }, ''), { jwt: [], anonymous: undefined });
  });

  const prefixes: readonly (readonly [string, Partial<OidcOptions>, string])[] = [
    ['the issuer by default', {}, `${ISSUER}#`],
    ['the issuer for other claims', { usernameClaim: 'preferred_username' }, `${ISSUER}#`],
    ['none for addresses', { usernameClaim: 'email' }, ''],
    ['what is given', { usernamePrefix: 'oidc:' }, 'oidc:'],
    ['what is given, for addresses too', { usernameClaim: 'email', usernamePrefix: 'oidc:' }, 'oidc:'],
    ['none for a dash', { usernamePrefix: '-' }, ''],
    ['none for a dash, for addresses too', { usernameClaim: 'email', usernamePrefix: '-' }, ''],
  ];
  for (const [what, options, prefix] of prefixes) {
    it(`gives names a prefix: ${what}`, () => {
      const [jwt] = oidcConfiguration({ ...OPTIONS, ...options }, '').jwt;
      assert.equal(jwt?.claimMappings.username.prefix, prefix);
    });
  }

  it('takes tokens for the client, by the authority of the file, with all claims that are required', () => {
    const requiredClaims = new Map([
      ['hd', 'a,b'],
      ['tier', '1'],
    ]);
    const [jwt] = oidcConfiguration({ ...OPTIONS, requiredClaims }, 'PEM').jwt;
    assert.deepEqual(jwt?.issuer.audiences, ['orch']);
    assert.equal(jwt.issuer.certificateAuthority, 'PEM');
    assert.deepEqual(
      jwt.claimValidationRules.map(({ claim, requiredValue }) => [claim, requiredValue]),
      [...requiredClaims],
    );
  });

  it('gives groups a prefix only where there is a claim of groups', () => {
    const groups = (options: Partial<OidcOptions>) =>
      oidcConfiguration({ ...OPTIONS, ...options }, '').jwt[0]?.claimMappings.groups;
    assert.deepEqual(groups({ groupsPrefix: 'g:' }), { claim: '', prefix: undefined, expression: '' });
    const named = { groupsClaim: 'groups', groupsPrefix: 'g:' };
    assert.deepEqual(groups(named), { claim: 'groups', prefix: 'g:', expression: '' });
  });
});
