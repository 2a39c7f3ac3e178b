import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEtcd, type TestEtcd } from '../../support/etcd.ts';
import { startProcess, type ServerProcess } from '../../support/server-process.ts';
import { startReference, type ReferenceServer } from '../reference.ts';
import { BothServers, type Exchange } from './both.ts';
import { kindHistories } from './kinds.ts';
import { oddBodies, repeatedItems } from './odd-bodies.ts';
import { manyManagers, oddAnnotations, oddRecords } from './odd-records.ts';
import { randomHistory } from './random-history.ts';

const TOKEN = 'both-admin';
const HISTORIES = 150;
const LENGTH = 12;
const NAMESPACE = 'both';

/** Every write in every order leaves the same object and the same record of who owns what as the Go API server. */
describe('ownership of fields beside the Go API server', function () {
  this.timeout(300_000);
  let directory: string;
  let etcd: TestEtcd;
  let theirs: ReferenceServer;
  let ours: ServerProcess;
  let both: BothServers;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'orch-both-'));
    writeFileSync(join(directory, 'tokens.csv'), `${TOKEN},admin,admin-uid,"system:masters"\n`, {
      mode: 0o600,
    });
    etcd = await startEtcd();
    theirs = await startReference(etcd.endpoint);
    ours = await startProcess({
      // Nobody aggregates roles in the other one, which has no controllers.
      args: [
        '--naming=kubernetes',
        '--controllers=-clusterrole-aggregation-controller',
        `--token-auth-file=${join(directory, 'tokens.csv')}`,
      ],
    });
    both = new BothServers({ url: ours.url, token: TOKEN }, theirs);
    await both.ask({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: NAMESPACE } } });
  });
  after(async () => {
    await ours.stop();
    await theirs.stop();
    await etcd.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it(`is equal in ${HISTORIES} random histories of writes by several managers`, async () => {
    for (let seed = 1; seed <= HISTORIES; seed++) {
      const history = randomHistory(seed, { namespace: NAMESPACE, length: LENGTH });
      await compare(`history ${seed}`, [...history, itemOf(history)]);
    }
  });

  for (const [resource, exchanges] of kindHistories(NAMESPACE)) {
    it(`is equal for ${resource}`, () => compare(resource, exchanges));
  }

  for (const histories of [oddRecords, oddAnnotations, oddBodies, repeatedItems, manyManagers]) {
    for (const [title, exchanges] of histories(NAMESPACE)) {
      it(`is equal after ${title}`, () => compare(title, exchanges));
    }
  }

  /** Goes through a history, up to where the Go API server has rules for the kind that are not here yet. */
  async function compare(title: string, exchanges: readonly Exchange[]): Promise<void> {
    for (const [step, exchange] of exchanges.entries()) {
      if (!(await isEqual(exchange, `${title}, step ${step}`))) break;
    }
  }

  /** @returns false when only the Go API server refuses what makes no valid object. */
  async function isEqual(exchange: Exchange, where: string): Promise<boolean> {
    const { ours, theirs, status } = await both.ask(exchange);
    if (status === 422 && ours !== theirs) return false;
    assert.equal(
      ours,
      theirs,
      `${where}: ${exchange.method} ${exchange.path} ${JSON.stringify(exchange.body)}`,
    );
    return true;
  }
});

/** A read of the object that a history is about. */
function itemOf(history: readonly Exchange[]): Exchange {
  const write = history.find(({ method }) => method !== 'POST') as Exchange;
  return { method: 'GET', path: (write.path.split('?')[0] as string).replace(/\/(status|scale)$/, '') };
}
