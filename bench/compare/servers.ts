import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, freePorts } from '../../test/support/free-ports.ts';

/** A program under measurement, or one that it needs. */
export interface Running {
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from the start of the process to the first 200 of /readyz. */
  readonly readyMs: number;
  /** Ends it and starts it again on the same data. @returns milliseconds from the start to ready */
  restart(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts one kind of server on a fresh data directory (and etcd, where it has one). */
export type Start = () => Promise<Running>;

/** Of a member of system:masters. */
export const TOKEN = 'bench-admin';

/** Whom a server is to know besides the one with {@link TOKEN}. */
export interface Clients {
  /** Lines of a file of tokens. */
  readonly tokens?: string;
  /** Of certificates, PEM. */
  readonly authority?: string;
}

const root = join(import.meta.dirname, '../..');

/** Ours, built, on the embedded store or on the etcd at `etcdUrl`. */
export async function startOurs(clients: Clients, etcdUrl?: string): Promise<Running> {
  const directory = mkdtempSync(join(tmpdir(), 'orch-bench-'));
  const port = await freePort();
  return launch(directory, port, join(root, 'hack/orchd'), [
    '--naming=kubernetes',
    `--data-dir=${directory}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    ...clientFlags(directory, clients),
    ...(etcdUrl === undefined ? [] : [`--etcd-servers=${etcdUrl}`]),
  ]);
}

/** The Go API server of release 1.32, storing JSON like ours. */
export async function startReference(program: string, etcdUrl: string, clients: Clients): Promise<Running> {
  const directory = mkdtempSync(join(tmpdir(), 'orch-bench-'));
  const port = await freePort();
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(directory, 'sa.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
  writeFileSync(join(directory, 'sa.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  return launch(directory, port, program, [
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${directory}`,
    `--etcd-servers=${etcdUrl}`,
    ...clientFlags(directory, clients),
    '--authorization-mode=Node,RBAC',
    `--service-account-key-file=${join(directory, 'sa.pub')}`,
    `--service-account-signing-key-file=${join(directory, 'sa.key')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-cluster-ip-range=10.0.0.0/16',
  ]);
}

/** An etcd with its usual durability: every write reaches the disk. */
export async function startEtcd(program: string): Promise<Pick<Running, 'url' | 'stop'>> {
  const directory = mkdtempSync(join(tmpdir(), 'orch-bench-etcd-'));
  const [client, peer] = await freePorts(2);
  const url = `http://127.0.0.1:${client}`;
  const peerUrl = `http://127.0.0.1:${peer}`;
  const child = spawn(program, [
    ...['--data-dir', directory, '--log-level', 'error', '--quota-backend-bytes', '8589934592'],
    ...['--listen-client-urls', url, '--advertise-client-urls', url],
    ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
    ...['--initial-cluster', `default=${peerUrl}`],
  ]);
  await untilReady(child, async () => (await fetch(`${url}/health`)).ok);
  return { url, stop: () => end(child, directory) };
}

async function launch(
  directory: string,
  port: number,
  program: string,
  args: readonly string[],
): Promise<Running> {
  const url = `https://127.0.0.1:${port}`;
  let child: ChildProcess;
  const start = (): Promise<number> => {
    child = spawn(program, args, { stdio: 'ignore' });
    return untilReady(child, () => answers200(`${url}/readyz`));
  };
  const readyMs = await start();
  return {
    url,
    readyMs,
    get pid() {
      return child.pid ?? 0;
    },
    async restart() {
      await exit(child);
      return start();
    },
    stop: () => end(child, directory),
  };
}

async function untilReady(child: ChildProcess, isReady: () => Promise<boolean>): Promise<number> {
  const start = performance.now();
  while (!(await isReady().catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`);
    if (performance.now() - start > 60_000) throw new Error(`${child.spawnfile} is not ready after 60 s`);
    await delay(5);
  }
  return performance.now() - start;
}

function answers200(url: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    https
      .get(url, { rejectUnauthorized: false, agent: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      })
      .on('error', reject);
  });
}

/** Applies an object on the server, and waits for the answer, whatever it is. */
export function apply({ url }: Running, path: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/apply-patch+yaml' };
    const options = { method: 'PATCH', headers, rejectUnauthorized: false, agent: false };
    const request = https.request(`${url}${path}`, options, (answer) => answer.resume().on('end', resolve));
    request.on('error', reject).end(body);
  });
}

async function exit(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

async function end(child: ChildProcess, directory: string): Promise<void> {
  await exit(child);
  rmSync(directory, { recursive: true, force: true });
}

function clientFlags(directory: string, { tokens = '', authority }: Clients): string[] {
  const write = (name: string, text: string): string => {
    const path = join(directory, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const admin = `${TOKEN},admin,admin-uid,"system:masters"\n`;
  return [
    `--token-auth-file=${write('tokens.csv', admin + tokens)}`,
    ...(authority === undefined ? [] : [`--client-ca-file=${write('clients.crt', authority)}`]),
  ];
}

/** Memory of a process, MB: all of it, and the anonymous part (not file mappings such as the store's own pages). */
export function memoryOf(pid: number): { rss: number; anonymous: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mb = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return { rss: mb('VmRSS'), anonymous: mb('RssAnon'), peak: mb('VmHWM') };
}

/** Processor time that a process has taken so far with all its threads, microseconds. */
export function processorTimeOf(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(tasks).map((task) => {
    const [ran = '0'] = readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ');
    return Number(ran);
  });
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1000;
}
