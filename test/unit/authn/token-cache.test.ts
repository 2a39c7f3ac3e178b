import assert from 'node:assert/strict';
import { authenticatedUser } from '../../../src/authn/authenticator.ts';
import { cachedTokens, type TokenCacheObserver } from '../../../src/authn/token-cache.ts';
import type { TokenUser } from '../../../src/authn/token.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const AUDIENCES = ['orch'];
const SETTINGS = { successMs: 10_000, failureMs: 5_000 };

describe('remembered tokens', () => {
  function setUp(
    answer: (token: string) => TokenUser | undefined,
    settings: { limit?: number; observer?: TokenCacheObserver } = {},
  ) {
    const clock = new ManualClock(1_000_000);
    const asked: string[] = [];
    const cached = cachedTokens(
      async (token) => {
        asked.push(token);
        await Promise.resolve();
        return answer(token);
      },
      { ...SETTINGS, ...settings, clock },
    );
    return { clock, asked, ask: (token: string, audiences = AUDIENCES) => cached(token, audiences) };
  }

  const user = (name: string, more: Partial<TokenUser> = {}): TokenUser => ({
    user: authenticatedUser({ name, uid: '', groups: [] }),
    audiences: AUDIENCES,
    ...more,
  });

  it('are asked about once while they are remembered', async () => {
    const { ask, asked, clock } = setUp((token) => user(token));
    assert.equal((await ask('a'))?.user.name, 'a');
    clock.advance(9_999);
    assert.equal((await ask('a'))?.user.name, 'a');
    assert.deepEqual(asked, ['a']);
    clock.advance(1);
    await ask('a');
    assert.deepEqual(asked, ['a', 'a']);
  });

  it('are forgotten when they expire', async () => {
    const { ask, asked, clock } = setUp(() => user('a', { expires: 1_003_000 }));
    await ask('a');
    clock.advance(3_000);
    await ask('a');
    assert.equal(asked.length, 2);
  });

  it('are remembered as nobody for a shorter time', async () => {
    const { ask, asked, clock } = setUp(() => undefined);
    assert.equal(await ask('a'), undefined);
    clock.advance(4_999);
    await ask('a');
    assert.equal(asked.length, 1);
    clock.advance(1);
    await ask('a');
    assert.equal(asked.length, 2);
  });

  it('are asked about again after an error', async () => {
    let fail = true;
    const { ask } = setUp((token) => {
      if (fail) throw new Error('away');
      return user(token);
    });
    await assert.rejects(ask('a'), /away/);
    fail = false;
    assert.equal((await ask('a'))?.user.name, 'a');
  });

  it('are asked about once when many bring one', async () => {
    const { ask, asked } = setUp((token) => user(token));
    await Promise.all(Array.from({ length: 100 }, () => ask('a')));
    assert.deepEqual(asked, ['a']);
  });

  it('are kept apart by those for whom they are', async () => {
    const { ask, asked } = setUp((token) => user(token));
    await ask('a', ['x', 'y']);
    await ask('a', ['y', 'x']);
    await ask('a', ['xy']);
    await ask('a', ['x']);
    await ask('a1:x', []);
    assert.equal(asked.length, 5);
  });

  it('are forgotten, oldest first, when there are too many', async () => {
    const { ask, asked } = setUp((token) => user(token), { limit: 2 });
    for (const token of ['a', 'b', 'c', 'b', 'c', 'a']) await ask(token);
    assert.deepEqual(asked, ['a', 'b', 'c', 'a']);
  });

  it('of users are not forgotten for those of nobody', async () => {
    const { ask, asked } = setUp((token) => (token === 'a' ? user(token) : undefined), { limit: 2 });
    for (const token of ['a', 'x', 'y', 'z', 'a', 'z', 'x']) await ask(token);
    assert.deepEqual(asked, ['a', 'x', 'y', 'z', 'x']);
  });

  it('are counted: what was remembered, what was asked, and who waits', async () => {
    const told: string[] = [];
    const { ask } = setUp(
      (token) => {
        if (token === 'bad') throw new Error('away');
        return user(token);
      },
      {
        observer: {
          looked: (status, seconds) => told.push(`${status} ${seconds}`),
          asked: (status) => told.push(status),
          waiting: (status, more) => told.push(`${status} ${more}`),
        },
      },
    );
    await ask('a');
    await ask('a');
    assert.deepEqual(told.splice(0), [
      ...['in_flight 1', 'blocked 1', 'in_flight -1', 'ok', 'blocked -1', 'miss 0', 'hit 0'],
    ]);
    await assert.rejects(ask('bad'));
    assert.deepEqual(told.splice(0), [
      ...['in_flight 1', 'blocked 1', 'in_flight -1', 'error', 'blocked -1', 'miss 0'],
    ]);
  });
});
