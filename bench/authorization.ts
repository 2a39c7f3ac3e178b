/**
 * What a decision costs, and what it adds to a request, with many roles and bindings:
 *
 *     node bench/authorization.ts [bindings=10000] [users=1000] [requests=400] [pairs=300]
 *
 * First decisions alone, on the index of roles; then GETs of a ConfigMap over HTTP/2 by users whom one of their bindings
 * allows it, in pairs of short rounds with GETs by members of system:masters. The client runs in a process of its own; CPU
 * is the server's. Told are medians, and between what they lie with a certainty of 95 %.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeAuthority, type Authority } from './access/authority.ts';
import { startClient, type Connection } from './access/client.ts';
import { bindingOf, pathOf, RULES, seed, TEAM, tokenLines, type Size } from './access/policy.ts';
import { compare, tellMedian } from './access/rounds.ts';
import { authorizeUnion } from '../src/authz/authorizer.ts';
import { masters } from '../src/authz/built-in.ts';
import { rbacAuthorizer } from '../src/authz/rbac/authorizer.ts';
import { PolicyIndex } from '../src/authz/rbac/policy-index.ts';
import { parseRequestInfo } from '../src/request/parse-request-info.ts';
import { startControlPlane } from '../src/testing/index.ts';

const GROUP = 'rbac.authorization.orch.io';
const MASTERS = 'system:masters';
/** Connections with a user each. */
const CONNECTIONS = 16;

interface Settings extends Size {
  /** In a round. */
  readonly requests: number;
  readonly pairs: number;
}

async function decisions(size: Size): Promise<void> {
  const index = new PolicyIndex();
  index.setRole('', TEAM, RULES);
  for (let i = 0; i < size.bindings; i++) {
    const { namespace, name, user } = bindingOf(i, size);
    const role = { kind: 'ClusterRole', namespace: '', name: TEAM } as const;
    index.setBinding({ namespace, name, role, subjects: [{ kind: 'User', name: user }] });
  }
  const authorize = authorizeUnion([masters, rbacAuthorizer(index, GROUP, () => undefined)]);
  for (const [title, method] of [
    ['allowed', 'GET'],
    ['refused', 'DELETE'],
  ] as const) {
    const requests = Array.from({ length: 1000 }, (_, i) => {
      const user = { name: bindingOf(i, size).user, uid: '', groups: [TEAM], extra: {} };
      return { user, info: parseRequestInfo(method, pathOf(i, size), new URLSearchParams()) };
    });
    for (const request of requests) await authorize(request);
    const rounds = Array.from({ length: 10 }, () => 0);
    for (const round of rounds.keys()) {
      const before = process.cpuUsage();
      for (let times = 0; times < 50; times++) for (const request of requests) await authorize(request);
      const { user, system } = process.cpuUsage(before);
      rounds[round] = (user + system) / 50 / requests.length;
    }
    console.log(
      `a decision, ${title.padEnd(20)} ${Math.min(...rounds)
        .toFixed(2)
        .padStart(7)} µs`,
    );
  }
}

/** The ways in which users come, with the connections of those whose names begin with `prefix`. */
function waysToAsk(size: Size, authority: Authority) {
  const ask = (prefix: string, i: number) => ({ path: pathOf(i, size), token: `${prefix}-${i}` });
  const users = Array.from({ length: size.users }, (_, i) => i);
  const some = users.slice(0, CONNECTIONS);
  type Way = (prefix: string, group: string) => Promise<Connection[]>;
  const ways: Readonly<Record<string, Way>> = {
    'a token for each request': (prefix) => Promise.resolve([{ asks: users.map((i) => ask(prefix, i)) }]),
    'a token for each connection': (prefix) => Promise.resolve(some.map((i) => ({ asks: [ask(prefix, i)] }))),
    'a certificate for each connection': (prefix, group) =>
      Promise.all(
        some.map(async (i) => ({
          ...(await authority.issue(`${prefix}-${i}`, group)),
          asks: [{ path: pathOf(i, size) }],
        })),
      ),
  };
  return Object.entries(ways);
}

async function requests(settings: Settings): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-bench-'));
  const [tokens, ca] = [join(folder, 'tokens.csv'), join(folder, 'ca.crt')];
  const authority = await makeAuthority();
  writeFileSync(tokens, tokenLines('user', TEAM, settings) + tokenLines('master', MASTERS, settings));
  writeFileSync(ca, authority.cert);
  const plane = await startControlPlane({ flags: [`--token-auth-file=${tokens}`, `--client-ca-file=${ca}`] });
  const client = startClient();
  const round = async (name: string): Promise<number> => {
    const before = process.cpuUsage();
    await client.run(name, settings.requests);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / settings.requests;
  };
  try {
    const create = async (path: string, body: object): Promise<void> => {
      await plane.client.json({ method: 'POST', path, body });
    };
    await seed(create, settings, { rbacGroup: GROUP });
    for (const [way, connections] of waysToAsk(settings, authority)) {
      await client.open(`master, ${way}`, plane.url, await connections('master', MASTERS));
      await client.open(`user, ${way}`, plane.url, await connections('user', TEAM));
      const { base, other, ratio } = await compare(
        () => round(`master, ${way}`),
        () => round(`user, ${way}`),
        settings.pairs,
      );
      console.log(way);
      console.log(`  GET by system:masters      ${tellMedian(base, 1)} µs of CPU`);
      console.log(`  GET by an allowed user     ${tellMedian(other, 1)} µs of CPU`);
      console.log(`  an allowed user costs      ${tellMedian(ratio, 3)} times as much`);
    }
  } finally {
    client.stop();
    await plane.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const given = process.argv.slice(2).map((text) => text.split('=') as [string, string]);
const asked = Object.fromEntries(given.map(([name, value]) => [name, Number(value)]));
const settings: Settings = { bindings: 10_000, users: 1000, requests: 400, pairs: 300, ...asked };
console.log(`${settings.bindings} RoleBindings, ${settings.users} users`);
await decisions(settings);
await requests(settings);
