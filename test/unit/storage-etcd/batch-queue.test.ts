import assert from 'node:assert/strict';
import type { Revision } from '../../../src/meta/revision.ts';
import type { WatchBatch } from '../../../src/storage/port.ts';
import { BatchQueue } from '../../../src/storage/etcd/batch-queue.ts';

function batch(revision: number, valueBytes = 0): WatchBatch {
  const event = {
    type: 'put' as const,
    key: 'k',
    value: Buffer.alloc(valueBytes),
    modRevision: revision as Revision,
    createRevision: revision as Revision,
  };
  return { revision: revision as Revision, events: [event] };
}

const DONE = { done: true, value: undefined };

describe('batch queue', () => {
  it('hands out batches in order, to readers that came before and after them', async () => {
    const queue = new BatchQueue(() => undefined);
    const early = [queue.next(), queue.next()];
    for (const revision of [1, 2, 3]) queue.push(batch(revision));
    const results = await Promise.all([...early, queue.next()]);
    assert.deepEqual(
      results.map(({ value }) => (value as WatchBatch).revision),
      [1, 2, 3],
    );
  });

  it('counts the bytes it holds, and tells when they become fewer', async () => {
    let reads = 0;
    const queue = new BatchQueue(() => reads++);
    queue.push(batch(1, 1000));
    queue.push(batch(2, 5000));
    assert.ok(queue.bytes >= 6000 && queue.bytes < 8000, `${queue.bytes}`);
    await queue.next();
    assert.ok(queue.bytes >= 5000 && queue.bytes < 6000, `${queue.bytes}`);
    await queue.next();
    assert.deepEqual([queue.bytes, reads], [0, 2]);
  });

  it('holds nothing of a batch that a reader waited for', async () => {
    const queue = new BatchQueue(() => undefined);
    const waiting = queue.next();
    queue.push(batch(1, 1000));
    assert.equal(queue.bytes, 0);
    await waiting;
  });

  it('ends after what is queued, with its error once', async () => {
    const queue = new BatchQueue(() => undefined);
    queue.push(batch(1));
    queue.end(new Error('over'));
    queue.push(batch(2));
    assert.equal((await queue.next()).done, false);
    await assert.rejects(queue.next(), /over/);
    assert.deepEqual(await queue.next(), DONE);
  });

  it('ends all waiting readers, the first with the error', async () => {
    const queue = new BatchQueue(() => undefined);
    const first = assert.rejects(queue.next(), /over/);
    const second = queue.next();
    queue.end(new Error('over'));
    await first;
    assert.deepEqual(await second, DONE);
  });

  it('discards what is queued, and an error nobody has read yet', async () => {
    const queue = new BatchQueue(() => undefined);
    queue.push(batch(1));
    queue.discard();
    assert.deepEqual([queue.bytes, await queue.next()], [0, DONE]);
    const failed = new BatchQueue(() => undefined);
    failed.end(new Error('over'));
    failed.discard();
    assert.deepEqual(await failed.next(), DONE);
  });
});
