import assert from 'node:assert/strict';
import { UnusedMemory } from '../../../src/app/release-memory.ts';

const MIB = 1 << 20;

describe('memory that is not used', () => {
  let used: number;
  let held: number;
  let leastHeld: number;
  let collections: number;
  let unused: UnusedMemory;

  beforeEach(() => {
    [used, held, leastHeld, collections] = [40, 90, 20, 0];
    unused = new UnusedMemory({
      used: () => used * MIB,
      held: () => held * MIB,
      collect({ type }) {
        if (type === 'minor') return;
        collections++;
        held = leastHeld;
      },
    });
  });

  /** @returns whether it was given back. */
  function burst(nowHeld: number): boolean {
    const before = collections;
    held = nowHeld;
    unused.releaseAfterBurst();
    return collections > before;
  }

  it('is given back after the start, and after bursts that leave much more than that', () => {
    unused.releaseAfterStart();
    assert.equal(collections, 1);
    assert.deepEqual([80, 85, 150].map(burst), [false, true, true]);
  });

  it('is given back once the heap is small enough, if it was too large before', () => {
    used = 200;
    unused.releaseAfterStart();
    assert.equal(burst(150), false);
    used = 90;
    assert.equal(burst(150), true);
  });

  it('counts from as little as V8 came down to by itself', () => {
    leastHeld = 80;
    unused.releaseAfterStart();
    assert.deepEqual([100, 10, 100].map(burst), [false, false, true]);
  });
});
