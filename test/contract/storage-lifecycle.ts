import assert from 'node:assert/strict';
import { ZERO_REVISION } from '../../src/meta/revision.ts';
import type { LeaseId } from '../../src/storage/port.ts';
import { after, bytes, refusedWith } from './storage-support.ts';
import type { Declare } from './storage-support.ts';

/** The store as a whole: its revision, its status, its end. */
export function declareLifecycle(it: Declare): void {
  it('the current revision is that of the last write, and at least 1', async (s) => {
    assert.ok((await s.storage.currentRevision()) >= 1);
    const revision = await s.put('a', '1');
    assert.equal(await s.storage.currentRevision(), revision);
  });

  it('status tells size, revision, version and identity', async (s) => {
    const revision = await s.put('a', '1');
    const status = await s.storage.status();
    assert.ok(status.sizeBytes > 0);
    assert.ok(status.revision >= revision);
    assert.match(status.version, /\d/);
    assert.notEqual(status.clusterId, '');
    assert.equal((await s.storage.status()).clusterId, status.clusterId);
    await refusedWith('aborted', s.storage.status(AbortSignal.abort()));
  });

  it('capabilities make sense', async (s) => {
    const { maxTransactionOperations, maxValueBytes } = s.storage.capabilities;
    assert.ok(maxTransactionOperations >= 16);
    assert.ok(maxValueBytes >= 1024 * 1024);
    await s.storage.currentRevision();
  });

  it('closing ends watches as closed', async (s) => {
    const start = await s.put('a', '1');
    const watch = s.watch(after(start));
    const waiting = watch.next();
    const refused = refusedWith('closed', waiting);
    await s.storage.close();
    await refused;
  });

  it('after closing every call is refused as closed, and closing again does nothing', async (s) => {
    const revision = await s.put('a', '1');
    await s.storage.close();
    await s.storage.close();
    const { storage } = s;
    const calls: [string, Promise<unknown>][] = [
      ['range', s.list()],
      ['create', storage.create(s.key('b'), bytes('1'))],
      ['replace', storage.replace(s.key('a'), revision, bytes('1'))],
      ['delete', storage.delete(s.key('a'), revision)],
      [
        'transact',
        storage.transact({ conditions: [{ key: s.key('a'), modRevision: ZERO_REVISION }], operations: [] }),
      ],
      ['watch', s.watch(revision).next()],
      ['currentRevision', storage.currentRevision()],
      ['compact', storage.compact(revision)],
      ['grantLease', storage.grantLease(60)],
      ['revokeLease', storage.revokeLease('1' as LeaseId)],
      ['status', storage.status()],
    ];
    for (const [, call] of calls) call.catch(() => undefined);
    for (const [, call] of calls) await refusedWith('closed', call);
  });

  it('writes that are under way when the store closes are answered', async (s) => {
    const writes = Array.from({ length: 20 }, (_, i) => s.storage.create(s.key(`a${i}`), bytes('1')));
    const settled = Promise.allSettled(writes);
    await s.storage.close();
    for (const outcome of await settled) {
      if (outcome.status === 'fulfilled') assert.ok(outcome.value.ok);
      else await refusedWith(codeOf(outcome.reason), Promise.reject(outcome.reason as Error));
    }
  });
}

/** `closed` where nothing was sent, `ambiguous` where something was: both are honest. */
function codeOf(reason: unknown): 'closed' | 'ambiguous' {
  return (reason as { code?: string }).code === 'ambiguous' ? 'ambiguous' : 'closed';
}
