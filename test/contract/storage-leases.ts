import assert from 'node:assert/strict';
import type { LeaseId } from '../../src/storage/port.ts';
import { after, bytes, refusedWith } from './storage-support.ts';
import type { Declare } from './storage-support.ts';

/** Keys that end with their lease. */
export function declareLeases(it: Declare): void {
  it('a key written with a lease tells so', async (s) => {
    const lease = await s.storage.grantLease(600);
    assert.match(lease, /^[1-9]\d*$/);
    const a1 = await s.put('a', '1', { lease });
    assert.equal((await s.get('a'))?.lease, lease);
    const a2 = await s.replace('a', a1, '2', { lease });
    assert.equal((await s.get('a'))?.lease, lease);
    assert.equal((await s.storage.range({ start: s.key('a'), revision: a1 })).items[0]?.lease, lease);
    await s.replace('a', a2, '3');
    assert.equal((await s.get('a'))?.lease, undefined);
    await s.storage.revokeLease(lease);
  });

  it('leases differ from each other', async (s) => {
    const leases = await Promise.all(Array.from({ length: 20 }, () => s.storage.grantLease(600)));
    assert.equal(new Set(leases).size, 20);
    for (const lease of leases) await s.storage.revokeLease(lease);
  });

  it('revoking a lease deletes its keys as one ordinary deletion', async (s) => {
    const lease = await s.storage.grantLease(600);
    const other = await s.storage.grantLease(600);
    await s.put('b', '1', { lease });
    await s.put('a', '1', { lease });
    await s.put('other', '1', { lease: other });
    const last = await s.put('free', '1');
    const watch = s.watch(after(last), { previous: true });
    await s.storage.revokeLease(lease);
    const events = await watch.events(2);
    assert.deepEqual(s.plainEvents(events), ['delete a', 'delete b']);
    assert.equal(events[0]?.modRevision, events[1]?.modRevision);
    assert.equal(events[0]?.createRevision, 0);
    assert.equal(events[0]?.previous?.value.toString(), '1');
    assert.deepEqual(s.plain((await s.list()).items), [
      ['free', '1'],
      ['other', '1'],
    ]);
    await watch.end();
    await s.storage.revokeLease(other);
  });

  it('a key that was written again without its lease, or under another, outlives it', async (s) => {
    const lease = await s.storage.grantLease(600);
    const other = await s.storage.grantLease(600);
    const a1 = await s.put('a', '1', { lease });
    await s.replace('a', a1, '2');
    const b1 = await s.put('b', '1', { lease });
    await s.replace('b', b1, '2', { lease: other });
    const c1 = await s.put('c', '1', { lease });
    await s.remove('c', c1);
    await s.put('c', '2');
    await s.storage.revokeLease(lease);
    assert.deepEqual(s.plain((await s.list()).items), [
      ['a', '2'],
      ['b', '2'],
      ['c', '2'],
    ]);
    await s.storage.revokeLease(other);
    assert.deepEqual(s.plain((await s.list()).items), [
      ['a', '2'],
      ['c', '2'],
    ]);
  });

  it('a lease works in a transaction', async (s) => {
    const lease = await s.storage.grantLease(600);
    await s.storage.transact({
      conditions: [],
      operations: [
        { op: 'put', key: s.key('a'), value: bytes('1'), lease },
        { op: 'put', key: s.key('b'), value: bytes('1') },
      ],
    });
    await s.storage.revokeLease(lease);
    assert.deepEqual(s.plain((await s.list()).items), [['b', '1']]);
  });

  it('writes with a lease that has ended or never was are refused as leaseNotFound', async (s) => {
    const lease = await s.storage.grantLease(600);
    await s.storage.revokeLease(lease);
    for (const unknown of [lease, '4611686018427387904' as LeaseId]) {
      await refusedWith('leaseNotFound', s.storage.create(s.key('a'), bytes('1'), { lease: unknown }));
      await refusedWith(
        'leaseNotFound',
        s.storage.transact({
          conditions: [],
          operations: [
            { op: 'put', key: s.key('b'), value: bytes('1') },
            { op: 'put', key: s.key('a'), value: bytes('1'), lease: unknown },
          ],
        }),
      );
    }
    assert.equal((await s.list()).count, 0);
  });

  it('revoking an unknown lease, or one twice, does nothing', async (s) => {
    const lease = await s.storage.grantLease(600);
    await s.storage.revokeLease(lease);
    await s.storage.revokeLease(lease);
    await s.storage.revokeLease('4611686018427387904' as LeaseId);
  });

  it('a lease that runs out deletes its keys', async (s, test) => {
    test.timeout((s.shortestLeaseSeconds + 30) * 1000);
    const lease = await s.storage.grantLease(s.shortestLeaseSeconds);
    const a1 = await s.put('a', '1', { lease });
    const watch = s.watch(after(a1));
    const gone = watch.events(1);
    assert.equal((await s.get('a'))?.value.toString(), '1');
    s.advance?.(s.shortestLeaseSeconds * 1000);
    assert.deepEqual(s.plainEvents(await gone), ['delete a']);
    assert.equal(await s.get('a'), undefined);
    await refusedWith('leaseNotFound', s.storage.create(s.key('b'), bytes('1'), { lease }));
    await watch.end();
  });
}
