import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askAs, type Asker } from '../support/https-ask.ts';
import { startEtcd, type TestEtcd } from '../support/etcd.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';
import { allWrites, type Write, type Writer } from './node-writes.ts';
import { startReference, type ReferenceServer } from './reference.ts';

const TOKEN = 'nodes-admin';
const PLUGIN = '--enable-admission-plugins=NodeRestriction';

const WRITERS: Readonly<Record<Writer, Asker['impersonate']>> = {
  admin: undefined,
  node: { user: 'system:node:eins', groups: ['system:nodes', 'system:authenticated'] },
  jane: { user: 'jane', groups: ['system:authenticated'] },
};

/** What nodes may write, and who decides their requests for certificates, beside the Go API server. */
describe('nodes, beside the Go API server', function () {
  this.timeout(120_000);
  let directory: string;
  let etcd: TestEtcd;
  let reference: ReferenceServer;
  let server: ServerProcess;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'orch-nodes-'));
    const tokens = join(directory, 'tokens.csv');
    writeFileSync(tokens, `${TOKEN},admin,admin-uid,"system:masters"\n`, { mode: 0o600 });
    etcd = await startEtcd();
    reference = await startReference(etcd.endpoint, [PLUGIN]);
    const flags = ['--naming=kubernetes', '--controllers=-*', '--authorization-mode=Node,RBAC', PLUGIN];
    server = await startProcess({
      args: [...flags, `--token-auth-file=${tokens}`, '--disable-admission-plugins=ServiceAccount'],
    });
  });
  after(async () => {
    await server.stop();
    await reference.stop();
    await etcd.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Makes all requests in turn. @returns status, reason and causes of each answer */
  async function answers(writes: readonly Write[], asker: Asker): Promise<string[]> {
    const told: string[] = [];
    let uid = '';
    for (const [writer, line, body] of writes) {
      const impersonate = WRITERS[writer];
      const sent: unknown = body && JSON.parse(JSON.stringify(body).replace('"UID"', `"${uid}"`));
      const { status, object } = await askAs({ ...asker, ...(impersonate && { impersonate }) }, line, sent);
      if (object.kind === 'Node' && object.metadata.name === 'eins') uid = object.metadata.uid ?? '';
      const { reason = '', details } = object as {
        reason?: string;
        details?: { causes?: { reason: string; field: string }[] };
      };
      const causes = (details?.causes ?? []).map((cause) => `${cause.reason} ${cause.field}`).sort();
      told.push(`${writer}: ${line} ${JSON.stringify(body)} -> ${status} ${reason} ${causes.join()}`);
    }
    return told;
  }

  it('are answered alike, whatever they write', async () => {
    const writes = await allWrites();
    const theirs = await answers(writes, { server: reference.url, token: reference.token });
    const ours = await answers(writes, { server: server.url, token: TOKEN });
    assert.deepEqual(ours, theirs);
    for (const status of ['201', '200', '403', '404', '422']) {
      assert.ok(
        theirs.some((line) => line.includes(`-> ${status} `)),
        `none is answered with ${status}`,
      );
    }
  });
});
