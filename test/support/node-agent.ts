import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { selfSigned, type TestCertificate } from './certificates.ts';

/** An address of this machine by which others reach it, as node agents have; undefined where there is none. */
export function ownAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
}

/** What an agent was asked, as it says in its answers. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export type AgentHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Goes on with a connection in another protocol. */
export type AgentUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** A node agent: it serves those only who show the certificate that it was made with. */
export class TestNodeAgent {
  readonly #server: Server;
  readonly #sockets = new Set<TLSSocket>();
  readonly certificate: TestCertificate;
  /** What the control plane shows. */
  readonly client: TestCertificate;
  /** By path; other paths answer with what was asked. */
  readonly handlers = new Map<string, AgentHandler>();
  /** By path; others are asked for nothing else than HTTP. */
  readonly upgrades = new Map<string, AgentUpgrade>();
  /** Connections so far. */
  connections = 0;

  constructor(certificate: TestCertificate, client: TestCertificate) {
    this.certificate = certificate;
    this.client = client;
    const { cert, key } = certificate;
    const options = { cert, key, ca: client.cert, requestCert: true, rejectUnauthorized: true };
    this.#server = createServer(options, (request, response) => {
      const [path = ''] = (request.url ?? '').split('?');
      (this.handlers.get(path) ?? tell)(request, response);
    });
    this.#server.on('secureConnection', (socket: TLSSocket) => {
      this.connections++;
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const [path = ''] = (request.url ?? '').split('?');
      const upgrade = this.upgrades.get(path);
      if (upgrade !== undefined) upgrade(request, socket, head);
      else socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 6\r\nx-agent: yes\r\n\r\nnot so');
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async listen(address: string): Promise<void> {
    this.#server.listen(0, address);
    await once(this.#server, 'listening');
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** Starts an agent on a free port. */
export async function startNodeAgent(address: string): Promise<TestNodeAgent> {
  const agent = new TestNodeAgent(await selfSigned(undefined, address), await selfSigned());
  await agent.listen(address);
  return agent;
}

function tell(request: IncomingMessage, response: ServerResponse): void {
  void text(request).then((body) => {
    const { method, url, headers } = request;
    response.writeHead(200, {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'x-agent': 'yes',
    });
    response.end(JSON.stringify({ method, url, headers, body }));
  });
}
