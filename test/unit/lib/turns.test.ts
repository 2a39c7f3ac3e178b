import assert from 'node:assert/strict';
import { Turns, type Turn } from '../../../src/lib/turns.ts';
import { ManualClock } from '../../support/manual-clock.ts';

describe('turns', () => {
  let clock: ManualClock;
  let turns: Turns;
  let begun: string[];
  beforeEach(() => {
    clock = new ManualClock();
    turns = new Turns(clock);
    begun = [];
  });

  const take = async (who: string, key = 'k'): Promise<Turn> => {
    const turn = await turns.take(key);
    begun.push(who);
    return turn;
  };
  /** Until everything that can go on has gone on. */
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('begin in the order in which they were asked for, one after the other', async () => {
    const a = await take('a');
    const [b, c] = [take('b'), take('c')];
    await settled();
    assert.deepEqual([begun, a.waited], [['a'], false]);
    a.end();
    const second = await b;
    assert.deepEqual([begun, second.waited], [['a', 'b'], true]);
    second.end();
    (await c).end();
    assert.equal((await take('d')).waited, false);
  });

  it('at other keys are their own', async () => {
    await take('a');
    assert.equal((await take('b', 'l')).waited, false);
  });

  it('are not waited for longer than a second', async () => {
    const a = await take('a');
    const [b, c] = [take('b'), take('c')];
    clock.advance(999);
    await settled();
    assert.deepEqual(begun, ['a']);
    clock.advance(1);
    const [impatient] = await Promise.all([b, c]);
    assert.deepEqual(begun, ['a', 'b', 'c']);
    impatient.end();
    const d = take('d');
    await settled();
    assert.equal(begun.length, 3, 'the first one has the turn still');
    a.end();
    assert.equal((await d).waited, true);
  });
});
