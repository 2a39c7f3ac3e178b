import assert from 'node:assert/strict';
import type { Revision } from '../../../src/meta/revision.ts';
import type { StorageEvent } from '../../../src/storage/port.ts';
import type { WatchMessage } from '../../../src/storage/etcd/proto/watch.ts';
import { WatchCursor } from '../../../src/storage/etcd/watch-cursor.ts';

function message(header: number, fields: Partial<WatchMessage> = {}): WatchMessage {
  return {
    revision: header as Revision,
    created: false,
    canceled: false,
    compactRevision: 0 as Revision,
    cancelReason: '',
    fragment: false,
    events: [],
    ...fields,
  };
}

/** Events at these revisions; what tells events of one revision apart is their key. */
function events(...revisions: number[]): StorageEvent[] {
  return revisions.map((revision, i) => ({
    type: 'put',
    key: `k${i}`,
    value: Buffer.alloc(0),
    modRevision: revision as Revision,
    createRevision: revision as Revision,
  }));
}

describe('watch cursor', () => {
  /** Messages, and for each what it delivers (`revision: events`) and the start of a resumption after it. */
  const table: { name: string; from: number; steps: [WatchMessage | 'cut', string, number][] }[] = [
    {
      name: 'the created header moves nothing',
      from: 100,
      steps: [[message(5000, { created: true }), '', 100]],
    },
    {
      name: 'a header ahead of the events moves nothing',
      from: 6000,
      steps: [
        [message(6500, { created: true }), '', 6000],
        [message(6500, { events: events(6001) }), '6001: 6001', 6002],
      ],
    },
    {
      name: 'a batch of several revisions moves behind its last',
      from: 5,
      steps: [[message(9, { events: events(5, 5, 7) }), '7: 5 5 7', 8]],
    },
    {
      name: 'a fragment gives its complete revisions and holds the last',
      from: 5,
      steps: [
        [message(9, { fragment: true, events: events(5, 6, 6) }), '5: 5', 6],
        [message(9, { fragment: true, events: events(6) }), '', 6],
        [message(9, { fragment: true, events: events(6, 7) }), '6: 6 6 6 6', 7],
        [message(9, { events: events(7, 8) }), '8: 7 7 8', 9],
      ],
    },
    {
      name: 'a cut in the middle of a revision forgets its part',
      from: 5,
      steps: [
        [message(9, { fragment: true, events: events(5, 6) }), '5: 5', 6],
        ['cut', '', 6],
        [message(9, { created: true }), '', 6],
        [message(9, { events: events(6, 6, 7) }), '7: 6 6 7', 8],
      ],
    },
    {
      name: 'progress moves behind its header',
      from: 5,
      steps: [[message(40), '40: ', 41]],
    },
    {
      name: 'progress at the start tells that nothing is missing',
      from: 5,
      steps: [[message(4), '4: ', 5]],
    },
    {
      name: 'progress older than the start is no progress',
      from: 50,
      steps: [[message(40), '', 50]],
    },
    {
      name: 'progress between fragments is not believed',
      from: 5,
      steps: [
        [message(9, { fragment: true, events: events(5) }), '', 5],
        [message(9), '', 5],
        [message(9, { events: events(5) }), '5: 5 5', 6],
      ],
    },
    {
      name: 'events from before the start are dropped',
      from: 6,
      steps: [
        [message(9, { events: events(4, 5) }), '', 6],
        [message(9, { events: events(5, 6) }), '6: 6', 7],
      ],
    },
  ];
  for (const { name, from, steps } of table) {
    it(name, () => {
      const cursor = new WatchCursor(from as Revision);
      for (const [step, delivered, next] of steps) {
        if (step === 'cut') cursor.cut();
        else assert.equal(deliveredBy(cursor, step), delivered);
        assert.equal(cursor.next, next);
      }
    });
  }

  it('progress of a server that is not trusted is ignored', () => {
    const cursor = new WatchCursor(5 as Revision);
    assert.deepEqual(cursor.accept(message(40), false), { kind: 'nothing' });
    assert.equal(cursor.next, 5);
  });

  it('a cancellation is a compaction only when it names a revision', () => {
    const cursor = new WatchCursor(5 as Revision);
    const gone = cursor.accept(message(9, { canceled: true, compactRevision: 8 as Revision }), true);
    assert.deepEqual(gone, { kind: 'compacted', compactRevision: 8 });
    const other = cursor.accept(message(9, { created: true, canceled: true, cancelReason: 'x' }), true);
    assert.deepEqual(other, { kind: 'canceled', reason: 'x' });
  });
});

function deliveredBy(cursor: WatchCursor, given: WatchMessage): string {
  const step = cursor.accept(given, true);
  if (step.kind !== 'batch') return '';
  return `${step.batch.revision}: ${step.batch.events.map((event) => event.modRevision).join(' ')}`;
}
