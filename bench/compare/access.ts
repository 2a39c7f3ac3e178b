/**
 * GETs by ordinary users, of whom there are many with many bindings, on this control plane and beside it on a
 * kube-apiserver that has been given the same objects, tokens and authority, in one run:
 *
 *     node bench/compare/access.ts [--bindings N] [--users N] [--requests N] [--rounds N] [--only embedded,etcd,reference]
 *
 * `make build` comes first. One client in a process of its own asks all servers; of many short rounds the best counts.
 * Processor time is the server's alone, without its etcd's.
 */
import { parseArgs } from 'node:util';
import { makeAuthority } from '../access/authority.ts';
import { startClient, type Connection } from '../access/client.ts';
import { pathOf, seed, TEAM, tokenLines, type Size } from '../access/policy.ts';
import { administrator } from './administrator.ts';
import { processorTimeOf, TOKEN, type Running } from './servers.ts';
import { sideBySide } from './side-by-side.ts';
import { subjects } from './subjects.ts';
import { table } from './table.ts';

const { values } = parseArgs({
  options: {
    bindings: { type: 'string', default: '10000' },
    users: { type: 'string', default: '1000' },
    requests: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '30' },
    only: { type: 'string', default: 'reference,embedded,etcd' },
  },
});
const size: Size = { bindings: Number(values.bindings), users: Number(values.users) };

/** Connections, each with a user of its own. */
const CONNECTIONS = 16;
const RBAC_GROUP = 'rbac.authorization.k8s.io';

const authority = await makeAuthority();
const users = Array.from({ length: size.users }, (_, i) => i);
const some = users.slice(0, CONNECTIONS);
const certificates = await Promise.all(some.map((i) => authority.issue(`user-${i}`, TEAM)));

/** What is asked on which connections. */
const WAYS: Readonly<Record<string, readonly Connection[]>> = {
  'GET by system:masters, by token': some.map((i) => ({ asks: [{ path: pathOf(i, size), token: TOKEN }] })),
  'GET by a user, 16 connections with a token each': some.map((i) => ({
    asks: [{ path: pathOf(i, size), token: `user-${i}` }],
  })),
  'GET by a user, 16 connections with a certificate each': some.map((i) => ({
    ...certificates[i],
    asks: [{ path: pathOf(i, size) }],
  })),
  [`GET by ${size.users} users by turns, by token, on one connection`]: [
    { asks: users.map((i) => ({ path: pathOf(i, size), token: `user-${i}` })) },
  ],
};

async function fill({ url }: Running): Promise<void> {
  const admin = administrator(url);
  const create = async (path: string, body: object): Promise<void> => {
    await admin.json({ method: 'POST', path, body });
  };
  await seed(create, size, { rbacGroup: RBAC_GROUP });
  await admin.close();
}

const clients = { tokens: tokenLines('user', TEAM, size), authority: authority.cert };
const asked = subjects(values.only.split(','), clients);
const requests = Number(values.requests);
const client = startClient();
const columns = await sideBySide(asked, async (step) => {
  await step(async (server) => {
    await fill(server);
    return [];
  });
  for (const [way, connections] of Object.entries(WAYS)) {
    await step(async ({ url }, { name }) => {
      await client.open(`${name}: ${way}`, url, connections);
      await client.run(`${name}: ${way}`, requests);
      return [];
    });
    for (let round = 0; round < Number(values.rounds); round++) {
      await step(async ({ pid }, { name }) => {
        const before = processorTimeOf(pid);
        const ms = await client.run(`${name}: ${way}`, requests);
        const processor = (processorTimeOf(pid) - before) / requests;
        return [
          { name: way, unit: '/s', better: 'higher', value: (1000 * requests) / ms },
          { name: `${way}, processor time`, unit: 'µs', better: 'lower', value: processor },
        ];
      });
    }
  }
});
client.stop();
console.log(`${size.bindings} RoleBindings, ${size.users} users\n\n${table(columns)}`);
