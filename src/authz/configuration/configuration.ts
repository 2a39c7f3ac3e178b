import type { NamingProfile } from '../../names/profile.ts';
import { readConfiguration } from '../../schema/configuration/read.ts';
import { list, optional, record, type Shaped } from '../../schema/configuration/shape.ts';

const WEBHOOK = record({
  authorizedTTL: 'duration',
  unauthorizedTTL: 'duration',
  timeout: 'duration',
  subjectAccessReviewVersion: 'string',
  matchConditionSubjectAccessReviewVersion: 'string',
  failurePolicy: 'string',
  connectionInfo: record({ type: 'string', kubeConfigFile: optional('string') }),
  matchConditions: list(record({ expression: 'string' })),
});

const SHAPE = record({
  authorizers: list(record({ type: 'string', name: 'string', webhook: optional(WEBHOOK) })),
});

/** What `--authorization-config` names (KEP-3221). Empty texts stand for what is left out. */
export type AuthorizationConfiguration = Shaped<typeof SHAPE>;
/** A webhook of it. Times are in milliseconds. */
export type WebhookConfiguration = NonNullable<AuthorizationConfiguration['authorizers'][number]['webhook']>;

/** @throws Error naming what the file holds that it may not. */
export function readAuthorizationConfiguration(
  text: string,
  names: NamingProfile,
): AuthorizationConfiguration {
  const group = names.get('config.apiserver');
  return readConfiguration(text, {
    kind: 'AuthorizationConfiguration',
    apiVersions: [`${group}/v1`, `${group}/v1beta1`, `${group}/v1alpha1`],
    shape: SHAPE,
  });
}
