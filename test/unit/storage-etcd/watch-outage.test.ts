import assert from 'node:assert/strict';
import { WatchOutage } from '../../../src/storage/etcd/watch-outage.ts';
import { ManualClock } from '../../support/manual-clock.ts';

describe('an outage of etcd watches', () => {
  const setUp = () => {
    const clock = new ManualClock();
    const lines: unknown[] = [];
    const outage = new WatchOutage((level, message, fields) => lines.push([level, message, fields]), clock);
    return { clock, lines, outage };
  };
  const [a, b] = [{}, {}];

  it('is told once at its start and once at its end, with counts', () => {
    const { clock, lines, outage } = setUp();
    for (let i = 0; i < 3; i++) {
      outage.cut(a, { reason: `cut ${i}` });
      outage.cut(b, {});
      clock.advance(2_000);
    }
    assert.deepEqual(lines, [['warn', 'an etcd watch was cut, and is being resumed', { reason: 'cut 0' }]]);
    outage.resumed(a);
    assert.equal(lines.length, 1);
    outage.resumed(b);
    assert.deepEqual(lines[1], [
      'info',
      'the etcd watches have resumed',
      { watches: 2, attempts: 6, seconds: 6 },
    ]);
    outage.cut(a, { reason: 'again' });
    assert.equal(lines.length, 3);
  });

  it('is nothing to speak of where a watch begins, or is not wanted any more', () => {
    const { lines, outage } = setUp();
    outage.resumed(a);
    assert.deepEqual(lines, []);
    outage.cut(a, {});
    outage.cut(b, {});
    outage.forget(b);
    outage.resumed(a);
    assert.equal(lines.length, 2);
  });
});
