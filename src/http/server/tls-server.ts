import type { IncomingMessage } from 'node:http';
import { createSecureServer, type Http2SecureServer, type SecureServerOptions } from 'node:http2';
import type { SecureContextOptions } from 'node:tls';
import { HTTP2_LIMITS, LIMITS, type ConnectionLimits } from '../limits.ts';
import { StreamRequest, StreamResponse } from './bridge.ts';
import { asksForUpgrade } from '../websocket/request.ts';

/** How the gateway shows itself, and whose client certificates it knows. PEM. */
export interface TlsOptions {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
  /** Authorities of client certificates. Certificates of others are passed on as unauthorized. */
  readonly clientCa?: string | Buffer | readonly (string | Buffer)[];
  readonly minVersion?: 'TLSv1.2' | 'TLSv1.3';
  /** OpenSSL names, colon-separated. */
  readonly ciphers?: string;
}

/** A TLS server of HTTP/1.1 and HTTP/2 on one port, by ALPN, with the limits of {@link LIMITS}. */
export function createTlsServer(
  tls: TlsOptions,
  limits: ConnectionLimits,
  requestTimeoutMs: number,
): Http2SecureServer {
  const server = createSecureServer(serverOptions(tls, limits));
  server.maxConnections = limits.connections;
  const http1 = http1Settings(server);
  http1.maxHeaderSize = LIMITS.headerBytes;
  http1.maxHeadersCount = LIMITS.headerCount;
  http1.headersTimeout = limits.headersMs;
  http1.requestTimeout = requestTimeoutMs + limits.headersMs;
  http1.keepAliveTimeout = limits.idleMs;
  http1.connectionsCheckingInterval = limits.sweepMs;
  // No further protocols are spoken: who asks for one is answered in HTTP, and may go on in it.
  http1.shouldUpgradeCallback = ({ headers }) => asksForUpgrade(headers);
  server.on('session', (session) => session.setLocalWindowSize(HTTP2_LIMITS.connectionWindowBytes));
  return server;
}

interface Http1Settings {
  maxHeaderSize: number;
  maxHeadersCount: number;
  headersTimeout: number;
  requestTimeout: number;
  keepAliveTimeout: number;
  connectionsCheckingInterval: number;
  /** From Node 24.9 on; before, all are upgraded that ask for it. */
  shouldUpgradeCallback: (request: IncomingMessage) => boolean;
}

/** What node's types know of HTTP/1.1 servers only: a secure HTTP/2 server has it as well, for its HTTP/1.1 side. */
export function http1Settings(server: Http2SecureServer): Http1Settings {
  return server as unknown as Http1Settings;
}

/** What can be replaced while the server runs: certificates and what they are checked with. */
export function secureContext(tls: TlsOptions): SecureContextOptions {
  const { clientCa } = tls;
  return {
    cert: tls.cert,
    key: tls.key,
    minVersion: tls.minVersion ?? 'TLSv1.2',
    ...(tls.ciphers === undefined ? {} : { ciphers: tls.ciphers }),
    ...(clientCa === undefined
      ? {}
      : { ca: Array.isArray(clientCa) ? [...(clientCa as (string | Buffer)[])] : (clientCa as string) }),
  };
}

function serverOptions(tls: TlsOptions, limits: ConnectionLimits): SecureServerOptions {
  return {
    ...secureContext(tls),
    allowHTTP1: true,
    Http2ServerRequest: StreamRequest,
    Http2ServerResponse: StreamResponse,
    // Certificates are asked for where somebody knows what to do with them; whoever shows none, or another's, gets in
    // and is authenticated by other means or not at all.
    requestCert: tls.clientCa !== undefined,
    rejectUnauthorized: false,
    handshakeTimeout: limits.handshakeMs,
    connectionsCheckingInterval: limits.sweepMs,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    settings: {
      maxConcurrentStreams: limits.streams,
      initialWindowSize: HTTP2_LIMITS.streamWindowBytes,
      maxFrameSize: HTTP2_LIMITS.frameBytes,
      maxHeaderListSize: LIMITS.headerBytes,
      enablePush: false,
    },
    maxHeaderListPairs: LIMITS.headerCount,
    maxSessionMemory: HTTP2_LIMITS.sessionMemory,
    maxSessionInvalidFrames: HTTP2_LIMITS.invalidFrames,
    maxSessionRejectedStreams: HTTP2_LIMITS.rejectedStreams,
    maxOutstandingPings: HTTP2_LIMITS.outstandingPings,
    streamResetBurst: HTTP2_LIMITS.streamResetBurst,
    streamResetRate: HTTP2_LIMITS.streamResetRate,
  } as unknown as SecureServerOptions;
}
