import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse, parseAllDocuments } from 'yaml';
import { CHART } from '../support/chart.ts';
import { findPeer, run, type Outcome } from './peers.ts';

/** An object as a chart or a server has it, as far as tests look. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: unknown;
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
}

/** A Deployment or a StatefulSet. */
export interface Workload extends Manifest {
  readonly spec: {
    readonly replicas?: number;
    readonly template: { readonly metadata: Manifest['metadata']; readonly spec: PodSpec };
  };
}

export interface Pod extends Manifest {
  readonly spec: PodSpec;
}

export interface PodSpec {
  readonly automountServiceAccountToken?: boolean;
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly containers: readonly [Container];
  readonly volumes?: readonly Volume[];
}

export interface Container {
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly Variable[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly resources?: Readonly<Record<'requests' | 'limits', Readonly<Record<string, string>>>>;
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
}

export interface Probe {
  readonly httpGet: { readonly path: string; readonly scheme: string };
}

export interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly fieldPath: string };
    readonly secretKeyRef?: { readonly name: string; readonly key: string };
  };
}

export interface Volume {
  readonly name: string;
  readonly secret?: {
    readonly secretName: string;
    readonly items?: readonly { readonly key: string; readonly path: string }[];
  };
}

/** The one workload among a chart's objects. */
export function workloadOf(objects: readonly Manifest[]): Workload {
  const found = objects.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
  if (found.length !== 1) throw new Error(`${found.length} workloads`);
  return found[0] as Workload;
}

/** A program that a suite can do without: then it is skipped, and says so. */
export function optionalPeer(name: string): string | undefined {
  try {
    return findPeer(name);
  } catch {
    return undefined;
  }
}

/** The title of a suite that needs programs: says which are missing. */
export function titled(title: string, needs: Readonly<Record<string, string | undefined>>): string {
  const missing = Object.entries(needs).flatMap(([name, path]) => (path === undefined ? [name] : []));
  return missing.length === 0
    ? title
    : `${title} (skipped: no ${missing.join(', no ')} on PATH or in $PEERS/bin)`;
}

/** The chart as Helm renders it. @param flags such as `--set=…` or `--values=…`. */
export function template(helm: string, flags: readonly string[] = []): Manifest[] {
  const outcome = templateOutcome(helm, flags);
  if (outcome.status !== 0) throw new Error(outcome.stderr);
  return parseAllDocuments(outcome.stdout).flatMap((document) => {
    const object = document.toJS() as Manifest | null;
    return object === null ? [] : [object];
  });
}

export function templateOutcome(helm: string, flags: readonly string[]): Outcome {
  return run(helm, ['template', 'it', CHART, '--namespace=it', '--kube-version=1.32.0', ...flags]);
}

/** Runs a program beside this process, which goes on; at most a minute by default. */
export async function runBeside(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  timeout = 60_000,
): Promise<Outcome> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const status =
    child.exitCode ??
    (await new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code))));
  return { status, stdout, stderr };
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Calls a server, and waits for the whole answer. */
export type Call = (method: string, path: string, body?: unknown, contentType?: string) => Promise<Answer>;

/** Calls as the user of a kubeconfig that has certificates inline. */
export function callWith(kubeconfigFile: string): Call {
  const { clusters, users } = parse(readFileSync(kubeconfigFile, 'utf8')) as {
    clusters: [{ cluster: Record<string, string> }];
    users: [{ user: Record<string, string> }];
  };
  const [{ cluster }, { user }] = [clusters[0], users[0]];
  const decoded = (base64 = ''): Buffer => Buffer.from(base64, 'base64');
  return callTo(cluster['server'] ?? '', {
    ca: decoded(cluster['certificate-authority-data']),
    cert: decoded(user['client-certificate-data']),
    key: decoded(user['client-key-data']),
  });
}

/** Calls with the given TLS settings and headers. */
export function callTo(url: string, options: https.RequestOptions): Call {
  return (method, path, body, contentType = 'application/json') => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const headers = { ...options.headers, ...(body === undefined ? {} : { 'content-type': contentType }) };
    https
      .request(url + path, { ...options, method, headers, agent: false }, (answer) => {
        text(answer).then((all) => resolve({ status: answer.statusCode ?? 0, text: all }), reject);
      })
      .on('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
    return promise;
  };
}

/** The path of an object's collection. */
export function collectionPath({ apiVersion, kind, metadata }: Manifest): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const plural = kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`;
  return `${root}/namespaces/${metadata.namespace}/${plural.toLowerCase()}`;
}

/** The values files of the chart's examples. */
export function examplePath(name: string): string {
  return join(CHART, 'ci', name);
}
