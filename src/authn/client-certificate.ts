import { hash, type X509Certificate } from 'node:crypto';
import type { UserInfo } from '../request/context.ts';
import { authenticatedUser, type Authenticator } from './authenticator.ts';
import type { Authorities } from './certificates.ts';
import { peerCertificates } from './peer-certificate.ts';

export interface ClientCertificateParts {
  readonly authorities: Authorities;
  /** Key of the extra value with a certificate's digest. */
  readonly credentialKey: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Client certificates that one of the authorities vouches for: the subject's common name is the user, each organization a
 * group.
 */
export function clientCertificates({
  authorities,
  credentialKey,
  now,
}: ClientCertificateParts): Authenticator {
  const userOfPeer = peerCertificates({
    authorities,
    now,
    read: (certificate) => userOf(certificate, credentialKey),
  });
  // What is thrown in there rejects.
  return ({ socket }) => new Promise((resolve) => resolve(userOfPeer(socket)));
}

/** The identity in a certificate's subject. @throws Error without a common name. */
export function userOf(certificate: X509Certificate, credentialKey: string): UserInfo {
  const { commonName, organizations } = subjectOf(certificate);
  if (commonName === '') throw new Error('no common name');
  const extra = { [credentialKey]: [`X509SHA256=${hash('sha256', certificate.raw, 'hex')}`] };
  return authenticatedUser({ name: commonName, uid: '', groups: organizations, extra });
}

/** The parts of a certificate's subject that name a user. Of several common names the last counts, as in Go. */
export function subjectOf(certificate: X509Certificate): { commonName: string; organizations: string[] } {
  const subject = certificate.toLegacyObject().subject as Record<string, string | string[] | undefined>;
  return { commonName: values(subject['CN']).at(-1) ?? '', organizations: values(subject['O']) };
}

function values(attribute: string | string[] | undefined): string[] {
  if (attribute === undefined) return [];
  return typeof attribute === 'string' ? [attribute] : attribute;
}
