import type { NamingProfile } from '../../names/profile.ts';
import { list, optional, record, type Shaped } from '../../schema/configuration/shape.ts';
import { readConfiguration } from '../../schema/configuration/read.ts';

const PREFIXED = record({ claim: 'string', prefix: optional('string'), expression: 'string' });

const JWT = record({
  issuer: record({
    url: 'string',
    discoveryURL: 'string',
    certificateAuthority: 'string',
    audiences: list('string'),
    audienceMatchPolicy: 'string',
  }),
  claimValidationRules: list(
    record({ claim: 'string', requiredValue: 'string', expression: 'string', message: 'string' }),
  ),
  claimMappings: record({
    username: PREFIXED,
    groups: PREFIXED,
    uid: record({ claim: 'string', expression: 'string' }),
    extra: list(record({ key: 'string', valueExpression: 'string' })),
  }),
  userValidationRules: list(record({ expression: 'string', message: 'string' })),
});

const SHAPE = record({
  jwt: list(JWT),
  anonymous: optional(record({ enabled: 'boolean', conditions: list(record({ path: 'string' })) })),
});

/** What `--authentication-config` names (KEP-3331). Empty texts stand for what is left out. */
export type AuthenticationConfiguration = Shaped<typeof SHAPE>;
/** An issuer of tokens, and what its tokens say. */
export type JwtConfiguration = AuthenticationConfiguration['jwt'][number];

/** @throws Error naming what the file holds that it may not. */
export function readAuthenticationConfiguration(
  text: string,
  names: NamingProfile,
): AuthenticationConfiguration {
  const group = names.get('config.apiserver');
  return readConfiguration(text, {
    kind: 'AuthenticationConfiguration',
    apiVersions: [`${group}/v1beta1`, `${group}/v1alpha1`],
    shape: SHAPE,
  });
}
