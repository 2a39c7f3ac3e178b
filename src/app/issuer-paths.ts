import {
  ISSUER_PATH,
  issuerDocuments,
  KEYS_PATH,
  type IssuerDocuments,
} from '../authn/service-account/discovery.ts';
import type { KeySet } from '../authn/service-account/keys.ts';
import { issuerEndpoint } from '../http/endpoints/issuer.ts';
import type { Endpoint } from '../http/pipeline.ts';
import type { Log } from '../telemetry/log/log.ts';
import type { CompletedConfig } from './options/complete.ts';

/** The paths at which others learn how to verify tokens of service accounts; none for an issuer that is no https URL. */
export function issuerPaths(
  config: CompletedConfig,
  keys: KeySet,
  log: Log,
): readonly (readonly [path: string, endpoint: Endpoint])[] {
  const [issuer = ''] = config.serviceAccounts.issuers;
  const documents: IssuerDocuments | undefined = issuerDocuments(issuer, jwksUri(config), keys);
  if (documents === undefined) {
    log.warning('the issuer of service-account tokens can not be discovered: it is no https URL', { issuer });
    return [];
  }
  return [
    [ISSUER_PATH, issuerEndpoint('application/json', documents.configuration)],
    [KEYS_PATH, issuerEndpoint('application/jwk-set+json', documents.keys)],
  ];
}

function jwksUri({ serviceAccounts, serving, advertiseAddress }: CompletedConfig): string {
  if (serviceAccounts.jwksUri !== '') return serviceAccounts.jwksUri;
  const host = serving.externalHostname === '' ? advertiseAddress : serving.externalHostname;
  return `https://${host.includes(':') ? `[${host}]` : host}:${serving.port}${KEYS_PATH}`;
}
