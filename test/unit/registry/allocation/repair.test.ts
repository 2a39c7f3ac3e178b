import assert from 'node:assert/strict';
import { ZERO_REVISION } from '../../../../src/meta/revision.ts';
import { Bitmap } from '../../../../src/registry/allocation/bitmap.ts';
import { Pool } from '../../../../src/registry/allocation/pool.ts';
import { Repair, type Use } from '../../../../src/registry/allocation/repair.ts';
import { MemoryStorage } from '../../../support/memory-storage.ts';

const RANGE = { text: '10.0.0.0/24', size: 254, reserved: 16 };

describe('the repair of a range', () => {
  let pool: Pool;
  let uses: Use<string>[];
  let told: string[];
  let between: () => Promise<unknown>;
  let repair: Repair<string>;

  beforeEach(() => {
    const storage = new MemoryStorage();
    const options = { key: '/ranges/x', range: RANGE, storeAs: 'json', random: Math.random } as const;
    pool = new Pool({ storage, ...options });
    uses = [];
    told = [];
    between = () => Promise.resolve();
    repair = new Repair<string>({
      pool,
      indexesOf: ({ data }) => Bitmap.from(data, RANGE.size).indexes(),
      async uses() {
        const found = [...uses];
        await between();
        return found;
      },
      onProblem: ({ owner, text }, problem) => told.push(`${owner} ${text} ${problem}`),
      onLeak: (index) => told.push(`leak ${index}`),
    });
  });

  function use(owner: string, index: number | undefined): Use<string> {
    return { owner, text: String(index), index };
  }

  async function taken(): Promise<number[]> {
    const { record } = await pool.record();
    return [...Bitmap.from(record?.data ?? Buffer.alloc(0), RANGE.size).indexes()];
  }

  it('makes the first record', async () => {
    uses = [use('a', 3)];
    await repair.run();
    assert.deepEqual(await taken(), [3]);
  });

  it('marks what objects have, and tells of it', async () => {
    uses = [use('a', 3)];
    await repair.run();
    uses = [use('a', 3), use('b', 4), use('c', 4), use('d', undefined)];
    told = [];
    await repair.run();
    assert.deepEqual(await taken(), [3, 4]);
    assert.deepEqual(told, ['b 4 repair', 'c 4 duplicate', 'd undefined outOfRange']);
  });

  it('frees what nobody has only the third time', async () => {
    await repair.run();
    await pool.claim([5]);
    for (const expected of [[5], [5], []]) {
      await repair.run();
      assert.deepEqual(await taken(), expected);
    }
    assert.deepEqual(told, ['leak 5']);
    await pool.claim([5]);
    await repair.run();
    assert.deepEqual(await taken(), [5], 'and then it counts anew');
  });

  it('forgets its suspicion when somebody has it after all', async () => {
    await repair.run();
    await pool.claim([5]);
    await repair.run();
    await repair.run();
    uses = [use('late', 5)];
    await repair.run();
    uses = [];
    await repair.run();
    assert.deepEqual(await taken(), [5]);
  });

  it('begins anew when something is given out meanwhile', async () => {
    await repair.run();
    uses = [use('a', 1)];
    let claims = 0;
    between = async () => {
      if (claims++ < 2) await pool.claim([100 + claims]);
    };
    await repair.run();
    assert.deepEqual(await taken(), [1, 101, 102]);
  });

  it('gives up when that does not end', async () => {
    await pool.replace(new Bitmap(RANGE.size), ZERO_REVISION);
    uses = [use('a', 1)];
    between = () => pool.claim([undefined]);
    await assert.rejects(repair.run(), /faster/);
  });
});
