import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readImage } from '../support/image.ts';
import {
  callTo,
  type Call,
  type Container,
  type Manifest,
  type PodSpec,
  type Variable,
} from './chart-tools.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Where pods of these tests are. */
const POD_IP = '127.0.0.1';

/** A container's folders and command line, as a process of this machine has them. */
export interface Mapped {
  /** Where the container's `path` is. */
  file(path: string): string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  remove(): void;
}

/** Lays out the volumes of a pod below a folder of their own, with the secrets that are among the objects. */
export function mapPod(
  { containers: [container], volumes = [] }: PodSpec,
  objects: readonly Manifest[],
): Mapped {
  const root = mkdtempSync(join(tmpdir(), 'orch-pod-'));
  const mounts = container.volumeMounts ?? [];
  for (const { name, mountPath } of mounts) {
    const folder = join(root, mountPath);
    mkdirSync(folder, { recursive: true });
    const secret = volumes.find((volume) => volume.name === name)?.secret;
    if (secret === undefined) continue;
    const data = secretData(secret.secretName, objects);
    const items = secret.items ?? [...data.keys()].map((key) => ({ key, path: key }));
    for (const { key, path } of items) {
      const content = data.get(key);
      if (content === undefined) throw new Error(`secret ${secret.secretName} has no ${key}`);
      writeFileSync(join(folder, path), content);
    }
  }
  // Longest first, so that no mount's path is taken for another's beginning.
  const paths = mounts.map(({ mountPath }) => mountPath).sort((a, b) => b.length - a.length);
  const mapped = (text: string): string => {
    const path = paths.find((one) => text.includes(one));
    return path === undefined ? text : text.replaceAll(path, join(root, path));
  };
  const env = Object.fromEntries(
    (container.env ?? []).map((one) => [one.name, mapped(valueOf(one, objects))] as const),
  );
  const expanded = (text: string): string =>
    text.replaceAll(/\$\((\w+)\)/g, (whole, name: string) => env[name] ?? whole);
  return {
    file: (path) => join(root, path),
    args: [...(container.command ?? []), ...(container.args ?? [])].map((arg) => mapped(expanded(arg))),
    env,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function secretData(name: string, objects: readonly Manifest[]): ReadonlyMap<string, Buffer> {
  const secret = objects.find(({ kind, metadata }) => kind === 'Secret' && metadata.name === name);
  if (secret === undefined) throw new Error(`no secret ${name}`);
  return new Map([
    ...Object.entries(secret.data ?? {}).map(([key, text]) => [key, Buffer.from(text, 'base64')] as const),
    ...Object.entries(secret.stringData ?? {}).map(([key, text]) => [key, Buffer.from(text)] as const),
  ]);
}

/** The content of a secret's key. */
export function secretText(name: string, key: string, objects: readonly Manifest[]): string {
  const text = secretData(name, objects).get(key);
  if (text === undefined) throw new Error(`secret ${name} has no ${key}`);
  return text.toString();
}

function valueOf({ name, value, valueFrom }: Variable, objects: readonly Manifest[]): string {
  if (value !== undefined) return value;
  if (valueFrom?.fieldRef?.fieldPath === 'status.podIP') return POD_IP;
  const key = valueFrom?.secretKeyRef;
  if (key === undefined) throw new Error(`nothing is known of the variable ${name}`);
  return secretText(key.name, key.key, objects);
}

/** A gateway as the chart starts it. */
export interface RunningPod {
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  /** Where its volumes are. */
  readonly mapped: Mapped;
  readonly process: ChildProcess;
  /** Calls it by the name that its certificate is for. @param token a bearer token; none for an anonymous call. */
  call(host: string, token?: string): Call;
  /** Ends it as a node would. @returns its exit code. */
  stop(): Promise<number | null>;
}

/**
 * Runs the server's container as a process: the image's entry point and environment, the pod's arguments and variables,
 * its volumes in a folder, on a free port of the loopback.
 *
 * @throws Error with what it printed, when it ends before it is ready.
 */
export async function runPod(spec: PodSpec, objects: readonly Manifest[]): Promise<RunningPod> {
  const { entrypoint, env } = readImage();
  const mapped = mapPod(spec, objects);
  const [, ...program] = entrypoint.map((part) => part.replace(/^\/app\//, `${ROOT}/`));
  const local = ['--secure-port=0', `--bind-address=${POD_IP}`];
  const args = mapped.args.filter((arg) => !arg.startsWith('--secure-port='));
  const child = spawn(process.execPath, [...program, ...args, ...local], {
    env: { ...env, ...mapped.env, TMPDIR: mapped.file('/tmp') },
    cwd: dirname(mapped.file('/tmp')),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let output = '';
  const { promise: ready, resolve } = Promise.withResolvers<string>();
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
    const url = /ready on (https:\/\/\S+)/.exec(output)?.[1];
    if (url !== undefined) resolve(url);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const url = await Promise.race([ready, exited.then(() => undefined)]);
  if (url === undefined) {
    mapped.remove();
    throw new Error(`it ended: ${output}`);
  }
  const ca = secretText(tlsSecret(spec), 'ca.crt', objects);
  return {
    url,
    mapped,
    process: child,
    call: (servername, token) =>
      callTo(url, {
        ca,
        servername,
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      }),
    async stop() {
      child.kill('SIGTERM');
      const [code] = await exited;
      mapped.remove();
      return code;
    },
  };
}

function tlsSecret({ volumes = [] }: PodSpec): string {
  return volumes.find(({ name }) => name === 'tls')?.secret?.secretName ?? '';
}

/** Asks what a probe asks, anonymously. @returns the status of the answer. */
export async function probe(
  pod: RunningPod,
  host: string,
  { httpGet }: Container['startupProbe'],
): Promise<number> {
  return (await pod.call(host)('GET', httpGet.path)).status;
}
