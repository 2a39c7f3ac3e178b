import { isIP, connect as connectTcp, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import type { ClientCertificate } from './credentials.ts';
import type { Target } from './target.ts';

export type Protocol = 'h2' | 'http/1.1';

/** An open connection and what is spoken on it. */
export interface Dialled {
  readonly socket: Socket;
  readonly protocol: Protocol;
}

/**
 * Opens a connection, offering HTTP/2 where there is TLS.
 *
 * @throws Error with the `code` that Node gives it, or `ETIMEDOUT`.
 */
export async function dial(target: Target, certificate: ClientCertificate | undefined): Promise<Dialled> {
  const socket =
    target.url.protocol === 'http:'
      ? connectTcp(hostAndPort(target.url))
      : connectTls(tlsOptions(target, certificate, ['h2', 'http/1.1']));
  await established(socket, target);
  socket.setNoDelay(true);
  const protocol = (socket as Partial<TLSSocket>).alpnProtocol === 'h2' ? 'h2' : 'http/1.1';
  return { socket, protocol };
}

/** What TLS needs to know to reach a target. */
export function tlsOptions(
  target: Target,
  certificate: ClientCertificate | undefined,
  protocols: Protocol[],
): ConnectionOptions {
  const { host, port } = hostAndPort(target.url);
  const { authority, insecure, serverName = host } = target;
  return {
    host,
    port,
    ALPNProtocols: protocols,
    rejectUnauthorized: insecure !== true,
    // Addresses can't be asked for by name; they are looked for in the certificate all the same.
    ...(isIP(serverName) === 0 ? { servername: serverName } : {}),
    checkServerIdentity: (_host, peer) => checkServerIdentity(serverName, peer),
    ...(authority === undefined ? {} : { ca: authority }),
    ...certificate,
  };
}

/** A URL's host, without the brackets of an IPv6 address, and port. */
export function hostAndPort({ hostname, port, protocol }: URL): { host: string; port: number } {
  return {
    host: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
  };
}

function established(socket: Socket, { url, connectTimeout, clock }: Target): Promise<void> {
  return new Promise((resolve, reject) => {
    const event = url.protocol === 'http:' ? 'connect' : 'secureConnect';
    const cancel = clock.after(connectTimeout, () => {
      const message = `no connection to ${url.host} within ${Math.ceil(connectTimeout / 1000)} s`;
      socket.destroy(Object.assign(new Error(message), { code: 'ETIMEDOUT' }));
    });
    const closed = (): void => {
      const message = `${url.host} closed the connection before it was established`;
      fail(Object.assign(new Error(message), { code: 'ECONNRESET' }));
    };
    const fail = (error: Error): void => {
      cancel();
      socket.destroy();
      reject(error);
    };
    socket.once('error', fail);
    socket.once('close', closed);
    socket.once(event, () => {
      cancel();
      socket.off('error', fail);
      socket.off('close', closed);
      resolve();
    });
  });
}
