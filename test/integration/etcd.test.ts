import assert from 'node:assert/strict';
import { Etcd3 } from 'etcd3';
import { systemClock } from '../../src/lib/clock.ts';
import type { Revision } from '../../src/meta/revision.ts';
import { StorageError } from '../../src/storage/errors.ts';
import { COMPACT_REV_KEY } from '../../src/storage/etcd/compactor.ts';
import { openEtcdStorage, startCompactor } from '../../src/storage/etcd/index.ts';
import type { EtcdOptions } from '../../src/storage/etcd/index.ts';
import type { Storage, StorageEvent, WriteResult } from '../../src/storage/port.ts';
import { after as next, refusedWith, Watching } from '../contract/storage-support.ts';
import { makeEtcdCertificates } from '../support/etcd-certificates.ts';
import { etcdBinary, OBTAIN_TIMEOUT_MS, startEtcd, startEtcdCluster } from '../support/etcd.ts';
import { freePort } from '../support/free-ports.ts';
import type { EtcdOptions as ServerOptions, TestEtcd } from '../support/etcd.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';

/** What only a real etcd shows: crashes, lost members, certificates, users, limits. */
describe('etcd adapter with a real etcd', () => {
  const cleanups: (() => unknown)[] = [];

  before(async function () {
    this.timeout(OBTAIN_TIMEOUT_MS);
    await etcdBinary();
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  const start = async (options: ServerOptions = {}): Promise<TestEtcd> => {
    const etcd = await startEtcd(options);
    cleanups.push(() => etcd.stop());
    return etcd;
  };
  const open = async (endpoints: string[], options: Partial<EtcdOptions> = {}): Promise<Storage> => {
    const storage = await openEtcdStorage({ endpoints, clock: systemClock, ...options });
    cleanups.push(() => storage.close());
    return storage;
  };

  it('a watch loses and repeats nothing while etcd is killed and restarted under it', async function () {
    this.timeout(60_000);
    const etcd = await start({ fsync: true });
    const storage = await open([etcd.endpoint]);
    const watch = new Watching(storage.watch({ prefix: '/', from: 1 as Revision, previous: false }));
    const write = async (key: string) => {
      for (;;) {
        const outcome = await attempt(storage.create(key, Buffer.from('x')));
        if (outcome === 'unavailable') continue;
        assert.ok(outcome !== 'failed', `${key} was written twice`);
        return;
      }
    };
    for (let round = 0; round < 3; round++) {
      const writing = Promise.all(Array.from({ length: 100 }, (_, i) => write(`/round${round}/${i}`)));
      await readEvents(watch, seenEvents(watch).length + 1);
      await etcd.kill();
      await etcd.restart();
      await writing;
      const { count } = await storage.range({ start: '/', end: '0', countOnly: true });
      await readEvents(watch, count);
    }
    const seen = seenEvents(watch);
    assert.equal(new Set(seen.map((event) => event.key)).size, seen.length, 'nothing twice');
    for (let i = 1; i < seen.length; i++) assert.ok(seen[i - 1]!.modRevision < seen[i]!.modRevision);
    const stored = await storage.range({ start: '/', end: '0', keysOnly: true });
    assert.deepEqual(seen.map((event) => event.key).sort(), stored.items.map((item) => item.key).sort());
  });

  it('a cluster that loses a member goes on: nothing acknowledged is lost, nothing is written twice', async function () {
    this.timeout(60_000);
    const members = await startEtcdCluster(3);
    for (const member of members) cleanups.push(() => member.stop());
    const storage = await open(members.map((member) => member.endpoint));
    const watch = new Watching(storage.watch({ prefix: '/n', from: 1 as Revision, previous: false }));
    let acknowledged = 0;
    let unknown = 0;
    let revision = await created(storage.create('/n', Buffer.from('0')));
    for (let n = 1; n <= 60; n++) {
      if (n === 20) await members[0]!.kill();
      const outcome = await attempt(storage.replace('/n', revision, Buffer.from(String(n))));
      if (typeof outcome === 'object') {
        acknowledged++;
        revision = outcome.revision;
        continue;
      }
      unknown += outcome === 'ambiguous' ? 1 : 0;
      revision = (await storage.range({ start: '/n' })).items[0]!.modRevision;
    }
    while (watch.batches.every((batch) => batch.revision < revision)) assert.ok(await watch.next());
    const values = seenEvents(watch).map((event) => event.value.toString());
    assert.equal(new Set(values).size, values.length, 'no write happened twice');
    const changes = values.length - 1;
    assert.ok(
      acknowledged <= changes && changes <= acknowledged + unknown,
      `${acknowledged} ${changes} ${unknown}`,
    );
    assert.ok(acknowledged >= 50, `${acknowledged} writes were acknowledged`);
  });

  it('of two endpoints one may be dead', async () => {
    const etcd = await start();
    const dead = await freePort();
    for (const endpoints of [
      [`http://127.0.0.1:${dead}`, etcd.endpoint],
      [etcd.endpoint, `http://127.0.0.1:${dead}`],
    ]) {
      const storage = await open(endpoints);
      const revision = await storage.currentRevision();
      const watch = new Watching(storage.watch({ prefix: '/x', from: next(revision), previous: false }));
      const event = watch.events(1);
      await created(storage.create(`/x${endpoints.indexOf(etcd.endpoint)}`, Buffer.from('1')));
      await event;
      assert.equal((await storage.status()).revision, await storage.currentRevision());
    }
  });

  it('status fails within its deadline when etcd hangs, and works again when it goes on', async () => {
    const etcd = await start();
    const storage = await open([etcd.endpoint], { deadlines: { status: 200 } });
    await etcd.freeze();
    const error = await storage.status().then(
      () => undefined,
      (failure: unknown) => failure,
    );
    etcd.thaw();
    assert.ok(error instanceof StorageError && error.code === 'deadline', String(error));
    const status = await storage.status();
    assert.ok(status.sizeBytes > 0 && status.revision >= 1);
    assert.match(status.clusterId, /^[0-9a-f]+$/);
  });

  it('TLS with a client certificate; without one, or with another authority, nothing is reached', async () => {
    const certificates = await makeEtcdCertificates();
    const strangers = await makeEtcdCertificates();
    cleanups.push(
      () => certificates.remove(),
      () => strangers.remove(),
    );
    const etcd = await start({ tls: { ...certificates.server, clientCafile: certificates.cafile } });
    const { cafile, client } = certificates;
    const storage = await open([etcd.endpoint], { tls: { cafile, ...client } });
    await created(storage.create('/a', Buffer.from('1')));
    const watch = new Watching(storage.watch({ prefix: '/a', from: 1 as Revision, previous: false }));
    await watch.events(1);

    const deadlines = { connect: 500 };
    const opening = (tls: NonNullable<EtcdOptions['tls']>) =>
      openEtcdStorage({ endpoints: [etcd.endpoint], clock: systemClock, deadlines, tls });
    await refusedWith('unavailable', opening({ cafile }));
    const distrusted = await refusedWith('unavailable', opening({ ...client, cafile: strangers.cafile }));
    assert.match(distrusted.message, /certificate/i);
    await refusedWith('unavailable', opening({ cafile, ...strangers.client }));
  });

  it('a user confined to the prefix works, and goes on when its token has been forgotten', async function () {
    this.timeout(30_000);
    const etcd = await start();
    await enableUsers(etcd.endpoint);
    const user = { username: 'orch', password: 'secret', prefix: '/registry' };
    const storage = await open([etcd.endpoint], user);
    const first = await created(storage.create('/registry/a', Buffer.from('1')));
    assert.equal(await storage.currentRevision(), first);
    await storage.status();
    const watch = new Watching(storage.watch({ prefix: '/registry/', from: first, previous: false }));
    await watch.events(1);
    await refusedWith('unauthenticated', storage.create('/elsewhere/a', Buffer.from('1')));
    const elsewhere = storage.watch({ prefix: '/elsewhere/', from: first, previous: false });
    await refusedWith('unauthenticated', new Watching(elsewhere).next());

    // A restarted etcd knows none of the simple tokens it gave.
    await etcd.kill();
    await etcd.restart();
    await created(storage.create('/registry/b', Buffer.from('1')));
    await watch.events(1);
    const wrong = { ...user, password: 'other' };
    await refusedWith(
      'unauthenticated',
      openEtcdStorage({ endpoints: [etcd.endpoint], clock: systemClock, ...wrong }),
    );
  });

  it("what exceeds the server's own limits is refused as tooLarge and noSpace", async () => {
    const etcd = await start({ flags: [`--quota-backend-bytes=${16 * 1024 * 1024}`] });
    const storage = await open([etcd.endpoint], { maxRequestBytes: 8 * 1024 * 1024 });
    for (const size of [1.7, 3]) {
      await refusedWith('tooLarge', storage.create('/large', Buffer.alloc(size * 1024 * 1024)));
    }
    const fill = async () => {
      for (let i = 0; i < 40; i++) await storage.create(`/fill${i}`, Buffer.alloc(1024 * 1024));
    };
    await refusedWith('noSpace', fill());
    assert.ok((await storage.range({ start: '/fill0' })).count === 1, 'reads go on');
  });

  it('history far larger than a message comes through a watch', async () => {
    const etcd = await start();
    const storage = await open([etcd.endpoint]);
    const value = Buffer.alloc(1024 * 1024, 'x');
    for (let i = 0; i < 24; i++) await created(storage.create(`/big${i}`, value));
    const watch = new Watching(storage.watch({ prefix: '/big', from: 1 as Revision, previous: false }));
    const events = await watch.events(24);
    assert.deepEqual(
      events.map((event) => event.key),
      Array.from({ length: 24 }, (_, i) => `/big${i}`),
    );
    assert.ok(watch.batches.length > 1, 'in pieces');
  });

  it('compactors on two gateways compact once a round', async () => {
    const etcd = await start();
    const clock = new ManualClock();
    const stores = [await open([etcd.endpoint]), await open([etcd.endpoint])];
    const compacted: number[] = [];
    let idle = Promise.withResolvers<void>();
    let rounds = 0;
    const compactors = stores.map((storage) =>
      startCompactor({
        clock: {
          now: () => clock.now(),
          monotonic: () => clock.monotonic(),
          after: (ms, callback) => {
            if (++rounds % 2 === 0) idle.resolve();
            return clock.after(ms, callback);
          },
        },
        intervalMs: 1000,
        store: {
          transact: (...args) => storage.transact(...args),
          compact: async (revision) => {
            await storage.compact(revision);
            compacted.push(revision);
          },
        },
      }),
    );
    for (let round = 1; round <= 5; round++) {
      await created(stores[0]!.create(`/round${round}`, Buffer.from('1')));
      idle = Promise.withResolvers<void>();
      clock.advance(1000);
      await idle.promise;
      assert.ok(compacted.length <= round - 1);
    }
    assert.ok(compacted.length >= 3, `${compacted.length}`);
    const last = compacted[compacted.length - 1] as Revision;
    const [item] = (await stores[1]!.range({ start: COMPACT_REV_KEY })).items;
    assert.ok(Number(item?.value.toString()) >= last);
    const refused = await refusedWith(
      'compacted',
      stores[0]!.range({ start: '/', revision: (last - 1) as Revision }),
    );
    assert.equal(refused.compactRevision, last);
    for (const compactor of compactors) await compactor.stop();
  });

  describe('of before 3.5.13', () => {
    before(async function () {
      this.timeout(OBTAIN_TIMEOUT_MS);
      await etcdBinary('old');
    });

    it('says that progress cannot be asked for, and watches without it', async () => {
      const etcd = await start({ version: 'old' });
      const storage = await open([etcd.endpoint]);
      assert.equal(storage.capabilities.progressRequests, false);
      const revision = await storage.currentRevision();
      const watch = new Watching(storage.watch({ prefix: '/', from: next(revision), previous: true }));
      watch.requestProgress();
      await created(storage.create('/a', Buffer.from('1')));
      const batch = await watch.next();
      assert.equal(batch?.events.length, 1);
    });

    it('tells of a cut that may hide a deletion: one of the very revision that is compacted', async function () {
      this.timeout(30_000);
      const etcd = await start({ version: 'old' });
      const wire = await TcpProxy.start(etcd.endpoint);
      cleanups.push(() => wire.stop());
      const [direct, remote] = await Promise.all([open([etcd.endpoint]), open([wire.endpoint])]);
      const a = await created(direct.create('/a', Buffer.from('1')));
      const watch = new Watching(remote.watch({ prefix: '/', from: a, previous: false }));
      assert.equal((await watch.next())?.events.length, 1);
      wire.freeze();
      const { revision } = await direct.delete('/a', a);
      await created(direct.create('/b', Buffer.from('1')));
      await direct.compact(revision);
      wire.cut();
      wire.thaw();
      await refusedWith('compacted', watch.next());
    });
  });
});

/** What became of a write: its result, or the code that says how much is known. */
async function attempt(
  writing: Promise<WriteResult>,
): Promise<(WriteResult & { ok: true }) | 'failed' | 'ambiguous' | 'unavailable'> {
  try {
    const result = await writing;
    return result.ok ? result : 'failed';
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (error.code === 'ambiguous' || error.code === 'unavailable') return error.code;
    throw error;
  }
}

async function created(writing: Promise<WriteResult>): Promise<Revision> {
  const result = await writing;
  assert.ok(result.ok);
  return result.revision;
}

function seenEvents(watch: Watching): StorageEvent[] {
  return watch.batches.flatMap((batch) => batch.events);
}

/** Reads until the watch has seen `count` events in all. */
async function readEvents(watch: Watching, count: number): Promise<void> {
  while (seenEvents(watch).length < count) assert.ok(await watch.next(), 'the watch ended');
}

/** A root, and a user who may do everything below /registry/. */
async function enableUsers(endpoint: string): Promise<void> {
  const client = new Etcd3({ hosts: endpoint });
  try {
    const { auth } = client;
    await auth.userAdd({ name: 'root', password: 'root' });
    await auth.userGrantRole({ user: 'root', role: 'root' });
    await auth.roleAdd({ name: 'registry' });
    await auth.roleGrantPermission({
      name: 'registry',
      perm: { permType: 'Readwrite', key: Buffer.from('/registry/'), range_end: Buffer.from('/registry0') },
    });
    await auth.userAdd({ name: 'orch', password: 'secret' });
    await auth.userGrantRole({ user: 'orch', role: 'registry' });
    await auth.authEnable();
  } finally {
    client.close();
  }
}
