import assert from 'node:assert/strict';
import { WorkQueue } from '../../../src/client/queue/work-queue.ts';
import { ManualClock } from '../../support/manual-clock.ts';

describe('WorkQueue', () => {
  it('holds a key once, in the order in which keys came', async () => {
    const queue = new WorkQueue({ clock: new ManualClock() });
    for (const key of ['a', 'b', 'a']) queue.add(key);
    assert.equal(queue.length, 2);
    assert.deepEqual([await queue.take(), await queue.take()], ['a', 'b']);
  });

  it('gives a key again that was added while it was worked on, afterwards and once', async () => {
    const queue = new WorkQueue({ clock: new ManualClock() });
    queue.add('a');
    assert.equal(await queue.take(), 'a');
    queue.add('a');
    queue.add('a');
    assert.equal(queue.length, 0);
    queue.done('a');
    assert.equal(await queue.take(), 'a');
    queue.done('a');
    assert.equal(queue.length, 0);
  });

  it('adds a key when its time has come, of several the first', async () => {
    const clock = new ManualClock();
    const queue = new WorkQueue({ clock });
    queue.addAfter('a', 500);
    queue.addAfter('a', 100);
    queue.addAfter('a', 300);
    assert.deepEqual(clock.pending, [100]);
    const taken = queue.take();
    clock.advance(100);
    assert.equal(await taken, 'a');
    queue.addAfter('b', 0);
    assert.equal(queue.length, 1);
  });

  it('lets each failure of a key wait twice as long, until it is forgotten', () => {
    const clock = new ManualClock();
    const queue = new WorkQueue({ clock, maxDelay: 30 });
    const delays: number[] = [];
    for (let times = 0; times < 5; times++) {
      queue.addRateLimited('a');
      delays.push(clock.pending[0] ?? 0);
      clock.advance(1000);
    }
    assert.deepEqual(delays, [5, 10, 20, 30, 30]);
    assert.equal(queue.failures('a'), 5);
    queue.forget('a');
    assert.equal(queue.failures('a'), 0);
  });

  it('lets retries of many keys wait for each other beyond a burst', () => {
    const clock = new ManualClock();
    const queue = new WorkQueue({ clock, perSecond: 10, burst: 2, firstDelay: 1 });
    for (const key of ['a', 'b', 'c', 'd']) queue.addRateLimited(key);
    assert.deepEqual(clock.pending, [1, 1, 100, 200]);
    clock.advance(10_000);
    queue.addRateLimited('e');
    assert.deepEqual(clock.pending, [1]);
  });

  it('works on keys, some at a time, tries failures again, and ends when told to', async () => {
    const clock = new ManualClock();
    const queue = new WorkQueue({ clock });
    const stop = new AbortController();
    const worked: string[] = [];
    const errors: string[] = [];
    let most = 0;
    let now = 0;
    const running = queue.run({
      concurrency: 2,
      signal: stop.signal,
      onError: (error, key) => errors.push(`${key}: ${(error as Error).message}`),
      work: async (key) => {
        most = Math.max(most, ++now);
        await new Promise(setImmediate);
        now--;
        worked.push(key);
        if (key === 'b' && errors.length === 0) throw new Error('no');
      },
    });
    for (const key of ['a', 'b', 'c']) queue.add(key);
    while (worked.length < 4) {
      await new Promise(setImmediate);
      clock.advance(5);
    }
    stop.abort();
    await running;
    assert.deepEqual(worked, ['a', 'b', 'c', 'b']);
    assert.deepEqual(errors, ['b: no']);
    assert.equal(most, 2);
    queue.add('late');
    assert.equal(await queue.take(), undefined);
  });
});
