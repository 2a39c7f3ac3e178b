import assert from 'node:assert/strict';
import type { Revision } from '../../../src/meta/revision.ts';
import { Subscription } from '../../../src/store/subscription.ts';
import { RecordingSink } from '../../support/object-store.ts';

describe('a subscription', () => {
  it('that has ended gets no further, though its past is still being read', () => {
    const sink = new RecordingSink();
    const source = { revision: 9 as Revision, leave: () => undefined };
    const subscription = new Subscription({ namespace: '', filter: undefined }, sink, source);
    subscription.startAfter(2 as Revision);
    subscription.deliverPast([], 3 as Revision);
    assert.equal(subscription.revision, 3);
    subscription.end(undefined);
    subscription.deliverPast([], 5 as Revision);
    assert.deepEqual([subscription.revision, sink.batches], [3, []]);
  });
});
