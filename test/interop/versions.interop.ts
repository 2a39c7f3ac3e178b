import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/lib/clock.ts';
import type { JsonObject } from '../../src/meta/object.ts';
import { openEtcdStorage } from '../../src/storage/etcd/index.ts';
import { startEtcd, type TestEtcd } from '../support/etcd.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';
import { GETS, LISTS, VersionClient, WATCHES, type VersionTable } from '../support/version-table.ts';
import { startReference, type ReferenceServer } from './reference.ts';

const TOKEN = 'versions-admin';

/** What resource versions and continue tokens mean, beside the Go API server on the same etcd. */
describe('resource versions, beside the Go API server', function () {
  this.timeout(120_000);
  let directory: string;
  let etcd: TestEtcd;
  let reference: ReferenceServer;
  let server: ServerProcess;
  let theirs: VersionClient;
  let ours: VersionClient;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'orch-versions-'));
    const tokens = join(directory, 'tokens.csv');
    writeFileSync(tokens, `${TOKEN},admin,admin-uid,"system:masters"\n`, { mode: 0o600 });
    etcd = await startEtcd();
    reference = await startReference(etcd.endpoint);
    const flags = ['--naming=kubernetes', `--etcd-servers=${etcd.endpoint}`, '--controllers=-*'];
    server = await startProcess({ args: [...flags, `--token-auth-file=${tokens}`] });
    theirs = new VersionClient(reference.url, reference.token);
    ours = new VersionClient(server.url, TOKEN);
  });
  after(async () => {
    theirs.close();
    ours.close();
    await server.stop();
    await reference.stop();
    await etcd.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  for (const [what, table, path] of [
    ['lists', LISTS, ''],
    ['gets', GETS, '/'],
    ['watches', WATCHES, '?watch=true&timeoutSeconds=1'],
  ] as const) {
    it(`the tables of ${what} are the reference's`, async () => {
      const world = await theirs.prepare();
      const told = await theirs.fill(table, world, world.path + path);
      assert.deepEqual(withOurAnswers(told, table), table);
      assert.deepEqual(
        await ours.fill(table, world, world.path + path),
        table,
        'and ours, of the same objects',
      );
    });
  }

  it('either goes on with the tokens of the other', async () => {
    const { path } = await theirs.prepare();
    const namespace = path.split('/')[4];
    const everything = `/api/v1/configmaps?`;
    const selected = `${everything}fieldSelector=metadata.namespace%3D${namespace}&`;
    for (const [from, to] of [
      [theirs, ours],
      [ours, theirs],
    ] as const) {
      // The reference's own first page of such a selector has a token that it misreads itself.
      const lists = [`${path}?`, everything, ...(from === ours ? [selected] : [])];
      for (const list of lists) {
        const { names: whole } = await page(from, list);
        const first = await page(from, `${list}limit=2`);
        const second = await page(to, `${list}limit=1&continue=${first.token}`);
        const rest = await page(from, `${list}continue=${second.token}`);
        assert.deepEqual([...first.names, ...second.names, ...rest.names], whole);
        assert.deepEqual([second.version, rest.version], [first.version, first.version]);
        assert.equal(second.remaining, list === selected ? undefined : whole.length - 3);
      }
    }
  });

  it('either goes on with what the other gives for an expired token', async () => {
    const storage = await openEtcdStorage({ endpoints: [etcd.endpoint], clock: systemClock });
    for (const [from, to] of [
      [theirs, ours],
      [ours, theirs],
    ] as const) {
      const { path, token } = await theirs.prepare();
      await from.send('POST', path, { metadata: { name: 'dd' } });
      await storage.compact(await storage.currentRevision());
      const expired = `${path}?limit=1&continue=${token}`;
      const fresh = await Promise.all([from, to].map((client) => page(client, expired, 410)));
      assert.equal(fresh[0]!.token, fresh[1]!.token, 'the same token');
      const next = await page(to, `${path}?limit=1&continue=${fresh[0]!.token}`);
      assert.deepEqual([next.names, next.remaining], [['d'], 2]);
      const rest = await page(from, `${path}?continue=${next.token}`);
      assert.deepEqual([rest.names, rest.version], [['dd', 'e'], next.version]);
    }
    await storage.close();
  });
});

/** Where the reference answers a client's fault with 500, ours is the better answer. */
function withOurAnswers(told: VersionTable, table: VersionTable): VersionTable {
  const rows = Object.entries(told).map(([query, cells]) => {
    return [query, cells.map((cell, i) => (cell === '500' ? table[query]![i]! : cell))];
  });
  return Object.fromEntries(rows) as VersionTable;
}

interface Page {
  readonly names: string[];
  readonly version: string | undefined;
  readonly token: string | undefined;
  readonly remaining: number | undefined;
}

async function page(client: VersionClient, path: string, status = 200): Promise<Page> {
  const answer = await client.send('GET', path);
  assert.equal(answer.status, status, answer.body.toString());
  const { metadata, items = [] } = JSON.parse(answer.body.toString()) as JsonObject as {
    metadata: { resourceVersion?: string; continue?: string; remainingItemCount?: number };
    items?: { metadata: { name: string } }[];
  };
  return {
    names: items.map((item) => item.metadata.name),
    version: metadata.resourceVersion,
    token: metadata.continue,
    remaining: metadata.remainingItemCount,
  };
}
