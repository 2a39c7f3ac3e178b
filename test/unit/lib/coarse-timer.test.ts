import assert from 'node:assert/strict';
import type { Clock } from '../../../src/lib/clock.ts';
import { CoarseTimer } from '../../../src/lib/coarse-timer.ts';

/** A clock that a test moves by hand. */
class HandClock implements Clock {
  #now = 5;
  #alarms: { at: number; callback: () => void }[] = [];
  armed = 0;

  now = (): number => this.#now;
  monotonic = (): number => this.#now;

  after(ms: number, callback: () => void): () => void {
    const alarm = { at: this.#now + ms, callback };
    this.#alarms.push(alarm);
    this.armed++;
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
    };
  }

  /** Goes on to `to`, ringing what is due on the way. */
  goTo(to: number): void {
    for (;;) {
      const [next] = this.#alarms.filter(({ at }) => at <= to).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#alarms = this.#alarms.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    this.#now = to;
  }
}

function recorder(): { rung: string[]; task: (name: string) => { due(): void } } {
  const rung: string[] = [];
  return { rung, task: (name) => ({ due: () => void rung.push(name) }) };
}

describe('coarse timer', () => {
  it('is never early, and late by a bucket at most', () => {
    const clock = new HandClock();
    const timer = new CoarseTimer(clock);
    const { rung, task } = recorder();
    timer.schedule(250, task('short'));
    timer.schedule(60_000, task('long'));
    clock.goTo(254);
    assert.deepEqual(rung, []);
    clock.goTo(355);
    assert.deepEqual(rung, ['short']);
    clock.goTo(60_004);
    assert.deepEqual(rung, ['short']);
    clock.goTo(61_005);
    assert.deepEqual(rung, ['short', 'long']);
  });

  it('forgets what is cancelled', () => {
    const clock = new HandClock();
    const timer = new CoarseTimer(clock);
    const { rung, task } = recorder();
    const doomed = task('doomed');
    const slot = timer.schedule(100, doomed);
    timer.schedule(100, task('other'));
    timer.cancel(slot, doomed);
    timer.cancel(slot, doomed);
    clock.goTo(1_000);
    assert.deepEqual(rung, ['other']);
  });

  it('wakes earlier when something earlier comes', () => {
    const clock = new HandClock();
    const timer = new CoarseTimer(clock);
    const { rung, task } = recorder();
    timer.schedule(5_000, task('later'));
    timer.schedule(100, task('sooner'));
    clock.goTo(300);
    assert.deepEqual(rung, ['sooner']);
    clock.goTo(6_000);
    assert.deepEqual(rung, ['sooner', 'later']);
  });

  it('takes tasks that a task schedules', () => {
    const clock = new HandClock();
    const timer = new CoarseTimer(clock);
    const { rung, task } = recorder();
    timer.schedule(100, { due: () => void timer.schedule(100, task('second')) });
    clock.goTo(1_000);
    assert.deepEqual(rung, ['second']);
  });

  it('uses one timer for any number of equal deadlines', () => {
    const clock = new HandClock();
    const timer = new CoarseTimer(clock);
    const { rung, task } = recorder();
    for (let i = 0; i < 1_000; i++) timer.schedule(60_000, task('x'));
    assert.equal(clock.armed, 1);
    clock.goTo(70_000);
    assert.equal(rung.length, 1_000);
  });
});
