import {
  Agent as HttpAgent,
  request as requestHttp,
  type ClientRequest,
  type OutgoingHttpHeaders,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { Clock } from '../lib/clock.ts';
import type { Backend } from './backend.ts';

/** How node agents are spoken to. PEM. */
export interface AgentTls {
  readonly cert?: string;
  readonly key?: string;
  /** What node agents are verified by; absent: they aren't. */
  readonly ca?: string | undefined;
}

export interface BackendRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Record<string, string | readonly string[]>;
  readonly signal: AbortSignal;
}

export interface BackendsOptions {
  readonly clock: Clock;
  /** How long a connection may take to be made, its TLS handshake included. */
  readonly connectMs: number;
  readonly agentTls: AgentTls;
}

/** Connections that wait for another request. */
const KEPT = { keepAlive: true, maxFreeSockets: 8, timeout: 90_000 } as const;

/** Sends requests to servers that are found in objects: node agents, pods. Connections are kept for a while. */
export class Backends {
  readonly #clock: Clock;
  readonly #connectMs: number;
  readonly #plain = new HttpAgent(KEPT);
  /** Whoever names a server by its address can't verify it. */
  readonly #unverified = new HttpsAgent({ ...KEPT, rejectUnauthorized: false });
  #nodeAgents: HttpsAgent;
  #unverifiedNodeAgents: HttpsAgent;

  constructor({ clock, connectMs, agentTls }: BackendsOptions) {
    this.#clock = clock;
    this.#connectMs = connectMs;
    this.#nodeAgents = nodeAgent(agentTls);
    this.#unverifiedNodeAgents = nodeAgent({ ...agentTls, ca: undefined });
  }

  /**
   * Begins a request, whose body is the caller's to write. It fails ('error') where no connection comes about in time;
   * for the answer it waits as long as the signal doesn't abort.
   *
   * @throws Error for what can't stand in a request line or a header.
   */
  request(backend: Backend, { method, path, headers, signal }: BackendRequest): ClientRequest {
    const secure = backend.scheme === 'https';
    const options = {
      ...{ method, path, signal },
      headers: headers as OutgoingHttpHeaders,
      host: backend.host,
      port: backend.port,
      ...(backend.addresses === undefined ? {} : { lookup: known(backend.addresses) }),
      agent: this.#agent(backend),
      // Else it would be the header's host that the certificate has to be for.
      servername: isIP(backend.host) === 0 ? backend.host : '',
    };
    const sent = secure ? requestHttps(options) : requestHttp(options);
    this.#boundConnecting(sent, secure);
    return sent;
  }

  /** New connections to node agents are made with these. */
  setAgentTls(tls: AgentTls): void {
    const before = [this.#nodeAgents, this.#unverifiedNodeAgents];
    this.#nodeAgents = nodeAgent(tls);
    this.#unverifiedNodeAgents = nodeAgent({ ...tls, ca: undefined });
    before.forEach(closeIdle);
  }

  /** Cuts all connections. */
  close(): void {
    const agents = [this.#plain, this.#unverified, this.#nodeAgents, this.#unverifiedNodeAgents];
    for (const agent of agents) agent.destroy();
  }

  #agent({ scheme, isNodeAgent, skipsVerification }: Backend): HttpAgent {
    if (scheme === 'http') return this.#plain;
    if (!isNodeAgent) return this.#unverified;
    return skipsVerification === true ? this.#unverifiedNodeAgents : this.#nodeAgents;
  }

  #boundConnecting(sent: ClientRequest, secure: boolean): void {
    const late = (): void => void sent.destroy(new Error(`no connection within ${this.#connectMs / 1000} s`));
    const cancel = this.#clock.after(this.#connectMs, late);
    sent.once('close', cancel);
    sent.once('socket', (socket: Socket) => {
      if (sent.reusedSocket) cancel();
      else socket.once(secure ? 'secureConnect' : 'connect', cancel);
    });
  }
}

function nodeAgent({ cert, key, ca }: AgentTls): HttpsAgent {
  return new HttpsAgent({
    ...KEPT,
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(ca === undefined ? { rejectUnauthorized: false } : { ca }),
  });
}

/** Those in use go on; once they are free, nobody asks the agent for them again. */
function closeIdle(agent: HttpsAgent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets))
    for (const socket of sockets ?? []) socket.destroy();
}

/** Connects to the addresses that were found, however the name is answered now. */
function known(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, done) => {
    const [first] = addresses;
    if (all === true) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };
}
