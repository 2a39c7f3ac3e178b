import assert from 'node:assert/strict';
import type { Revision } from '../../../src/meta/revision.ts';
import { RevisionClock } from '../../../src/store/revision-clock.ts';
import { RevisionQuery } from '../../../src/store/revision-query.ts';
import {
  ANY,
  Gateway,
  LATEST,
  names,
  notOlderThan,
  refusedWith,
} from '../../contract/object-store-support.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { MemoryStorage } from '../../support/memory-storage.ts';
import { PODS } from '../../support/object-store.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const rev = (n: number): Revision => n as Revision;

describe('the revision query', () => {
  it('is shared by those who ask before it is sent, and not by those who ask after', async () => {
    const answers: PromiseWithResolvers<Revision>[] = [];
    const query = new RevisionQuery(() => {
      const answer = Promise.withResolvers<Revision>();
      answers.push(answer);
      return answer.promise;
    });
    const first = query.newest();
    const second = query.newest();
    const third = query.newest();
    assert.equal(answers.length, 1, 'one at a time');
    answers[0]!.resolve(rev(1));
    assert.equal(await first, 1);
    await turn();
    assert.equal(answers.length, 2, 'those who asked meanwhile share the next');
    const fourth = query.newest();
    answers[1]!.resolve(rev(2));
    assert.deepEqual([await second, await third], [2, 2]);
    await turn();
    answers[2]!.resolve(rev(3));
    assert.equal(await fourth, 3);
  });

  it('that fails, fails for those who share it only', async () => {
    let fail = true;
    const query = new RevisionQuery(() => (fail ? Promise.reject(new Error('no')) : Promise.resolve(rev(7))));
    const first = query.newest();
    const second = query.newest();
    fail = false;
    await assert.rejects(first);
    assert.equal(await second, 7);
    assert.equal(await query.newest(), 7);
  });
});

describe('the revision clock', () => {
  let time: ManualClock;
  let asked: number;
  let clock: RevisionClock;

  beforeEach(() => {
    time = new ManualClock();
    asked = 0;
    clock = new RevisionClock(time, () => void asked++);
  });

  it('lets those go whose revision is reached', async () => {
    clock.advance(rev(5));
    assert.equal(await clock.reach(rev(5), 1000), true);
    const done: number[] = [];
    for (const n of [9, 6, 7, 6, 8]) void clock.reach(rev(n), 1000).then(() => done.push(n));
    clock.advance(rev(7));
    await turn();
    assert.deepEqual(done, [6, 6, 7]);
    clock.advance(rev(6));
    assert.equal(clock.revision, 7, 'and never goes back');
    clock.advance(rev(20));
    await turn();
    assert.deepEqual(done, [6, 6, 7, 8, 9]);
    assert.deepEqual(time.pending, []);
  });

  it('asks for progress after 5 ms, and at most every 100 ms', async () => {
    const reached = clock.reach(rev(5), 3000);
    time.advance(4);
    assert.equal(asked, 0);
    time.advance(1);
    assert.equal(asked, 1);
    time.advance(99);
    assert.equal(asked, 1);
    time.advance(1);
    assert.equal(asked, 2);
    clock.advance(rev(5));
    assert.equal(await reached, true);
    void clock.reach(rev(6), 3000);
    time.advance(5);
    assert.equal(asked, 2);
    time.advance(95);
    assert.equal(asked, 3);
  });

  it('gives up in time, and when it is closed', async () => {
    const [soon, late] = [clock.reach(rev(5), 300), clock.reach(rev(5), 3000)];
    time.advance(405);
    assert.equal(await soon, false);
    clock.close();
    assert.equal(await late, false);
    assert.deepEqual(time.pending, []);
  });
});

describe('reads that must be fresh', () => {
  let storage: MemoryStorage;
  let time: ManualClock;
  let gateway: Gateway;
  let reads: boolean[];

  async function open(progressRequests = true): Promise<void> {
    storage = new MemoryStorage({ capabilities: { progressRequests } });
    time = new ManualClock();
    reads = [];
    const observer = { consistentRead: (_: string, fromCache: boolean) => void reads.push(fromCache) };
    const subject = { storage, root: '/registry', close: () => storage.close() };
    gateway = await Gateway.start(subject, [PODS], { clock: time, observer });
  }
  afterEach(() => gateway.close());

  it('wait for the watch, and are served from the cache then', async () => {
    await open();
    await gateway.create(PODS, 'a');
    storage.withhold();
    await gateway.create(PODS, 'b');
    const ranges = storage.requests['range'];
    const list = gateway.list(PODS);
    await turn();
    assert.deepEqual(names(await gateway.list(PODS, { at: ANY })), ['default/a']);
    storage.release();
    assert.deepEqual(names(await list), ['default/a', 'default/b']);
    assert.equal(storage.requests['range'], ranges, 'the storage was asked for a revision only');
    assert.deepEqual(reads, [true]);
  });

  it('ask for progress when nothing in the cache changes', async () => {
    await open();
    await storage.create('/elsewhere', Buffer.from('x'));
    const list = gateway.list(PODS);
    await turn();
    time.advance(5);
    assert.equal((await list).revision, storage.revision);
    assert.deepEqual(reads, [true]);
  });

  it('go to the storage when the watch is too far behind', async () => {
    await open();
    storage.withhold();
    await gateway.create(PODS, 'a');
    const list = gateway.list(PODS);
    await turn();
    time.advance(3200);
    assert.deepEqual(names(await list), ['default/a']);
    assert.deepEqual(reads, [false]);
    storage.release();
  });

  it('go to the storage where progress can not be asked for', async () => {
    await open(false);
    storage.withhold();
    await gateway.create(PODS, 'a');
    assert.deepEqual(names(await gateway.list(PODS)), ['default/a']);
    assert.equal((await gateway.get(PODS, 'a')).name, 'a');
    assert.deepEqual(reads, [false, false]);
    storage.release();
  });

  it('share one question to the storage', async () => {
    await open();
    await gateway.create(PODS, 'a');
    const before = storage.requests['currentRevision']!;
    await Promise.all(Array.from({ length: 100 }, () => gateway.get(PODS, 'a')));
    assert.ok(storage.requests['currentRevision']! - before <= 2);
  });

  it('of a version to come are served as soon as it is there', async () => {
    await open();
    const { revision } = await gateway.create(PODS, 'a');
    const get = gateway.get(PODS, 'b', { at: notOlderThan(revision + 1) });
    await turn();
    await gateway.create(PODS, 'b');
    assert.equal((await get).name, 'b');
  });

  it('of a version that does not come are refused after three seconds, with the time to try again', async () => {
    await open();
    const { revision } = await gateway.create(PODS, 'a');
    const at = notOlderThan(revision + 1);
    const outcomes: string[] = [];
    const asked = [gateway.get(PODS, 'a', { at }), gateway.list(PODS, { at })].map((read) =>
      refusedWith('Timeout', read).then((error) => {
        outcomes.push(error.message);
        return error;
      }),
    );
    await turn();
    time.advance(2900);
    await turn();
    assert.deepEqual(outcomes, []);
    time.advance(200);
    for (const { code, message, details } of await Promise.all(asked)) {
      assert.deepEqual(
        [code, message],
        [504, `Too large resource version: ${revision + 1}, current: ${revision}`],
      );
      assert.deepEqual(details, {
        retryAfterSeconds: 1,
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      });
    }
  });

  it('do not wait for a cache that is being loaded', async () => {
    await open();
    await gateway.create(PODS, 'a');
    let hold: (() => void) | undefined;
    storage.interceptor = (method, key) => {
      if (method !== 'range' || key !== '/registry/pods/' || hold !== undefined) return undefined;
      return new Promise((resolve) => (hold = resolve));
    };
    const other = await Gateway.start({ storage, root: '/registry', close: () => Promise.resolve() }, []);
    for (const at of [LATEST, ANY, notOlderThan(storage.revision)]) {
      assert.deepEqual(names(await other.list(PODS, { at })), ['default/a']);
    }
    assert.deepEqual(other.store.notReady(), ['pods']);
    hold!();
    await other.store.whenReady();
    assert.deepEqual(other.store.notReady(), []);
    other.close();
  });
});
