import assert from 'node:assert/strict';
import { Pacer } from '../../../src/lib/pacer.ts';

/** Counts turns of the event loop until `done`. */
async function turnsUntil(done: Promise<unknown>): Promise<number> {
  let turns = 0;
  let over = false;
  void done.then(() => (over = true));
  for (; !over; turns++) await new Promise((resolve) => setImmediate(resolve));
  return turns;
}

function workFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('loops with a pacer', () => {
  it('are due after their slice, and again after the next', async () => {
    const pacer = new Pacer(1);
    assert.equal(pacer.due(), false);
    workFor(6);
    assert.equal(pacer.due(), true);
    await pacer.rest();
    assert.equal(pacer.due(), false);
  });

  it('let others run between any two rests', async () => {
    const loop = async (): Promise<void> => {
      const pacer = new Pacer();
      for (let i = 0; i < 5; i++) await pacer.rest();
    };
    assert.ok((await turnsUntil(loop())) >= 5);
  });

  it('share a turn while they have little to do', async () => {
    const loop = async (): Promise<void> => {
      const pacer = new Pacer();
      for (let i = 0; i < 3; i++) await pacer.rest();
    };
    const turns = await turnsUntil(Promise.all(Array.from({ length: 100 }, loop)));
    assert.ok(turns < 50, `${turns} turns`);
  });

  it('go on in the order in which they came to rest', async () => {
    const order: number[] = [];
    const loop = async (_: unknown, i: number): Promise<void> => {
      const pacer = new Pacer();
      for (let round = 0; round < 2; round++) {
        await pacer.rest();
        order.push(i);
        workFor(2);
      }
    };
    await Promise.all(Array.from({ length: 6 }, loop));
    assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5]);
  });
});
