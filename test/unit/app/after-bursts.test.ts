import assert from 'node:assert/strict';
import { AfterBursts } from '../../../src/app/after-bursts.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const LOOK_MS = 30_000;
const cases: { name: string; busy: number[]; runs: number[] }[] = [
  { name: 'not where nothing happens', busy: [0, 0.01, 0.1, 0], runs: [] },
  { name: 'not during a burst', busy: [0.9, 0.2, 1, 0.9], runs: [] },
  { name: 'once after a burst', busy: [0.9, 0, 0, 0, 0, 0, 0], runs: [2] },
  { name: 'after the next burst as well', busy: [0.9, 0, 0, 0, 0, 0.9, 0], runs: [2, 7] },
  { name: 'not sooner than two minutes later', busy: [0.9, 0, 0.9, 0, 0, 0, 0], runs: [2, 6] },
];

describe('what runs after bursts', () => {
  for (const { name, busy, runs } of cases) {
    it(`runs ${name}`, () => {
      const clock = new ManualClock();
      let look = 0;
      const ran: number[] = [];
      const utilization = (): number => busy[look++] ?? 0;
      new AfterBursts({ clock, utilization, run: () => void ran.push(look) }).start();
      for (const _ of busy) clock.advance(LOOK_MS);
      assert.equal(look, busy.length);
      assert.deepEqual(ran, runs);
    });
  }

  it('runs no more when it is stopped', () => {
    const clock = new ManualClock();
    let runs = 0;
    const busy = [0.9, 0];
    const utilization = (): number => busy.shift() ?? 0;
    const stop = new AfterBursts({ clock, utilization, run: () => void runs++ }).start();
    clock.advance(LOOK_MS);
    stop();
    clock.advance(10 * LOOK_MS);
    assert.equal(runs, 0);
    assert.deepEqual(clock.pending, []);
  });
});
