import assert from 'node:assert/strict';
import { ZERO_REVISION } from '../../src/meta/revision.ts';
import { bytes, refusedWith } from './storage-support.ts';
import type { Declare } from './storage-support.ts';

/** Compare-and-write of single keys. */
export function declareWrites(it: Declare): void {
  it('create writes an absent key at the next revision', async (s) => {
    const start = await s.storage.currentRevision();
    const revision = await s.put('a', '1');
    assert.ok(revision > start);
    const item = await s.get('a');
    assert.deepEqual(item, {
      key: s.key('a'),
      value: bytes('1'),
      createRevision: revision,
      modRevision: revision,
    });
  });

  it('create of an existing key answers what is there and writes nothing', async (s) => {
    const revision = await s.put('a', '1');
    const lost = await s.storage.create(s.key('a'), bytes('2'));
    assert.ok(!lost.ok);
    assert.ok(lost.revision >= revision);
    assert.deepEqual(lost.current, {
      key: s.key('a'),
      value: bytes('1'),
      createRevision: revision,
      modRevision: revision,
    });
    assert.equal((await s.get('a'))?.value.toString(), '1');
  });

  it('replace keeps the create revision and raises the mod revision', async (s) => {
    const created = await s.put('a', '1');
    const replaced = await s.replace('a', created, '2');
    assert.ok(replaced > created);
    const item = await s.get('a');
    assert.deepEqual(
      [item?.value.toString(), item?.createRevision, item?.modRevision],
      ['2', created, replaced],
    );
  });

  it('replace at another revision answers what is there', async (s) => {
    const created = await s.put('a', '1');
    const replaced = await s.replace('a', created, '2');
    const lost = await s.storage.replace(s.key('a'), created, bytes('3'));
    assert.ok(!lost.ok);
    assert.equal(lost.current?.value.toString(), '2');
    assert.equal(lost.current.modRevision, replaced);
    assert.equal(lost.current.createRevision, created);
  });

  it('replace and delete of an absent key answer that nothing is there', async (s) => {
    const revision = await s.put('other', 'x');
    for (const lost of [
      await s.storage.replace(s.key('a'), revision, bytes('1')),
      await s.storage.delete(s.key('a'), revision),
    ]) {
      assert.ok(!lost.ok);
      assert.equal(lost.current, undefined);
      assert.ok(lost.revision >= revision);
    }
  });

  it('delete answers what it removed', async (s) => {
    const created = await s.put('a', '1');
    const gone = await s.storage.delete(s.key('a'), created);
    assert.ok(gone.ok);
    assert.ok(gone.revision > created);
    assert.equal(gone.previous?.value.toString(), '1');
    assert.equal(gone.previous.modRevision, created);
    assert.equal(await s.get('a'), undefined);
  });

  it('delete at another revision answers what is there and removes nothing', async (s) => {
    const created = await s.put('a', '1');
    const replaced = await s.replace('a', created, '2');
    const lost = await s.storage.delete(s.key('a'), created);
    assert.ok(!lost.ok);
    assert.equal(lost.current?.modRevision, replaced);
    assert.equal((await s.get('a'))?.value.toString(), '2');
  });

  it('a key created again after its deletion has a new create revision', async (s) => {
    const first = await s.put('a', '1');
    const deleted = await s.remove('a', first);
    const second = await s.put('a', '2');
    assert.ok(second > deleted);
    const item = await s.get('a');
    assert.deepEqual([item?.createRevision, item?.modRevision], [second, second]);
  });

  it('a failed write takes no revision that a later one lacks', async (s) => {
    const created = await s.put('a', '1');
    await s.storage.create(s.key('a'), bytes('2'));
    await s.storage.delete(s.key('b'), created);
    const next = await s.put('c', '1');
    assert.equal(next, created + 1);
  });

  it('values are bytes: empty, zeros and large ones come back as they were', async (s) => {
    const size = Math.min(s.storage.capabilities.maxValueBytes, 3 * 1024 * 1024);
    const large = Buffer.alloc(size, 'orch');
    const values = [Buffer.alloc(0), Buffer.from([0, 255, 0, 128]), large];
    for (const [index, value] of values.entries()) {
      assert.ok((await s.storage.create(s.key(`v${index}`), value)).ok);
    }
    for (const [index, value] of values.entries()) {
      const item = await s.get(`v${index}`);
      assert.ok(item?.value.equals(value), `value ${index}`);
    }
  });

  it('a value given as a view of a larger buffer is stored without its surroundings', async (s) => {
    const surrounding = Buffer.from('<<value>>');
    await s.storage.create(s.key('a'), new Uint8Array(surrounding.buffer, surrounding.byteOffset + 2, 5));
    assert.equal((await s.get('a'))?.value.toString(), 'value');
  });

  it('a buffer handed in may be changed once the write is answered', async (s) => {
    const given = bytes('before');
    const created = await s.storage.create(s.key('a'), given);
    assert.ok(created.ok);
    given.fill(0);
    assert.equal((await s.get('a'))?.value.toString(), 'before');
    const gone = await s.storage.delete(s.key('a'), created.revision);
    assert.ok(gone.ok);
    assert.equal(gone.previous?.value.toString(), 'before');
  });

  it('a value beyond the largest size is refused as tooLarge', async (s) => {
    const size = s.storage.capabilities.maxValueBytes + 1;
    await refusedWith('tooLarge', s.storage.create(s.key('a'), Buffer.alloc(size)));
    assert.equal(await s.get('a'), undefined);
  });

  it('a write whose signal has aborted is refused as aborted and writes nothing', async (s) => {
    const signal = AbortSignal.abort();
    const revision = await s.put('b', '1');
    await refusedWith('aborted', s.storage.create(s.key('a'), bytes('1'), { signal }));
    await refusedWith('aborted', s.storage.replace(s.key('b'), revision, bytes('2'), { signal }));
    await refusedWith('aborted', s.storage.delete(s.key('b'), revision, { signal }));
    const transaction = {
      conditions: [{ key: s.key('c'), modRevision: ZERO_REVISION }],
      operations: [{ op: 'put' as const, key: s.key('c'), value: bytes('1') }],
    };
    await refusedWith('aborted', s.storage.transact(transaction, { signal }));
    assert.deepEqual(s.plain((await s.list()).items), [['b', '1']]);
  });

  it('of many concurrent creates of a key one wins and all others see it', async (s) => {
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, i) => s.storage.create(s.key('a'), bytes(`${i}`))),
    );
    const won = results.filter((result) => result.ok);
    assert.equal(won.length, 1);
    const item = await s.get('a');
    for (const result of results) if (!result.ok) assert.deepEqual(result.current, item);
  });

  it('concurrent compare-and-write loops lose no increment', async (s) => {
    await s.put('n', '0');
    const increment = async () => {
      for (;;) {
        const item = await s.get('n');
        assert.ok(item);
        const next = bytes(`${Number(item.value.toString()) + 1}`);
        if ((await s.storage.replace(item.key, item.modRevision, next)).ok) return;
      }
    };
    await Promise.all(Array.from({ length: 12 }, increment));
    assert.equal((await s.get('n'))?.value.toString(), '12');
  });

  it('concurrent writes of different keys all succeed at revisions of their own', async (s) => {
    const revisions = await Promise.all(Array.from({ length: 100 }, (_, i) => s.put(`k${i}`, `${i}`)));
    assert.equal(new Set(revisions).size, 100);
    assert.equal((await s.list()).count, 100);
  });

  it('an acknowledged write is seen by every later read and by the current revision', async (s) => {
    let expected = await s.put('a', '0');
    for (let i = 1; i <= 25; i++) {
      expected = await s.replace('a', expected, `${i}`);
      const [item, current, range] = await Promise.all([
        s.get('a'),
        s.storage.currentRevision(),
        s.storage.range({ start: s.key('a'), keysOnly: true }),
      ]);
      assert.equal(item?.modRevision, expected);
      assert.ok(current >= expected);
      assert.ok(range.revision >= expected);
    }
  });
}
