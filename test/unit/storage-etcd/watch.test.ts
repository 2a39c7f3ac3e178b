import assert from 'node:assert/strict';
import { status } from '@grpc/grpc-js';
import { systemClock } from '../../../src/lib/clock.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import { HEAD_START_MS } from '../../../src/storage/etcd/connections.ts';
import { openEtcdStorage } from '../../../src/storage/etcd/index.ts';
import type { EtcdOptions } from '../../../src/storage/etcd/index.ts';
import type { Storage } from '../../../src/storage/port.ts';
import { refusedWith, Watching } from '../../contract/storage-support.ts';
import { FakeEtcd, GrpcFailure } from '../../support/fake-etcd.ts';
import type { FakeWatch } from '../../support/fake-etcd.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';

/**
 * Real time, but what a watch waits for between streams passes at once, and a member has all the time it needs to
 * connect before the next one is tried: these tests are not about that.
 */
const hurried: Clock = {
  ...systemClock,
  after(ms, callback) {
    if (ms === HEAD_START_MS) return () => undefined;
    return systemClock.after(ms <= 5_000 ? Math.min(ms, 5) : ms, callback);
  },
};

describe('etcd watch', () => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  const fakeEtcd = async () => {
    const fake = await FakeEtcd.start();
    cleanups.push(() => fake.stop());
    return fake;
  };
  const open = async (endpoints: readonly string[], options: Partial<EtcdOptions> = {}): Promise<Storage> => {
    const storage = await openEtcdStorage({
      endpoints,
      clock: hurried,
      ...options,
      deadlines: { watchIdle: 3_600_000, ...options.deadlines },
    });
    cleanups.push(() => storage.close());
    return storage;
  };
  const watchFrom = (storage: Storage, from: number): Watching =>
    new Watching(storage.watch({ prefix: '/a/', from: from as never, previous: false }));
  /** A watch from 100, created while the store is at 5000. */
  const watching = async (options?: Partial<EtcdOptions>) => {
    const fake = await fakeEtcd();
    const storage = await open([fake.endpoint], options);
    const watch = watchFrom(storage, 100);
    const stream = await fake.watch();
    const asked = await stream.created(5000);
    return { fake, storage, watch, stream, asked };
  };
  const revisions = async (watch: Watching, count: number) =>
    (await watch.events(count)).map((event) => event.modRevision);
  const nextStart = async (stream: FakeWatch) => Number((await stream.created(9000))['start_revision']);

  it('asks for the prefix in fragments, at a member with a leader', async () => {
    const { asked, stream } = await watching();
    assert.deepEqual([String(asked['key']), String(asked['range_end'])], ['/a/', '/a0']);
    assert.deepEqual([asked['start_revision'], asked['fragment']], ['100', true]);
    assert.deepEqual(stream.metadata.get('hasleader'), ['true']);
  });

  /** What a server sends before the cut, what of it arrives, and where the next stream starts. */
  const cuts: [string, (stream: FakeWatch) => void, number, number][] = [
    ['right after its creation', () => undefined, 0, 100],
    ['after events whose header is ahead', (s) => s.events(5000, ['/a/x@101', '/a/y@103']), 2, 104],
    ['after events that end at the header', (s) => s.events(110, ['/a/x@110']), 1, 111],
    ['after progress', (s) => s.send({}, 130), 0, 131],
    ['after progress older than the start', (s) => s.send({ watch_id: '-1' }, 90), 0, 100],
    ['between the fragments of a revision', (s) => s.events(5000, ['/a/x@101', '/a/x@102'], true), 1, 102],
    [
      'after the last fragment',
      (s) => {
        s.events(5000, ['/a/x@101', '/a/x@102'], true);
        s.events(5000, ['/a/y@102']);
      },
      3,
      103,
    ],
    [
      'after events and then progress',
      (s) => {
        s.events(5000, ['/a/x@101']);
        s.send({ watch_id: '-1' }, 5000);
      },
      1,
      5001,
    ],
  ];
  for (const [name, send, delivered, start] of cuts) {
    it(`cut ${name}, resumes at ${start}`, async () => {
      const { fake, watch, stream } = await watching();
      send(stream);
      await watch.events(delivered);
      if (start > 5000 || start === 131) await watch.next();
      stream.fail(status.UNAVAILABLE, 'cut');
      const resumed = await fake.watch();
      assert.equal(await nextStart(resumed), start);
      resumed.events(9000, [`/a/z@${start}`]);
      assert.deepEqual(await revisions(watch, 1), [start]);
    });
  }

  const endings: [string, (stream: FakeWatch) => void][] = [
    ['the loss of its leader', (s) => s.fail(status.UNAVAILABLE, 'etcdserver: no leader')],
    ['an end without an error', (s) => s.end()],
    ['an internal error', (s) => s.fail(status.INTERNAL, 'something')],
    ['a cancellation without a reason', (s) => s.send({ canceled: true }, 5000)],
    [
      'a message too large',
      (s) => s.fail(status.RESOURCE_EXHAUSTED, 'trying to send message larger than max'),
    ],
  ];
  for (const [name, end] of endings) {
    it(`survives ${name}, without loss or repetition`, async () => {
      const { fake, watch, stream } = await watching();
      stream.events(5000, ['/a/x@101']);
      assert.deepEqual(await revisions(watch, 1), [101]);
      end(stream);
      const resumed = await fake.watch();
      assert.equal(await nextStart(resumed), 102);
      resumed.events(9000, ['/a/x@101', '/a/x@102']);
      assert.deepEqual(await revisions(watch, 1), [102]);
    });
  }

  it('is resumed at another member', async () => {
    const [first, second] = [await fakeEtcd(), await fakeEtcd()];
    const storage = await open([first.endpoint, second.endpoint]);
    const watch = watchFrom(storage, 100);
    const reading = watch.events(1);
    const stream = await first.watch();
    await stream.created(5000);
    stream.fail(status.UNAVAILABLE, 'etcdserver: no leader');
    const resumed = await second.watch();
    assert.equal(await nextStart(resumed), 100);
    resumed.events(9000, ['/a/x@100']);
    assert.equal((await reading)[0]?.modRevision, 100);
  });

  it('is resumed when its connection is half open', async () => {
    const fake = await fakeEtcd();
    const proxy = await TcpProxy.start(fake.endpoint);
    cleanups.push(() => proxy.stop());
    const deadlines = { keepaliveAfter: 50, keepaliveTimeout: 50 };
    const storage = await open([proxy.endpoint], { deadlines, clock: systemClock });
    const watch = watchFrom(storage, 100);
    await (await fake.watch()).created(5000);
    proxy.freeze();
    proxy.thaw();
    const resumed = await fake.watch();
    assert.equal(await nextStart(resumed), 100);
    resumed.events(9000, ['/a/x@100']);
    assert.deepEqual(await revisions(watch, 1), [100]);
  });

  it('waits longer and longer between streams that deliver nothing, up to a bound', async () => {
    const delays: number[] = [];
    const clock: Clock = {
      ...systemClock,
      after(ms, callback) {
        delays.push(ms);
        return systemClock.after(0, callback);
      },
    };
    const fake = await fakeEtcd();
    const storage = await open([fake.endpoint], { clock, random: () => 1 });
    fake.handlers.set('Status', () => ({ version: '3.4.0' }));
    watchFrom(storage, 100);
    delays.length = 0;
    for (let i = 0; i < 9; i++) (await fake.watch()).fail(status.UNAVAILABLE, 'cut');
    const expected = [100, 200, 400, 800, 1600, 3200, 5000, 5000];
    // Other timers are those of calls: they end at some odd remainder of their deadlines.
    const waits = delays.filter((ms) => expected.includes(ms));
    assert.deepEqual(waits.slice(0, 8), expected);
  });

  it('ends as compacted, with the revision that is left', async () => {
    const { watch, stream } = await watching();
    stream.send({ canceled: true, compact_revision: '4000' }, 5000);
    const error = await refusedWith('compacted', watch.next());
    assert.equal(error.compactRevision, 4000);
    assert.equal(await watch.next(), undefined);
  });

  it('ends as compacted when it resumes too late, after what it had delivered', async () => {
    const { fake, watch, stream } = await watching();
    stream.events(5000, ['/a/x@101']);
    stream.fail(status.UNAVAILABLE, 'cut');
    const resumed = await fake.watch();
    assert.equal(
      Number(((await resumed.request())['create_request'] as { start_revision: string }).start_revision),
      102,
    );
    resumed.send({ created: true, canceled: true, compact_revision: '4000' }, 5000);
    assert.deepEqual(await revisions(watch, 1), [101]);
    await refusedWith('compacted', watch.next());
  });

  it('ends as unauthenticated when the user may not read the prefix', async () => {
    const { watch, stream } = await watching();
    stream.send({ created: true, canceled: true, cancel_reason: 'etcdserver: permission denied' }, 5000);
    await refusedWith('unauthenticated', watch.next());
  });

  it('gets a new token when the old one is refused', async () => {
    const fake = await fakeEtcd();
    fake.handlers.set('Authenticate', () => ({ token: `token-${fake.count('Authenticate')}` }));
    const storage = await open([fake.endpoint], { username: 'root', password: 'secret' });
    const watch = watchFrom(storage, 100);
    const first = await fake.watch();
    assert.deepEqual(first.metadata.get('token'), ['token-1']);
    await first.request();
    first.send({ created: true, canceled: true, cancel_reason: 'etcdserver: invalid auth token' }, 5000);
    const second = await fake.watch();
    assert.deepEqual(second.metadata.get('token'), ['token-2']);
    await second.created(5000);
    second.fail(status.UNAUTHENTICATED, 'etcdserver: invalid auth token');
    const third = await fake.watch();
    assert.deepEqual(third.metadata.get('token'), ['token-3']);
    await third.created(5000);
    third.events(5000, ['/a/x@100']);
    assert.deepEqual(await revisions(watch, 1), [100]);
  });

  it('a reader that leaves cancels the stream', async () => {
    const { watch, stream } = await watching();
    await watch.end();
    assert.deepEqual(await stream.request(), { cancelled: true });
  });

  it('a store that closes ends a watch that waits for its next stream', async () => {
    const { fake, storage, watch, stream } = await watching({ clock: systemClock });
    stream.fail(status.UNAVAILABLE, 'cut');
    fake.stop();
    const refused = refusedWith('closed', watch.next());
    await storage.close();
    await refused;
  });

  describe('progress', () => {
    it('is asked for, repeatedly until it is told, and told as a batch without events', async () => {
      const { watch, stream } = await watching();
      watch.requestProgress();
      for (let i = 0; i < 3; i++) assert.deepEqual((await stream.request())['progress_request'], {});
      stream.send({ watch_id: '-1' }, 5000);
      assert.deepEqual(await watch.next(), { revision: 5000, events: [] });
    });

    it('wanted before the watch exists is asked for once it does', async () => {
      const fake = await fakeEtcd();
      const storage = await open([fake.endpoint]);
      const watch = watchFrom(storage, 100);
      watch.requestProgress();
      const stream = await fake.watch();
      await stream.created(5000);
      assert.deepEqual((await stream.request())['progress_request'], {});
    });

    it('wanted when the stream is cut is asked for on the next one', async () => {
      const { fake, watch, stream } = await watching();
      watch.requestProgress();
      stream.fail(status.UNAVAILABLE, 'cut');
      const resumed = await fake.watch();
      await resumed.created(5000);
      assert.deepEqual((await resumed.request())['progress_request'], {});
    });

    it('is asked for when nothing has come for long', async () => {
      const { stream } = await watching({ deadlines: { watchIdle: 20 } });
      assert.deepEqual((await stream.request())['progress_request'], {});
    });

    it('is neither asked for nor believed where the server is too old', async () => {
      const fake = await fakeEtcd();
      fake.handlers.set('Status', () => ({ version: '3.5.12', header: { cluster_id: '1' } }));
      const storage = await open([fake.endpoint], { deadlines: { watchIdle: 1 } });
      assert.equal(storage.capabilities.progressRequests, false);
      const watch = watchFrom(storage, 100);
      watch.requestProgress();
      const stream = await fake.watch();
      assert.equal((await stream.created(5000))['progress_notify'], false);
      stream.send({ watch_id: '-1' }, 5000);
      stream.events(5000, ['/a/x@101']);
      const batch = await watch.next();
      assert.equal(batch?.events.length, 1);
      await watch.end();
      assert.deepEqual(await stream.request(), { cancelled: true });
    });

    it('of a member that could not be asked before is asked for its version first', async () => {
      const [first, second] = [await fakeEtcd(), await fakeEtcd()];
      second.handlers.set('Status', () => new Promise(() => undefined));
      const storage = await open([first.endpoint, second.endpoint]);
      assert.equal(storage.capabilities.progressRequests, true);
      watchFrom(storage, 100);
      const stream = await first.watch();
      await stream.created(5000);
      second.handlers.set('Status', () => ({ version: '3.5.1', header: { cluster_id: '1' } }));
      stream.fail(status.UNAVAILABLE, 'cut');
      const resumed = await second.watch();
      assert.equal((await resumed.created(5000))['progress_notify'], false);
      assert.equal(storage.capabilities.progressRequests, false);
    });
  });

  it('tells where history begins when a range is refused as compacted', async () => {
    const fake = await fakeEtcd();
    const storage = await open([fake.endpoint], { clock: systemClock });
    fake.handlers.set('Range', () => {
      throw new GrpcFailure(status.OUT_OF_RANGE, 'etcdserver: mvcc: required revision has been compacted');
    });
    const reading = refusedWith('compacted', storage.range({ start: '/a', revision: 5 as never }));
    const stream = await fake.watch();
    assert.equal((await stream.created(90))['start_revision'], '5');
    stream.send({ canceled: true, compact_revision: '77' }, 90);
    assert.equal((await reading).compactRevision, 77);
  });
});
