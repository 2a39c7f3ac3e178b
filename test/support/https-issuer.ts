import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { selfSigned } from './certificates.ts';
import { TestIssuer, type TestKey } from './test-issuer.ts';

/** An issuer on a port of its own. */
export interface HttpsIssuer extends AsyncDisposable {
  readonly issuer: TestIssuer;
  /** PEM of the authority of its certificate. */
  readonly authority: string;
  /** Answers in the place of the issuer, while it is set. */
  respond: ((url: string, answer: ServerResponse) => void) | undefined;
}

/** Starts an issuer whose documents are served over HTTPS. */
export async function startIssuer(keys: readonly TestKey[]): Promise<HttpsIssuer> {
  const certificate = await selfSigned();
  const server = createServer({ ...certificate });
  const url = await listening(server);
  const issuer = new TestIssuer(url, keys);
  const running: HttpsIssuer = {
    issuer,
    authority: certificate.cert,
    respond: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  server.on('request', ({ url: path = '' }, answer: ServerResponse) => {
    if (running.respond !== undefined) running.respond(path, answer);
    else void issuer.fetch(`${url}${path}`).then((text) => answer.end(text));
  });
  return running;
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
