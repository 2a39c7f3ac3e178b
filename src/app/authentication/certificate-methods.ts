import type { Authenticator } from '../../authn/authenticator.ts';
import { clientCertificates } from '../../authn/client-certificate.ts';
import { requestHeaders } from '../../authn/request-header.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { ClientAuthorities } from '../client-authorities.ts';
import type { ProxyOptions } from '../options/providers.ts';

export interface CertificateParts {
  readonly authorities: ClientAuthorities;
  readonly names: NamingProfile;
  readonly clock: Clock;
}

/** The methods that go by the certificate that a connection shows, by name: a proxy's is asked for its users first. */
export function certificateMethods(
  proxies: ProxyOptions,
  { authorities, names, clock }: CertificateParts,
): (readonly [name: string, method: Authenticator])[] {
  if (authorities.all.length === 0) return [];
  const now = (): number => clock.now();
  const credentialKey = names.get('userExtra.credential-id');
  const users = clientCertificates({ authorities: authorities.clients, credentialKey, now });
  if (proxies.clientCaFile === '') return [['x509', users]];
  const headers = {
    username: proxies.usernameHeaders,
    uid: proxies.uidHeaders,
    groups: proxies.groupHeaders,
    extraPrefixes: proxies.extraHeaderPrefixes,
  };
  const { allowedNames } = proxies;
  const named = requestHeaders({ authorities: authorities.proxies, allowedNames, headers, now });
  return [
    ['request-header', named],
    ['x509', users],
  ];
}
