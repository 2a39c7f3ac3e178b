import assert from 'node:assert/strict';
import { ExpiringCache } from '../../../src/lib/expiring-cache.ts';
import { ManualClock } from '../../support/manual-clock.ts';

describe('an expiring cache', () => {
  it('keeps values for their time, and not at all for none', () => {
    const clock = new ManualClock();
    const cache = new ExpiringCache<string>({ clock, limit: 10 });
    cache.set('a', 'x', 100);
    cache.set('b', 'y', 0);
    clock.advance(99);
    assert.deepEqual([cache.get('a'), cache.get('b')], ['x', undefined]);
    clock.advance(1);
    assert.equal(cache.get('a'), undefined);
    assert.equal(cache.size, 0);
  });

  it('lets go first of what was not asked for the longest', () => {
    const cache = new ExpiringCache<number>({ clock: new ManualClock(), limit: 2 });
    cache.set('a', 1, 100);
    cache.set('b', 2, 100);
    cache.get('a');
    cache.set('c', 3, 100);
    assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [1, undefined, 3]);
  });
});
