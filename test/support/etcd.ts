import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePorts } from './free-ports.ts';

/** How long obtaining an etcd may take where Go has to build one: for the timeout of a `before` hook. */
export const OBTAIN_TIMEOUT_MS = 600_000;

export interface EtcdOptions {
  /** `recent` by default; `old` is 3.5.1, whose progress can't be trusted. */
  readonly version?: 'recent' | 'old';
  /** Serve TLS with these files, and demand client certificates of this authority. */
  readonly tls?: { readonly certfile: string; readonly keyfile: string; readonly clientCafile: string };
  /** Write to the disk before answering, as in production; off by default. */
  readonly fsync?: boolean;
  readonly flags?: readonly string[];
}

interface MemberPlace {
  readonly name: string;
  readonly directory: string;
  readonly client: number;
  readonly peer: number;
  /** `name=peer-url,…` of every member. */
  readonly cluster: string;
}

/** A real etcd of one member, with a directory and ports of its own. */
export interface TestEtcd {
  readonly endpoint: string;
  /** Kills it with SIGKILL and waits for its end. */
  kill(): Promise<void>;
  /** Starts it again on the same port and directory. */
  restart(): Promise<void>;
  /** Stops it from answering (resolves when all its threads stand), and lets it go on: SIGSTOP and SIGCONT. */
  freeze(): Promise<void>;
  thaw(): void;
  /** Ends it and removes its directory. */
  stop(): Promise<void>;
}

/** The path of an etcd binary, obtained if need be. */
export async function etcdBinary(version: 'recent' | 'old' = 'recent'): Promise<string> {
  const script = join(import.meta.dirname, '../../hack/get-etcd');
  const { stdout } = await promisify(execFile)(script, version === 'old' ? ['--old'] : []);
  return stdout.trim();
}

/** Starts an etcd of one member. */
export async function startEtcd(options: EtcdOptions = {}): Promise<TestEtcd> {
  const [etcd] = await startEtcdCluster(1, options);
  return etcd!;
}

/** Starts the members of one cluster. */
export async function startEtcdCluster(members: number, options: EtcdOptions = {}): Promise<TestEtcd[]> {
  const binary = await etcdBinary(options.version);
  const scheme = options.tls === undefined ? 'http' : 'https';
  for (let attempt = 1; ; attempt++) {
    const places = await findPlaces(members);
    const processes = places.map((at) => new EtcdProcess(binary, at.directory, etcdFlags(options, at)));
    try {
      await Promise.all(processes.map((one) => one.launch()));
      return processes.map((one, i) => one.handle(`${scheme}://127.0.0.1:${places[i]!.client}`));
    } catch (error) {
      await Promise.all(processes.map((one) => one.remove()));
      // Somebody else may have taken a port since it was found free.
      if (attempt === 3) throw error;
    }
  }
}

async function findPlaces(members: number): Promise<MemberPlace[]> {
  const ports = await freePorts(2 * members);
  const peers = ports.slice(members);
  const cluster = peers.map((port, i) => `member${i}=http://127.0.0.1:${port}`).join(',');
  return Promise.all(
    peers.map(async (peer, i) => ({
      name: `member${i}`,
      directory: await mkdtemp(join(tmpdir(), 'orch-etcd-')),
      client: ports[i]!,
      peer,
      cluster,
    })),
  );
}

function etcdFlags({ tls, fsync = false, flags = [] }: EtcdOptions, at: MemberPlace): string[] {
  const client = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${at.client}`;
  const peer = `http://127.0.0.1:${at.peer}`;
  return [
    `--name=${at.name}`,
    `--data-dir=${at.directory}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=${at.cluster}`,
    '--logger=zap',
    '--log-level=info',
    ...(fsync ? [] : ['--unsafe-no-fsync']),
    ...(tls === undefined ? [] : tlsFlags(tls)),
    ...flags,
  ];
}

function tlsFlags(tls: NonNullable<EtcdOptions['tls']>): string[] {
  return [
    `--cert-file=${tls.certfile}`,
    `--key-file=${tls.keyfile}`,
    `--trusted-ca-file=${tls.clientCafile}`,
    '--client-cert-auth',
  ];
}

class EtcdProcess {
  readonly #binary: string;
  readonly #directory: string;
  readonly #flags: readonly string[];
  #process: ChildProcess | undefined;

  constructor(binary: string, directory: string, flags: readonly string[]) {
    this.#binary = binary;
    this.#directory = directory;
    this.#flags = flags;
  }

  /** Starts it and waits until it says that it serves clients. */
  async launch(): Promise<void> {
    const child = spawn(this.#binary, this.#flags, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#process = child;
    const lines: string[] = [];
    const output = createInterface({ input: child.stderr });
    const served = new Promise<void>((resolve) => {
      output.on('line', (line) => {
        if (lines.push(line) > 30) lines.shift();
        if (line.includes('serving client traffic')) resolve();
      });
    });
    const exited = once(child, 'exit').then(([code, signal]) => {
      const how = String(code ?? signal);
      throw new Error(`etcd ended with ${how} before it served:\n${lines.join('\n')}`);
    });
    await Promise.race([served, exited]);
    exited.catch(() => undefined);
  }

  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** A signal is only sent when `kill` returns: threads that run answer requests until they notice it. */
  async freeze(): Promise<void> {
    const pid = this.#process?.pid;
    if (pid === undefined) return;
    this.#process?.kill('SIGSTOP');
    while (!(await standsStill(pid))) await setImmediate();
  }

  handle(endpoint: string): TestEtcd {
    return {
      endpoint,
      kill: () => this.kill(),
      restart: () => this.launch(),
      freeze: () => this.freeze(),
      thaw: () => this.#process?.kill('SIGCONT'),
      stop: () => this.remove(),
    };
  }

  async remove(): Promise<void> {
    await this.kill();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

/** Whether every thread of a process is stopped, as far as the system tells. */
async function standsStill(pid: number): Promise<boolean> {
  const threads = `/proc/${pid}/task`;
  const ids = await readdir(threads).catch(() => []);
  const states = await Promise.all(
    ids.map(async (id) => {
      const stat = await readFile(join(threads, id, 'stat'), 'utf8').catch(() => '');
      return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
    }),
  );
  return states.every((state) => state === 'T' || state === '');
}
