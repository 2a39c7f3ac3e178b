import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import {
  startControlPlane,
  type ControlPlaneOptions,
  type TestControlPlane,
} from '../../src/testing/index.ts';

/** An answer, its body read as JSON where it is. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A request as it goes over the wire: the path as it is written. */
export interface Ask {
  readonly method?: string;
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A control plane whose users have tokens of their own names. */
export interface AccessPlane extends AsyncDisposable {
  readonly plane: TestControlPlane;
  /** A folder for files that flags name. */
  readonly folder: string;
  /** Asks as a user. */
  ask(user: string, ask: Ask): Promise<Answer>;
}

/** Users by name, with their groups. */
export type Users = Readonly<Record<string, readonly string[]>>;

/** Starts one. @param flags further flags, made from the folder for their files. */
export async function startAccessPlane(
  users: Users,
  flags: (folder: string) => readonly string[] = () => [],
  options: ControlPlaneOptions = {},
): Promise<AccessPlane> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-access-'));
  const tokens = join(folder, 'tokens.csv');
  const rows = Object.entries(users).map(([name, groups]) => `${name},${name},,"${groups.join(',')}"\n`);
  writeFileSync(tokens, rows.join(''));
  const given = [`--token-auth-file=${tokens}`, ...flags(folder)];
  const plane = await startControlPlane({ ...options, flags: [...given, ...(options.flags ?? [])] });
  const config = parse(plane.kubeconfig) as {
    clusters: { cluster: { 'certificate-authority-data': string } }[];
  };
  const ca = Buffer.from(config.clusters[0]?.cluster['certificate-authority-data'] ?? '', 'base64');
  const agent = new Agent({ keepAlive: true, ca });
  return {
    plane,
    folder,
    ask: (user, ask) => askServer(plane.url, agent, user, ask),
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await plane.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function askServer(url: string, agent: Agent, user: string, ask: Ask): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const { method = 'GET', path, body, headers = {} } = ask;
  return new Promise((resolve, reject) => {
    const all = {
      authorization: `Bearer ${user}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const asked = request({ agent, hostname, port, path, method, headers: all }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: answer.statusCode ?? 0, body: read(text), headers: answer.headers });
      });
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
