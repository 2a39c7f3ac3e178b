import assert from 'node:assert/strict';
import { followOnDemand, type Following } from '../../../src/store/following.ts';

describe('following on demand', () => {
  let begun: number;
  let closed: number;
  const begin = (): Following => {
    begun++;
    return { ready: Promise.resolve(), close: () => void closed++ };
  };
  beforeEach(() => {
    begun = 0;
    closed = 0;
  });

  it('begins once, when it is first asked', async () => {
    const following = followOnDemand(begin);
    assert.equal(begun, 0);
    await Promise.all([following.ready, following.ready]);
    assert.equal(begun, 1);
    following.close();
    assert.equal(closed, 1);
  });

  it('does not begin after it was closed', async () => {
    const following = followOnDemand(begin);
    following.close();
    await following.ready;
    assert.deepEqual([begun, closed], [0, 0]);
  });
});
