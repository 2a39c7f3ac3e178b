import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { UserInfo } from '../request/context.ts';
import { authenticatedUser, type Authenticator } from './authenticator.ts';

/** What a connection shows that names nobody: a certificate that was refused, or none at all. */
const REFUSED = Symbol('refused');
const NONE = Symbol('none');

/**
 * Client certificates signed by one of the authorities that the TLS listener was given: the subject's common name is
 * the user, each organization a group. The handshake verifies chain and validity (and the client purpose) once per
 * connection; so does this, per connection, with the result.
 */
export function clientCertificates(): Authenticator {
  const known = new WeakMap<TLSSocket, UserInfo | typeof REFUSED | typeof NONE>();
  return function clientCertificate({ socket }) {
    let user = known.get(socket);
    if (user === undefined) {
      const certificate = socket.getPeerX509Certificate();
      if (certificate === undefined) user = NONE;
      else user = (socket.authorized ? userOf(certificate) : undefined) ?? REFUSED;
      known.set(socket, user);
    }
    if (user === NONE) return Promise.resolve(undefined);
    if (user !== REFUSED) return Promise.resolve(user);
    const reason = socket.authorizationError ?? 'no common name';
    return Promise.reject(new Error(`client certificate refused: ${String(reason)}`));
  };
}

/** The identity in a certificate's subject. @returns undefined without a common name. */
export function userOf(certificate: X509Certificate): UserInfo | undefined {
  const subject = certificate.toLegacyObject().subject as Record<string, string | string[] | undefined>;
  // Of several common names the last counts, as in the Go implementation that issued certificates are made for.
  const name = values(subject['CN']).at(-1);
  if (name === undefined || name === '') return undefined;
  return authenticatedUser({ name, uid: '', groups: values(subject['O']) });
}

function values(attribute: string | string[] | undefined): string[] {
  if (attribute === undefined) return [];
  return typeof attribute === 'string' ? [attribute] : attribute;
}
