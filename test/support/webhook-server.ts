import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A review that was asked for. */
export interface AskedReview {
  readonly apiVersion: string;
  readonly spec: { readonly user?: string; readonly resourceAttributes?: { readonly resource?: string } };
}

export interface WebhookServer extends AsyncDisposable {
  readonly asked: readonly AskedReview[];
  /** Writes a kubeconfig that leads to it. */
  writeKubeconfig(path: string): void;
}

/** Answers reviews. @param reply writes the whole answer where it returns none. */
export async function startWebhook(
  reply: (review: AskedReview, response: ServerResponse) => object | undefined,
): Promise<WebhookServer> {
  const asked: AskedReview[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const review = JSON.parse(body) as AskedReview;
      asked.push(review);
      const status = reply(review, response);
      if (status !== undefined) response.end(JSON.stringify({ ...review, status }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    writeKubeconfig(path) {
      const config = {
        ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'webhook' },
        clusters: [{ name: 'webhook', cluster: { server: `http://127.0.0.1:${port}/authorize` } }],
        contexts: [{ name: 'webhook', context: { cluster: 'webhook', user: 'server' } }],
        users: [{ name: 'server', user: {} }],
      };
      writeFileSync(path, JSON.stringify(config));
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
