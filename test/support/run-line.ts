import type { Transport, TransportRequest } from '../../src/client/transport.ts';
import { LazyContext } from '../../src/cli/ctl/create-context.ts';
import { runCommandLine } from '../../src/cli/ctl/run.ts';
import { Collected, given } from './terminal.ts';

export interface LineResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What was asked of the server. */
  readonly requests: readonly TransportRequest[];
}

/** What a server answers: an object as JSON, a status and an object, or text. */
export type Answer = object | { readonly status: number; readonly json: object } | string;

/** Answers by `METHOD path?query`, or by the path alone for GET; anything else is 404. */
export type Answers = Readonly<Record<string, Answer>>;

export interface LineOptions {
  readonly answers?: Answers;
  readonly stdin?: string;
  readonly terminal?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly namespace?: string;
  /** What the server warns of with every answer. */
  readonly warning?: string;
  /** What comes of every request in place of an answer. */
  readonly failure?: Error;
}

/** Runs a command line of orchctl inside this process, against answers that are given. */
export async function runLine(argv: readonly string[], options: LineOptions = {}): Promise<LineResult> {
  const requests: TransportRequest[] = [];
  const [stdout, stderr] = [new Collected(options.terminal), new Collected(options.terminal)];
  const { signal } = new AbortController();
  const code = await runCommandLine({
    argv,
    stdout,
    stderr,
    signal,
    createContext: (globals) =>
      new LazyContext(
        {
          ...{ stdin: given(options.stdin ?? ''), stdout, stderr, signal },
          env: options.env ?? {},
          cwd: options.cwd ?? '/',
          connect: () =>
            Promise.resolve({
              server: 'https://server',
              namespace: options.namespace,
              transport: answering(options, requests),
            }),
        },
        globals,
      ),
  });
  return { code, stdout: stdout.text, stderr: stderr.text, requests };
}

function answering({ answers = {}, warning, failure }: LineOptions, requests: TransportRequest[]): Transport {
  return {
    send(request) {
      requests.push(request);
      if (failure !== undefined) return Promise.reject(failure);
      const path = decodeURIComponent(request.path.replaceAll('+', ' '));
      const answer =
        answers[`${request.method} ${path}`] ??
        (request.method === 'GET' ? (answers[path] ?? DISCOVERY[path]) : undefined) ??
        notFound(path);
      const { status, body } = encoded(answer);
      const type = path.startsWith('/api') && path in DISCOVERY ? DISCOVERY_TYPE : 'application/json';
      const headers = warning === undefined ? {} : { warning: `299 - ${JSON.stringify(warning)}` };
      return Promise.resolve({ status, headers: { 'content-type': type, ...headers }, body: once(body) });
    },
    close: () => Promise.resolve(),
  };
}

function encoded(answer: Answer): { status: number; body: string } {
  if (typeof answer === 'string') return { status: 200, body: answer };
  if ('json' in answer && 'status' in answer) {
    return { status: Number(answer.status), body: JSON.stringify(answer.json) };
  }
  return { status: 200, body: JSON.stringify(answer) };
}

function notFound(path: string): Answer {
  const message = `the server could not find the requested resource (${path})`;
  return { status: 404, json: { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404, message } };
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from(text);
}

const DISCOVERY_TYPE = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

function resource(name: string, kind: string, more: object = {}): object {
  return {
    resource: name,
    responseKind: { kind },
    scope: 'Namespaced',
    singularResource: kind.toLowerCase(),
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    ...more,
  };
}

/** A server with a few kinds. */
const DISCOVERY: Answers = {
  '/api': {
    items: [
      {
        metadata: { name: '' },
        versions: [
          {
            version: 'v1',
            resources: [
              resource('configmaps', 'ConfigMap', { shortNames: ['cm'] }),
              resource('events', 'Event'),
              resource('namespaces', 'Namespace', { shortNames: ['ns'], scope: 'Cluster' }),
              resource('nodes', 'Node', { scope: 'Cluster' }),
              resource('pods', 'Pod', {
                shortNames: ['po'],
                categories: ['all'],
                subresources: [{ subresource: 'eviction' }],
              }),
              resource('secrets', 'Secret'),
              resource('services', 'Service', { shortNames: ['svc'], categories: ['all'] }),
            ],
          },
        ],
      },
    ],
  },
  '/apis': {
    items: [
      {
        metadata: { name: 'apps' },
        versions: [
          {
            version: 'v1',
            resources: [
              resource('deployments', 'Deployment', {
                shortNames: ['deploy'],
                categories: ['all'],
                subresources: [{ subresource: 'status' }, { subresource: 'scale' }],
              }),
              resource('replicasets', 'ReplicaSet', { shortNames: ['rs'] }),
            ],
          },
        ],
      },
    ],
  },
};
