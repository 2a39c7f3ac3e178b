/**
 * What a decision costs, and what it adds to a request, with many roles and bindings:
 *
 *     node bench/authorization.ts [bindings=10000] [users=1000] [requests=20000]
 *
 * First decisions alone, on the index of roles; then GETs of a ConfigMap over HTTP/2 by users whom one of their bindings
 * allows it, in turns with GETs by a member of system:masters. The client runs in a process of its own; CPU is the server's,
 * of the best of several rounds each: what else the machine does only adds to it.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http2 from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authorizeUnion } from '../src/authz/authorizer.ts';
import { masters } from '../src/authz/built-in.ts';
import { rbacAuthorizer } from '../src/authz/rbac/authorizer.ts';
import { PolicyIndex } from '../src/authz/rbac/policy-index.ts';
import type { RequestInfo } from '../src/request/request-info.ts';
import { parseRequestInfo } from '../src/request/parse-request-info.ts';
import { startControlPlane, type TestControlPlane } from '../src/testing/index.ts';

const NAMESPACES = 100;
const GROUP = 'rbac.authorization.orch.io';
const ROUNDS = 5;

interface Size {
  readonly bindings: number;
  readonly users: number;
  readonly requests: number;
}

const RULES = [
  {
    apiGroups: [''],
    resources: ['pods', 'pods/log', 'services', 'secrets'],
    verbs: ['get', 'list', 'watch'],
  },
  { apiGroups: ['apps'], resources: ['*'], verbs: ['*'] },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'update'] },
];

/** The bindings are spread over all namespaces and users: each user has one in as many namespaces as there are for it. */
const bindingOf = (i: number, { users }: Size) => ({
  namespace: `n${(i + Math.floor(i / users)) % NAMESPACES}`,
  name: `b${i}`,
  user: `user-${i % users}`,
});

const getOf = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps/c`;

async function decisions(size: Size): Promise<void> {
  const index = new PolicyIndex();
  index.setRole('', 'team', RULES);
  for (let i = 0; i < size.bindings; i++) {
    const { namespace, name, user } = bindingOf(i, size);
    const role = { kind: 'ClusterRole', namespace: '', name: 'team' } as const;
    index.setBinding({ namespace, name, role, subjects: [{ kind: 'User', name: user }] });
  }
  const authorize = authorizeUnion([masters, rbacAuthorizer(index, GROUP, () => undefined)]);
  const info = (method: string, path: string): RequestInfo =>
    parseRequestInfo(method, path, new URLSearchParams());
  for (const [title, method] of [
    ['allowed', 'GET'],
    ['refused', 'DELETE'],
  ] as const) {
    const requests = Array.from({ length: 1000 }, (_, i) => {
      const { namespace, user } = bindingOf(i, size);
      const groups = ['team', 'system:authenticated'];
      return { user: { name: user, uid: '', groups, extra: {} }, info: info(method, getOf(namespace)) };
    });
    for (const request of requests) await authorize(request);
    const rounds = Array.from({ length: 10 }, () => 0);
    for (const round of rounds.keys()) {
      const before = process.cpuUsage();
      for (let times = 0; times < 50; times++) for (const request of requests) await authorize(request);
      const { user, system } = process.cpuUsage(before);
      rounds[round] = (user + system) / 50 / requests.length;
    }
    const each = Math.min(...rounds);
    console.log(`a decision, ${title.padEnd(20)} ${each.toFixed(2).padStart(7)} µs`);
  }
}

interface Load {
  readonly origin: string;
  readonly asks: readonly { readonly token: string; readonly path: string }[];
  readonly requests: number;
}

async function client({ origin, asks, requests }: Load): Promise<void> {
  const session = http2.connect(origin, { rejectUnauthorized: false });
  await once(session, 'remoteSettings');
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let i = next++; i < requests; i = next++) {
      const { token, path } = asks[i % asks.length] as Load['asks'][number];
      const stream = session.request({ ':path': path, authorization: `Bearer ${token}` });
      const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpStatusHeader];
      if (headers[':status'] !== 200) throw new Error(`${path} as ${token}: ${headers[':status']}`);
      stream.resume();
      await once(stream, 'end');
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: 32 }, worker));
  process.send?.(performance.now() - started);
  session.close();
}

interface Measured {
  readonly perSecond: number;
  readonly cpu: number;
}

async function measure(load: Load): Promise<Measured> {
  const child = fork(import.meta.filename, ['client']);
  child.send(load);
  const cpu = process.cpuUsage();
  const [ms] = (await once(child, 'message')) as [number];
  const { user, system } = process.cpuUsage(cpu);
  child.kill();
  return { perSecond: (load.requests / ms) * 1000, cpu: (user + system) / load.requests };
}

async function seed({ client: admin }: TestControlPlane, size: Size): Promise<void> {
  const rbac = `${GROUP}/v1`;
  const create = async (path: string, body: object): Promise<void> => {
    await admin.json({ method: 'POST', path, body });
  };
  await create(`/apis/${rbac}/clusterroles`, {
    ...{ apiVersion: rbac, kind: 'ClusterRole', metadata: { name: 'team' } },
    rules: RULES,
  });
  for (let n = 0; n < NAMESPACES; n++) {
    await create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `n${n}` } });
    await create(`/api/v1/namespaces/n${n}/configmaps`, {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: 'b'.repeat(1000) } },
    });
  }
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let i = next++; i < size.bindings; i = next++) {
      const { namespace, name, user } = bindingOf(i, size);
      await create(`/apis/${rbac}/namespaces/${namespace}/rolebindings`, {
        ...{ apiVersion: rbac, kind: 'RoleBinding', metadata: { name } },
        roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: 'team' },
        subjects: [{ apiGroup: GROUP, kind: 'User', name: user }],
      });
    }
  };
  await Promise.all(Array.from({ length: 32 }, worker));
}

async function requests(size: Size): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-bench-'));
  const tokens = join(folder, 'tokens.csv');
  const users = Array.from({ length: size.users }, (_, i) => `user-${i},user-${i},,team\n`);
  const all = Array.from({ length: size.users }, (_, i) => `master-${i},master-${i},,system:masters\n`);
  writeFileSync(tokens, [...users, ...all].join(''));
  const plane = await startControlPlane({ flags: [`--token-auth-file=${tokens}`] });
  try {
    await seed(plane, size);
    const asks = (prefix: string) =>
      Array.from({ length: size.users }, (_, i) => ({
        token: `${prefix}-${i}`,
        path: getOf(bindingOf(i, size).namespace),
      }));
    const kinds = [
      { title: 'GET by system:masters', asks: asks('master'), all: [] as Measured[] },
      { title: 'GET by an allowed user', asks: asks('user'), all: [] as Measured[] },
    ] as const;
    for (let round = -1; round < ROUNDS; round++) {
      for (const kind of kinds) {
        const measured = await measure({ origin: plane.url, asks: kind.asks, requests: size.requests });
        if (round >= 0) kind.all.push(measured);
      }
    }
    const [byMasters, byUsers] = kinds.map(({ title, all }) => {
      const cpu = Math.min(...all.map((one) => one.cpu));
      const rate = Math.max(...all.map((one) => one.perSecond));
      console.log(
        `${title.padEnd(32)} ${rate.toFixed(0).padStart(7)} /s ${cpu.toFixed(1).padStart(7)} µs of CPU each`,
      );
      return cpu;
    });
    console.log(`an allowed user costs ${((byUsers ?? 0) / (byMasters ?? 1)).toFixed(2)}x`);
  } finally {
    await plane.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[2] === 'client') {
  process.once('message', (load) => void client(load as Load));
} else {
  const given = process.argv.slice(2).map((text) => text.split('=') as [string, string]);
  const asked = Object.fromEntries(given.map(([name, value]) => [name, Number(value)]));
  const size: Size = { bindings: 10_000, users: 1000, requests: 20_000, ...asked };
  console.log(`${size.bindings} RoleBindings, ${size.users} users`);
  await decisions(size);
  await requests(size);
}
