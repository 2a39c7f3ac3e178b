import { once } from 'node:events';
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Transport } from '../../../client/transport.ts';
import { CtlError } from '../errors.ts';
import { renderError } from '../render-error.ts';
import { forward, refuse } from './forward.ts';
import type { RequestFilter } from './filter.ts';
import { isAmbiguous, proxiedPath } from './paths.ts';

/** Clients of one person; more are a mistake. */
const MOST_CONNECTIONS = 1000;

export interface ProxyOptions {
  readonly transport: Transport;
  /** Begins and ends with a slash. */
  readonly prefix: string;
  /** Undefined lets everything pass. */
  readonly filter: RequestFilter | undefined;
}

export interface ProxyAddress {
  readonly address: string;
  /** 0 for any that is free. */
  readonly port: number;
}

/** A proxy that listens. */
export interface RunningProxy {
  /** `127.0.0.1:8001`. */
  readonly address: string;
  /** Ends it, and what it has under way. */
  stop(): Promise<void>;
}

/** Listens for requests and sends them on in the user's name. @throws CtlError where nothing can listen. */
export async function serveProxy(
  options: ProxyOptions,
  { address, port }: ProxyAddress,
): Promise<RunningProxy> {
  const server = createServer((request, response) => {
    handle(request, response, options).catch((error: unknown) => {
      refuse(response, 502, renderError(error, 'orchctl proxy').text.trimEnd());
    });
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.on('upgrade', (_request, socket) => {
    socket.end('HTTP/1.1 501 Not Implemented\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  await listen(server, { address, port });
  return {
    address: addressText(server.address() as AddressInfo),
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: Server, { address, port }: ProxyAddress): Promise<void> {
  try {
    server.listen(port, address);
    await once(server, 'listening');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new CtlError(`unable to listen on ${address}:${port}: ${message}`, {
      ...(code === 'EADDRINUSE'
        ? { hint: 'Choose another port with --port; 0 takes any that is free.' }
        : {}),
      cause,
    });
  }
}

function addressText({ address, port, family }: AddressInfo): string {
  return family === 'IPv6' ? `[${address}]:${port}` : `${address}:${port}`;
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  { transport, prefix, filter }: ProxyOptions,
): Promise<void> {
  const path = proxiedPath(request.url ?? '', prefix);
  if (path === undefined) return refuse(response, 404, '404 page not found');
  if (isAmbiguous(path.decoded))
    return refuse(response, 400, 'the path has segments that are empty, . or ..');
  const { method = '', headers } = request;
  if (filter !== undefined && !filter({ method, path: path.decoded, host: headers.host ?? '' }))
    return refuse(response, 403, STATUS_CODES[403] ?? '');
  await forward(transport, request, response, path.sent);
}
