import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { startProcess, type ServerProcess } from '../../support/server-process.ts';

/** A user of the victim: a line of its token file. Tokens are the users' names. */
export interface User {
  readonly name: string;
  readonly groups?: readonly string[];
}

/** What is sent, byte for byte as far as HTTP/1.1 lets it: no client library mends it. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  /** Whose token goes along; undefined for nobody's. */
  readonly as?: string | undefined;
  /** Name, value, name, value…: names may stand several times. */
  readonly headers?: readonly string[];
  readonly body?: unknown;
  readonly contentType?: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A server that is attacked: all access by roles, users by tokens. */
export class Victim {
  readonly #process: ServerProcess;
  readonly #folder: string;
  readonly #ca: string;

  private constructor(process: ServerProcess, folder: string) {
    this.#process = process;
    this.#folder = folder;
    const config = parse(readFileSync(process.kubeconfig, 'utf8')) as {
      clusters: { cluster: { 'certificate-authority-data': string } }[];
    };
    this.#ca = Buffer.from(
      config.clusters[0]?.cluster['certificate-authority-data'] ?? '',
      'base64',
    ).toString();
  }

  /** Starts one; the user `admin` is in `system:masters`. */
  static async start(users: readonly User[], flags: readonly string[] = []): Promise<Victim> {
    const folder = mkdtempSync(join(tmpdir(), 'orch-victim-'));
    const all: readonly User[] = [{ name: 'admin', groups: ['system:masters'] }, ...users];
    const lines = all.map(({ name, groups = [] }) => `${name},${name},uid-${name},"${groups.join(',')}"`);
    const file = join(folder, 'tokens.csv');
    writeFileSync(file, lines.join('\n'));
    const args = [
      '--naming=kubernetes',
      `--token-auth-file=${file}`,
      '--authorization-mode=Node,RBAC',
      ...flags,
    ];
    return new Victim(await startProcess({ args }), folder);
  }

  async stop(): Promise<void> {
    await this.#process.stop();
    rmSync(this.#folder, { recursive: true });
  }

  send({ method, path, as, headers = [], body, contentType = 'application/json' }: Sent): Promise<Answer> {
    const { hostname, port } = new URL(this.#process.url);
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const all = [
      ...['Host', `${hostname}:${port}`, ...headers],
      ...(as === undefined ? [] : ['Authorization', `Bearer ${as}`]),
      ...(body === undefined
        ? []
        : ['Content-Type', contentType, 'Content-Length', String(Buffer.byteLength(text))]),
    ];
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    // Paths are sent as they stand: nothing resolves `..` or encodes anything.
    const outgoing = request(
      { method, path, hostname, port, ca: this.#ca, headers: all, agent: false },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
        );
        incoming.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(text);
    return promise;
  }

  /** Sends as `admin`, what must succeed. @throws Error with the answer. */
  async prepare(method: string, path: string, body: unknown): Promise<void> {
    const { status, text } = await this.send({ method, path, as: 'admin', body });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  }

  /** The object at a path as it is stored, without what changes by itself. */
  async stored(path: string): Promise<string> {
    const { status, text } = await this.send({ method: 'GET', path, as: 'admin' });
    return `${status} ${text}`;
  }
}
