import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/errors/api-error.ts';
import { ZERO_REVISION } from '../../../../src/meta/revision.ts';
import { Bitmap } from '../../../../src/registry/allocation/bitmap.ts';
import { Pool, type Claim } from '../../../../src/registry/allocation/pool.ts';
import { MemoryStorage } from '../../../support/memory-storage.ts';

const RANGE = { text: '10.0.0.0/24', size: 254, reserved: 16 };
const KEY = '/registry/ranges/serviceips';

function poolOn(storage: Pick<MemoryStorage, 'range' | 'create' | 'replace'>, range = RANGE): Pool {
  return new Pool({ storage, key: KEY, range, storeAs: 'protobuf', random: Math.random });
}

async function madePool(storage: MemoryStorage, range = RANGE): Promise<Pool> {
  const pool = poolOn(storage, range);
  assert.ok(await pool.replace(new Bitmap(range.size), ZERO_REVISION));
  return pool;
}

function given(claim: Claim): readonly number[] {
  assert.ok(claim.ok, JSON.stringify(claim));
  return claim.indexes;
}

describe('a pool', () => {
  it('gives nothing twice, by however many servers', async () => {
    const storage = new MemoryStorage();
    const pools = [await madePool(storage), poolOn(storage), poolOn(storage), poolOn(storage)];
    const claims = await Promise.all(Array.from({ length: 254 }, (_, i) => pools[i % 4]!.claim([undefined])));
    assert.equal(new Set(claims.flatMap((claim) => given(claim))).size, 254);
    for (const pool of pools) {
      assert.deepEqual(await pool.claim([undefined]), { ok: false, at: 0, why: 'full' });
    }
  });

  it('takes all that is wanted, or nothing', async () => {
    const storage = new MemoryStorage();
    const pool = await madePool(storage);
    assert.deepEqual(given(await pool.claim([7, 8])), [7, 8]);
    assert.deepEqual(await pool.claim([9, 8]), { ok: false, at: 1, why: 'taken' });
    assert.deepEqual(await pool.claim([10, 10]), { ok: false, at: 1, why: 'taken' });
    assert.deepEqual(given(await pool.claim([9, 10])), [9, 10]);
  });

  it('does not believe its memory when it says no', async () => {
    const storage = new MemoryStorage();
    const first = await madePool(storage);
    const second = poolOn(storage);
    await first.claim([7]);
    await second.release([7]);
    assert.deepEqual(given(await first.claim([7])), [7]);
  });

  it('writes once for all who wait', async () => {
    const memory = new MemoryStorage();
    let writes = 0;
    const pool = poolOn({
      range: (request) => memory.range(request),
      create: (key, value) => memory.create(key, value),
      replace(key, expected, value) {
        writes++;
        return memory.replace(key, expected, value);
      },
    });
    await pool.replace(new Bitmap(RANGE.size), ZERO_REVISION);
    await Promise.all(Array.from({ length: 100 }, () => pool.claim([undefined])));
    assert.equal(writes, 1);
  });

  it('tries without taking', async () => {
    const pool = await madePool(new MemoryStorage());
    assert.deepEqual(given(await pool.tryOut([3])), [3]);
    assert.deepEqual(given(await pool.claim([3])), [3]);
    assert.deepEqual(await pool.tryOut([3]), { ok: false, at: 0, why: 'taken' });
  });

  it('gives nothing before there is a record, or from one of another range', async () => {
    const storage = new MemoryStorage();
    await assert.rejects(
      poolOn(storage).claim([undefined]),
      (error) => error instanceof ApiError && error.code === 500,
    );
    await madePool(storage);
    const other = poolOn(storage, { ...RANGE, text: '10.1.0.0/24' });
    await assert.rejects(other.claim([1]), (error) => error instanceof ApiError && error.code === 500);
  });

  it('tells who asks that the store failed, and goes on with the next', async () => {
    const memory = new MemoryStorage();
    let broken = false;
    const pool = poolOn({
      range: (request) => memory.range(request),
      create: (key, value) => memory.create(key, value),
      replace: (key, expected, value) =>
        broken ? Promise.reject(new Error('broken')) : memory.replace(key, expected, value),
    });
    await pool.replace(new Bitmap(RANGE.size), ZERO_REVISION);
    broken = true;
    await assert.rejects(pool.claim([1]), /broken/);
    broken = false;
    assert.deepEqual(given(await pool.claim([1])), [1]);
  });
});
