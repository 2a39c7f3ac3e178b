import { readFileSync } from 'node:fs';
import https from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import { startProcess, type ServerProcess } from '../support/server-process.ts';
import type { Found, KillWrite, Running, Victim } from './kill-driver.ts';

interface ConfigMap {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data: { readonly v: string };
}

const COLLECTION = '/api/v1/namespaces/default/configmaps';
/** Marks the objects of this test: the namespace may have others. */
const LABEL = 'soak=yes';

/** The whole server, killed and started again on the same store; what is written are ConfigMaps. */
export function serverVictim(directory: string, args: readonly string[]): Victim {
  return {
    start: async () =>
      new ServerVictim(await startProcess({ directory, args: ['--naming=kubernetes', ...args] })),
  };
}

class ServerVictim implements Running {
  readonly deletesBlindly = true;
  readonly #server: ServerProcess;
  readonly #agent: https.Agent;

  constructor(server: ServerProcess) {
    this.#server = server;
    const config = new KubeConfig();
    config.loadFromString(readFileSync(server.kubeconfig, 'utf8'));
    const user = config.getCurrentUser();
    const pem = (base64: string | undefined): Buffer => Buffer.from(base64 ?? '', 'base64');
    this.#agent = new https.Agent({
      keepAlive: true,
      ca: pem(config.getCurrentCluster()?.caData),
      cert: pem(user?.certData),
      key: pem(user?.keyData),
    });
  }

  async write({ key, expected, value = '' }: KillWrite): Promise<number> {
    const metadata = { name: key, labels: { soak: 'yes' } };
    const answer =
      expected === 0
        ? await this.#send('POST', COLLECTION, { metadata, data: { v: value } })
        : await this.#send('PUT', `${COLLECTION}/${key}`, {
            metadata: { ...metadata, resourceVersion: String(expected) },
            data: { v: value },
          });
    return Number((answer as ConfigMap).metadata.resourceVersion);
  }

  async read(): Promise<{ revision: number; objects: Map<string, Found> }> {
    const list = (await this.#send('GET', `${COLLECTION}?labelSelector=${LABEL}`)) as {
      metadata: { resourceVersion: string };
      items: ConfigMap[] | null;
    };
    const objects = (list.items ?? []).map(({ metadata, data }): [string, Found] => [
      metadata.name,
      { value: data.v, revision: Number(metadata.resourceVersion) },
    ]);
    return { revision: Number(list.metadata.resourceVersion), objects: new Map(objects) };
  }

  async kill(): Promise<void> {
    await this.#server.kill();
    this.#agent.destroy();
  }

  /** Rejects for anything but success. */
  #send(method: string, path: string, body?: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const request = https.request(`${this.#server.url}${path}`, { method, agent: this.#agent, headers });
      request.on('error', reject);
      request.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('error', reject);
        response.on('close', () => {
          if (!response.complete) reject(new Error('the answer was cut short'));
          else if ((response.statusCode ?? 500) >= 300) reject(new Error(`${response.statusCode}: ${text}`));
          else resolve(JSON.parse(text));
        });
      });
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}
