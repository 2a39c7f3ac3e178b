import type { AuthenticationConfiguration } from '../../authn/oidc/configuration.ts';
import type { OidcOptions } from '../options/providers.ts';

/** What the `--oidc-*` flags come to, as a configuration. @param authority the content of `--oidc-ca-file`, or ''. */
export function oidcConfiguration(options: OidcOptions, authority: string): AuthenticationConfiguration {
  const { issuerUrl, clientId, usernameClaim, groupsClaim, groupsPrefix } = options;
  if (issuerUrl === '') return { jwt: [], anonymous: undefined };
  const issuer = {
    ...{ url: issuerUrl, discoveryURL: '', certificateAuthority: authority },
    ...{ audiences: [clientId], audienceMatchPolicy: '' },
  };
  const claimMappings = {
    username: { claim: usernameClaim, prefix: usernamePrefix(options), expression: '' },
    groups: { claim: groupsClaim, prefix: groupsClaim === '' ? undefined : groupsPrefix, expression: '' },
    uid: { claim: '', expression: '' },
    extra: [],
  };
  const claimValidationRules = [...options.requiredClaims].map(([claim, requiredValue]) => ({
    ...{ claim, requiredValue, expression: '', message: '' },
  }));
  return {
    jwt: [{ issuer, claimMappings, claimValidationRules, userValidationRules: [] }],
    anonymous: undefined,
  };
}

/** Names are told apart by their issuer, unless they are addresses, or the prefix is `-`. */
function usernamePrefix({ usernamePrefix: given, usernameClaim, issuerUrl }: OidcOptions): string {
  if (given === '-') return '';
  return given === '' && usernameClaim !== 'email' ? `${issuerUrl}#` : given;
}
