/**
 * How long it takes until deleted things are gone: a namespace with 5,000 objects of 20 kinds, and 10,000 dependents of
 * one owner, in the background and orphaned.
 *
 *   node bench/lifecycle.ts NAME=https://127.0.0.1:6443,TOKEN [NAME=URL,TOKEN …]
 *
 * The servers (names of the profile `kubernetes`) have to run, with their controllers: ours alone, the Go API server with
 * the Go controller manager. They take turns. `OBJECTS`, `DEPENDENTS` and `ROUNDS` change the sizes.
 */
import http2 from 'node:http2';

const OBJECTS = Number(process.env['OBJECTS'] ?? 5000);
const DEPENDENTS = Number(process.env['DEPENDENTS'] ?? 10_000);
const ROUNDS = Number(process.env['ROUNDS'] ?? 2);
const AT_ONCE = 32;
const POLL_MS = 50;
const LIMIT_MS = 600_000;

const LABELS = { app: 'a' };
const SELECTOR = { matchLabels: LABELS };
const TEMPLATE = { metadata: { labels: LABELS }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const RBAC = 'rbac.authorization.k8s.io';
const BACKEND = { service: { name: 'a', port: { number: 80 } } };
const CLAIM = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

/** Twenty kinds, none of which makes others. */
const KINDS: readonly (readonly [prefix: string, resource: string, body: object])[] = [
  ['/api/v1', 'configmaps', { data: { a: 'b' } }],
  ['/api/v1', 'secrets', { data: {} }],
  ['/api/v1', 'serviceaccounts', {}],
  ['/api/v1', 'endpoints', {}],
  ['/api/v1', 'podtemplates', { template: TEMPLATE }],
  ['/api/v1', 'limitranges', { spec: { limits: [] } }],
  ['/api/v1', 'persistentvolumeclaims', { spec: CLAIM }],
  ['/api/v1', 'replicationcontrollers', { spec: { replicas: 0, selector: LABELS, template: TEMPLATE } }],
  ['/apis/apps/v1', 'replicasets', { spec: { replicas: 0, selector: SELECTOR, template: TEMPLATE } }],
  [
    '/apis/apps/v1',
    'statefulsets',
    { spec: { replicas: 0, serviceName: 'x', selector: SELECTOR, template: TEMPLATE } },
  ],
  ['/apis/apps/v1', 'controllerrevisions', { revision: 1, data: {} }],
  ['/apis/coordination.k8s.io/v1', 'leases', {}],
  [`/apis/${RBAC}/v1`, 'roles', { rules: [] }],
  [`/apis/${RBAC}/v1`, 'rolebindings', { roleRef: { apiGroup: RBAC, kind: 'Role', name: 'x' } }],
  ['/apis/networking.k8s.io/v1', 'networkpolicies', { spec: { podSelector: {} } }],
  ['/apis/networking.k8s.io/v1', 'ingresses', { spec: { defaultBackend: BACKEND } }],
  ['/apis/policy/v1', 'poddisruptionbudgets', { spec: { minAvailable: 1, selector: SELECTOR } }],
  ['/apis/discovery.k8s.io/v1', 'endpointslices', { addressType: 'IPv4', endpoints: [] }],
  ['/apis/storage.k8s.io/v1', 'csistoragecapacities', { storageClassName: 's' }],
  [
    '/apis/batch/v1',
    'jobs',
    { spec: { suspend: true, template: { spec: { ...TEMPLATE.spec, restartPolicy: 'Never' } } } },
  ],
];

interface Answer {
  readonly status: number;
  readonly text: string;
}

class Server {
  readonly name: string;
  readonly #token: string;
  readonly #url: string;
  #session: http2.ClientHttp2Session | undefined;

  constructor(argument: string) {
    const [, name = '', url = '', token = ''] = /^([^=]+)=([^,]+),(.+)$/.exec(argument) ?? [];
    this.name = name;
    this.#token = token;
    this.#url = url;
  }

  ask(method: string, path: string, body?: object): Promise<Answer> {
    const headers = { ':method': method, ':path': path, authorization: `Bearer ${this.#token}` };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const request = this.#connected().request({ ...headers, ...type }, { endStream: body === undefined });
    return new Promise((resolve, reject) => {
      let status = 0;
      const chunks: Buffer[] = [];
      request.on('response', (answer) => (status = Number(answer[':status'])));
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => resolve({ status, text: Buffer.concat(chunks).toString() }));
      request.on('error', reject);
      if (body !== undefined) request.end(JSON.stringify(body));
    });
  }

  async create(path: string, body: object): Promise<{ metadata: { name: string; uid: string } }> {
    const { status, text } = await this.ask('POST', path, body);
    if (status !== 201) throw new Error(`${this.name}: POST ${path}: ${status} ${text}`);
    return JSON.parse(text) as { metadata: { name: string; uid: string } };
  }

  /** Servers end connections that nobody uses while the other one is measured. */
  #connected(): http2.ClientHttp2Session {
    if (this.#session === undefined || this.#session.closed || this.#session.destroyed) {
      this.#session = http2.connect(this.#url, { rejectUnauthorized: false });
    }
    return this.#session;
  }

  close(): void {
    this.#session?.close();
  }
}

async function atOnce(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const workOn = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, workOn));
}

/** @returns seconds until it holds */
async function until(holds: () => Promise<boolean>): Promise<number> {
  const since = performance.now();
  while (!(await holds())) {
    if (performance.now() - since > LIMIT_MS) throw new Error('it takes too long');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return (performance.now() - since) / 1000;
}

async function namespaceGone(server: Server, round: number): Promise<number> {
  const name = `bench-${process.pid}-${round}`;
  const path = `/api/v1/namespaces/${name}`;
  await server.create('/api/v1/namespaces', { metadata: { name } });
  await atOnce(OBJECTS, (i) => {
    const [prefix, resource, body] = KINDS[i % KINDS.length] as (typeof KINDS)[number];
    const metadata = { name: `o-${i}`, namespace: name };
    return server.create(`${prefix}/namespaces/${name}/${resource}`, { ...body, metadata });
  });
  await server.ask('DELETE', path);
  return until(async () => (await server.ask('GET', path)).status === 404);
}

async function dependentsDone(server: Server, propagationPolicy: string): Promise<number> {
  const path = '/api/v1/namespaces/default/configmaps';
  const storm = `storm-${process.pid}-${performance.now().toFixed(0)}`;
  const { metadata } = await server.create(path, { metadata: { name: storm } });
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: storm, uid: metadata.uid }];
  await atOnce(DEPENDENTS, (i) =>
    server.create(path, { metadata: { name: `${storm}-${i}`, labels: { storm }, ownerReferences } }),
  );
  const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy };
  const chosen = `${path}?labelSelector=storm=${storm}`;
  await server.ask('DELETE', `${path}/${storm}`, body);
  const seconds = await until(async () => {
    if ((await server.ask('GET', `${path}/${storm}`)).status !== 404) return false;
    if (propagationPolicy === 'Orphan') return true;
    const { text } = await server.ask('GET', `${chosen}&limit=1`);
    return (JSON.parse(text) as { items: unknown[] }).items.length === 0;
  });
  await server.ask('DELETE', chosen);
  return seconds;
}

const servers = process.argv.slice(2).map((argument) => new Server(argument));
const best = new Map<string, number>();
for (let round = 0; round < ROUNDS; round++) {
  for (const server of servers) {
    const measures: [string, () => Promise<number>][] = [
      [`namespace of ${OBJECTS} gone`, () => namespaceGone(server, round)],
      [`${DEPENDENTS} dependents gone`, () => dependentsDone(server, 'Background')],
      [`${DEPENDENTS} dependents orphaned`, () => dependentsDone(server, 'Orphan')],
    ];
    for (const [what, measure] of measures) {
      const key = `${server.name.padEnd(12)} ${what}`;
      const seconds = await measure();
      console.error(`${key}: ${seconds.toFixed(2)} s`);
      best.set(key, Math.min(best.get(key) ?? Infinity, seconds));
    }
  }
}
for (const [what, seconds] of best) console.log(`${what.padEnd(48)} ${seconds.toFixed(2)} s`);
for (const server of servers) server.close();
