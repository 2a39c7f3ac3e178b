import assert from 'node:assert/strict';
import { ZERO_REVISION } from '../../src/meta/revision.ts';
import type { TransactionOperation } from '../../src/storage/port.ts';
import { bytes, refusedWith } from './storage-support.ts';
import type { Declare } from './storage-support.ts';

/** Several conditions and writes at one revision. */
export function declareTransactions(it: Declare): void {
  it('a transaction whose conditions hold does everything at one revision', async (s) => {
    const a = await s.put('a', '1');
    const b = await s.put('b', '1');
    const result = await s.storage.transact({
      conditions: [
        { key: s.key('a'), modRevision: a },
        { key: s.key('c'), modRevision: ZERO_REVISION },
      ],
      operations: [
        { op: 'put', key: s.key('a'), value: bytes('2') },
        { op: 'delete', key: s.key('b') },
        { op: 'put', key: s.key('c'), value: bytes('1') },
      ],
    });
    assert.ok(result.ok);
    assert.ok(result.revision > b);
    const { items } = await s.list();
    assert.deepEqual(s.plain(items), [
      ['a', '2'],
      ['c', '1'],
    ]);
    assert.deepEqual(
      items.map((item) => [item.createRevision, item.modRevision]),
      [
        [a, result.revision],
        [result.revision, result.revision],
      ],
    );
  });

  it('a transaction with one failed condition does nothing and answers the keys of all conditions', async (s) => {
    const a = await s.put('a', '1');
    const b = await s.put('b', '1');
    const result = await s.storage.transact({
      conditions: [
        { key: s.key('b'), modRevision: b },
        { key: s.key('x'), modRevision: ZERO_REVISION },
        { key: s.key('a'), modRevision: b },
      ],
      operations: [{ op: 'put', key: s.key('b'), value: bytes('2') }],
    });
    assert.ok(!result.ok);
    assert.deepEqual(
      result.current?.map((item) => item && [item.key, item.value.toString(), item.modRevision]),
      [[s.key('b'), '1', b], undefined, [s.key('a'), '1', a]],
    );
    assert.equal((await s.get('b'))?.value.toString(), '1');
  });

  it('conditions may be about keys that are not written, and may be none', async (s) => {
    const a = await s.put('a', '1');
    const guarded = await s.storage.transact({
      conditions: [{ key: s.key('a'), modRevision: a }],
      operations: [{ op: 'put', key: s.key('b'), value: bytes('1') }],
    });
    const free = await s.storage.transact({
      conditions: [],
      operations: [{ op: 'put', key: s.key('b'), value: bytes('2') }],
    });
    assert.ok(guarded.ok && free.ok);
    assert.equal(free.revision, guarded.revision + 1);
    const item = await s.get('b');
    assert.deepEqual([item?.createRevision, item?.modRevision], [guarded.revision, free.revision]);
  });

  it('a transaction that changes nothing takes no revision', async (s) => {
    const revision = await s.put('a', '1');
    for (const operations of [[], [{ op: 'delete' as const, key: s.key('absent') }]]) {
      const result = await s.storage.transact({ conditions: [], operations });
      assert.deepEqual([result.ok, result.revision], [true, revision]);
    }
    assert.equal(await s.put('b', '1'), revision + 1);
  });

  it('a transaction beyond the largest number of operations is refused as tooLarge', async (s) => {
    const count = s.storage.capabilities.maxTransactionOperations + 1;
    const operations = Array.from({ length: count }, (_, i): TransactionOperation => {
      return { op: 'put', key: s.key(`k${i}`), value: bytes('1') };
    });
    await refusedWith('tooLarge', s.storage.transact({ conditions: [], operations }));
    assert.equal((await s.list()).count, 0);
    const allowed = await s.storage.transact({ conditions: [], operations: operations.slice(1) });
    assert.ok(allowed.ok);
    assert.equal((await s.list()).count, count - 1);
  });

  it('a transaction that writes a key twice is refused as invalid', async (s) => {
    const put = { op: 'put' as const, key: s.key('a'), value: bytes('1') };
    const remove = { op: 'delete' as const, key: s.key('a') };
    for (const operations of [
      [put, put],
      [put, remove],
    ]) {
      await refusedWith('invalid', s.storage.transact({ conditions: [], operations }));
    }
    assert.equal((await s.list()).count, 0);
  });

  it('of concurrent transactions over one key one wins', async (s) => {
    const results = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        s.storage.transact({
          conditions: [{ key: s.key('owner'), modRevision: ZERO_REVISION }],
          operations: [
            { op: 'put', key: s.key('owner'), value: bytes(`${i}`) },
            { op: 'put', key: s.key(`claim-${i}`), value: bytes('1') },
          ],
        }),
      ),
    );
    const winner = results.findIndex((result) => result.ok);
    assert.equal(results.filter((result) => result.ok).length, 1);
    assert.deepEqual(s.plain((await s.list()).items), [
      [`claim-${winner}`, '1'],
      ['owner', `${winner}`],
    ]);
  });
}
