import assert from 'node:assert/strict';
import type { StoredEntry } from '../../../src/store/object-store.ts';
import { paced } from '../../../src/store/paced-follower.ts';

const entry = (name: string): StoredEntry => ({ namespace: 'n', name }) as StoredEntry;

describe('a paced follower', () => {
  it('tells few changes at once, and many in their order, in slices', async () => {
    const told: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const follower = paced({
      set: ({ name }) => void told.push(`+${name}`),
      remove: (_, name) => {
        told.push(`-${name}`);
        if (name === 'last') resolve();
      },
    });
    follower.set(entry('first'));
    assert.deepEqual(told, ['+first']);
    const rest = Array.from({ length: 100 }, (_, i) => String(i));
    for (const name of rest) follower.set(entry(name));
    assert.ok(told.length < 100);
    follower.remove('n', 'last', entry('last'));
    await promise;
    await follower.settled();
    assert.deepEqual(told, ['+first', ...rest.map((name) => `+${name}`), '-last']);
  });
});
