/**
 * What wrong tokens cost the server, beside good ones, per request:
 *
 *     node bench/tokens.ts [requests=200] [pairs=100]
 *
 * Each kind is measured in pairs of short rounds with GETs that carry a good token of a service account. The client runs in a
 * process of its own; the processor time is the server's, without what its threads for such work share. Told are medians, and
 * between what they lie with a certainty of 95 %.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startClient, type Ask } from './access/client.ts';
import { compare, tellMedian } from './access/rounds.ts';
import { startControlPlane } from '../src/testing/index.ts';

const given = process.argv.slice(2).map((text) => text.split('=') as [string, string]);
const asked = Object.fromEntries(given.map(([name, value]) => [name, Number(value)]));
const { requests, pairs } = { requests: 200, pairs: 100, ...asked };

const PATH = '/api/v1/namespaces/default/serviceaccounts/default';
/** Tokens of a kind: by turns, so many that no request brings one of the last few thousand. */
const MANY = 20_000;

type Part = Record<string, unknown>;

/** The token with other parts; a part that is a text is taken as it is. */
function forged(token: string, header: Part, payload: Part): string {
  const [head = '', body = '', signature = ''] = token.split('.');
  const changed = (part: string, by: Part): string => {
    const value = JSON.parse(Buffer.from(part, 'base64url').toString()) as Part;
    return Buffer.from(JSON.stringify({ ...value, ...by })).toString('base64url');
  };
  return `${changed(head, header)}.${changed(body, payload)}.${signature}`;
}

const folder = mkdtempSync(join(tmpdir(), 'orch-bench-'));
const file = join(folder, 'tokens.csv');
writeFileSync(file, 'static,static,,system:masters\n');
const plane = await startControlPlane({ flags: [`--token-auth-file=${file}`] });
const client = startClient();
const round = async (name: string): Promise<number> => {
  const before = process.cpuUsage();
  await client.run(name, requests);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / requests;
};
try {
  const body = { spec: { expirationSeconds: 7200 } };
  const { status } = await plane.client.json<{ status: { token: string } }>({
    ...{ method: 'POST', path: `${PATH}/token`, body },
  });
  const good = status.token;
  const binding = {
    metadata: { name: 'reader' },
    roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'default' }],
  };
  const bindings = '/apis/rbac.authorization.orch.io/v1/clusterrolebindings';
  await plane.client.json({ method: 'POST', path: bindings, body: binding });

  const many = (make: (i: number) => string): Ask[] =>
    Array.from({ length: MANY }, (_, i) => ({ path: PATH, token: make(i), status: 401 }));
  const long = 'x'.repeat(11_000);
  const kinds: Readonly<Record<string, readonly Ask[]>> = {
    'good, from the file': [{ path: PATH, token: 'static' }],
    'none at all (403)': [{ path: PATH, status: 403 }],
    'no token of ours': many((i) => `nobody-${i}`),
    malformed: many((i) => `${i}.${good.slice(20)}`),
    'another issuer': many((i) => forged(good, {}, { iss: `https://other-${i}` })),
    'a key that nobody has': many((i) => forged(good, { kid: `other-${i}` }, {})),
    'no algorithm': many((i) => forged(good, { alg: 'none' }, { jti: `${i}` })),
    'a wrong signature': many((i) => forged(good, {}, { jti: `${i}` })),
    'a wrong signature, the same each time': [
      { path: PATH, token: forged(good, {}, { jti: 'x' }), status: 401 },
    ],
    'a wrong signature, no key named': many((i) => forged(good, { kid: undefined }, { jti: `${i}` })),
    'a wrong signature, 16 KB': Array.from({ length: 500 }, (_, i) => ({
      ...{ path: PATH, token: forged(good, {}, { jti: `${i}`, more: long }), status: 401 },
    })),
    'no token of ours, 16 KB': Array.from({ length: 500 }, (_, i) => ({
      ...{ path: PATH, token: `${i}${'x'.repeat(16_000)}`, status: 401 },
    })),
  };
  await client.open('good', plane.url, [{ asks: [{ path: PATH, token: good }] }]);
  console.log('µs of processor time, and as a multiple of a good token of a service account');
  for (const [kind, asks] of Object.entries(kinds)) {
    await client.open(kind, plane.url, [{ asks }]);
    const { other, ratio } = await compare(
      () => round('good'),
      () => round(kind),
      pairs,
    );
    console.log(`${kind.padEnd(40)} ${tellMedian(other, 0).padEnd(20)} ${tellMedian(ratio, 2)}`);
  }
} finally {
  client.stop();
  await plane.stop();
  rmSync(folder, { recursive: true, force: true });
}
