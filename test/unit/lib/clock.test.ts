import assert from 'node:assert/strict';
import { systemClock } from '../../../src/lib/clock.ts';

describe('the clock of the machine', () => {
  it('does not call back at once where the time to wait is longer than timers can be', async () => {
    let called = false;
    const cancel = systemClock.after(2 ** 40, () => (called = true));
    await new Promise((resolve) => setTimeout(resolve, 20));
    cancel();
    assert.equal(called, false);
  });
});
