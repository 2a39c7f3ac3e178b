import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
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

/** A node agent: it serves those only who show the certificate that it was made with. */
export class TestNodeAgent {
  readonly #server: Server;
  readonly certificate: TestCertificate;
  /** What the control plane shows. */
  readonly client: TestCertificate;
  /** By path; other paths answer with what was asked. */
  readonly handlers = new Map<string, AgentHandler>();
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
    this.#server.on('secureConnection', () => this.connections++);
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
