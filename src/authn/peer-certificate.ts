import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { Authorities } from './certificates.ts';

/** What was found out of a connection's certificate, and for how long that holds. */
interface Judged<T> {
  readonly generation: number;
  /** Milliseconds since 1970. */
  readonly until: number;
  /** Or why the certificate is refused. */
  readonly found: T | Error;
}

export interface PeerParts<T> {
  readonly authorities: Authorities;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** What a certificate stands for that the authorities vouch for. @throws Error where that is nothing. */
  readonly read: (certificate: X509Certificate) => T;
}

/** How long a refusal holds, while the authorities stay: a certificate may become valid. */
const REFUSED_MS = 1000;

/**
 * Finds out what the certificate of a connection stands for: once, and again when the authorities are others, or when the
 * certificate, or one on the way to its authority, has expired.
 *
 * @returns undefined for connections without certificate. @throws Error for certificates that are refused.
 */
export function peerCertificates<T>({
  authorities,
  now,
  read,
}: PeerParts<T>): (socket: TLSSocket) => T | undefined {
  const known = new WeakMap<TLSSocket, Judged<T>>();
  const without = new WeakSet<TLSSocket>();

  const judge = (socket: TLSSocket, certificate: X509Certificate): Judged<T> => {
    const { generation } = authorities;
    try {
      // The handshake looks at more than we do: constraints of names and of the lengths of chains.
      if (!socket.authorized) throw new Error(String(socket.authorizationError));
      const { until } = authorities.vouchFor(certificate, now());
      return { generation, until, found: read(certificate) };
    } catch (error) {
      return { generation, until: now() + REFUSED_MS, found: error as Error };
    }
  };

  return function peer(socket) {
    let judged = known.get(socket);
    if (judged === undefined || judged.generation !== authorities.generation || now() >= judged.until) {
      if (without.has(socket)) return undefined;
      const certificate = socket.getPeerX509Certificate();
      if (certificate === undefined) {
        without.add(socket);
        return undefined;
      }
      judged = judge(socket, certificate);
      known.set(socket, judged);
    }
    const { found } = judged;
    if (found instanceof Error) {
      throw new Error(`client certificate refused: ${found.message}`, { cause: found });
    }
    return found;
  };
}
