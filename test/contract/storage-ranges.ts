import assert from 'node:assert/strict';
import { after, before, refusedWith } from './storage-support.ts';
import type { Declare, Subject } from './storage-support.ts';

/** Reads: one key, prefixes, pages, at a revision, and compaction as readers see it. */
export function declareRanges(it: Declare): void {
  declareRangeShapes(it);
  declareRevisions(it);
  declareCompaction(it);
}

async function putAll(s: Subject, names: readonly string[]): Promise<void> {
  for (const name of names) await s.put(name, name.toUpperCase());
}

function declareRangeShapes(it: Declare): void {
  it('a range without end is one key, whatever starts with it', async (s) => {
    await putAll(s, ['a', 'ab', 'a/b']);
    const { items, count, more } = await s.storage.range({ start: s.key('a') });
    assert.deepEqual(s.plain(items), [['a', 'A']]);
    assert.deepEqual([count, more], [1, false]);
  });

  it('a range of nothing is empty and still tells the revision', async (s) => {
    const revision = await s.put('a', '1');
    const { items, count, more, ...rest } = await s.storage.range({ start: s.key('b'), end: s.key('c') });
    assert.deepEqual([items, count, more], [[], 0, false]);
    assert.ok(rest.revision >= revision);
  });

  it('a range has its start and lacks its end', async (s) => {
    await putAll(s, ['a', 'b', 'c', 'd']);
    const { items } = await s.storage.range({ start: s.key('b'), end: s.key('d') });
    assert.deepEqual(s.plain(items), [
      ['b', 'B'],
      ['c', 'C'],
    ]);
  });

  it('a prefix is not the prefix of its siblings', async (s) => {
    await putAll(s, ['pods/a', 'pods/b', 'pods0', 'podsx/a', 'pod/a']);
    const { items } = await s.list({}, 'pods/');
    assert.deepEqual(s.plain(items), [
      ['pods/a', 'PODS/A'],
      ['pods/b', 'PODS/B'],
    ]);
  });

  it('keys come in the order of their UTF-8 bytes', async (s) => {
    // U+FFFD sorts after U+1F600 by UTF-16 code units and before it by bytes.
    const ordered = ['A', 'a', 'a.b', 'a/b', 'a0', 'aa', 'b', 'é', '\u{fffd}', '\u{1f600}'];
    await putAll(s, [...ordered].reverse());
    const { items } = await s.list();
    assert.deepEqual(
      items.map((item) => item.key.slice(s.prefix.length)),
      ordered,
    );
    const fromReplacement = await s.storage.range({ start: s.key('\u{fffd}'), end: s.key('\u{1f601}') });
    assert.equal(fromReplacement.count, 2);
  });

  it('pages of a range tell whether more follows and the count of the whole range', async (s) => {
    await putAll(s, ['a', 'b', 'c', 'd', 'e', 'gone']);
    const gone = (await s.list()).items.at(-1)!;
    await s.storage.delete(gone.key, gone.modRevision);
    const table = [
      { limit: 2, names: ['a', 'b'], more: true },
      { limit: 4, names: ['a', 'b', 'c', 'd'], more: true },
      { limit: 5, names: ['a', 'b', 'c', 'd', 'e'], more: false },
      { limit: 9, names: ['a', 'b', 'c', 'd', 'e'], more: false },
    ];
    for (const { limit, names, more } of table) {
      const page = await s.list({ limit });
      assert.deepEqual(
        s.plain(page.items).map(([name]) => name),
        names,
        `limit ${limit}`,
      );
      assert.deepEqual([page.more, page.count], [more, 5], `limit ${limit}`);
      const rough = await s.list({ limit, uncounted: true });
      assert.deepEqual([rough.items, rough.more], [page.items, more], `limit ${limit}, uncounted`);
      assert.equal(rough.count > names.length, more, `limit ${limit}, uncounted`);
    }
  });

  it('pages joined at one revision are the whole range while others write', async (s) => {
    const names = Array.from({ length: 23 }, (_, i) => `k${String(i).padStart(2, '0')}`);
    await putAll(s, names);
    const revision = await s.storage.currentRevision();
    const end = s.prefix.slice(0, -1) + '0';
    const seen: string[] = [];
    for (let start = s.prefix; ;) {
      const page = await s.storage.range({ start, end, limit: 5, revision });
      seen.push(...s.plain(page.items).map(([name]) => name));
      assert.equal(page.count, names.length - seen.length + page.items.length);
      await s.put(`k${seen.length}-new`, 'x');
      if (!page.more) break;
      start = page.items[page.items.length - 1]!.key + '\0';
    }
    assert.deepEqual(seen, names);
  });

  it('keysOnly leaves the values empty and everything else in place', async (s) => {
    const revision = await s.put('a', 'something');
    const { items, count } = await s.list({ keysOnly: true });
    assert.equal(count, 1);
    assert.deepEqual(items, [
      { key: s.key('a'), value: Buffer.alloc(0), createRevision: revision, modRevision: revision },
    ]);
  });

  it('countOnly returns no keys', async (s) => {
    await putAll(s, ['a', 'b', 'c']);
    const revision = await s.storage.currentRevision();
    await putAll(s, ['d']);
    for (const [request, expected] of [
      [{ countOnly: true }, 4],
      [{ countOnly: true, limit: 2 }, 4],
      [{ countOnly: true, revision }, 3],
    ] as const) {
      const { items, count } = await s.list(request);
      assert.deepEqual([items, count], [[], expected]);
    }
  });

  it('a range of thousands of keys comes whole', async (s) => {
    const count = 2500;
    for (let i = 0; i < count; i += 100) {
      const operations = Array.from({ length: 100 }, (_, j) => {
        return {
          op: 'put' as const,
          key: s.key(`k${String(i + j).padStart(5, '0')}`),
          value: Buffer.alloc(500, 'x'),
        };
      });
      await s.storage.transact({ conditions: [], operations });
    }
    const whole = await s.list();
    assert.deepEqual([whole.items.length, whole.count, whole.more], [count, count, false]);
    for (let i = 1; i < count; i++) assert.ok(whole.items[i - 1]!.key < whole.items[i]!.key);
  });

  it('a range whose signal has aborted is refused as aborted', async (s) => {
    await refusedWith('aborted', s.list({ signal: AbortSignal.abort() }));
  });
}

function declareRevisions(it: Declare): void {
  it('a range at a revision shows every key as it was', async (s) => {
    const a1 = await s.put('a', '1');
    const b1 = await s.put('b', '1');
    const a2 = await s.replace('a', a1, '2');
    const b2 = await s.remove('b', b1);
    const b3 = await s.put('b', '3');
    const table: [number, [string, string][]][] = [
      [before(a1), []],
      [a1, [['a', '1']]],
      [
        b1,
        [
          ['a', '1'],
          ['b', '1'],
        ],
      ],
      [
        a2,
        [
          ['a', '2'],
          ['b', '1'],
        ],
      ],
      [b2, [['a', '2']]],
      [
        b3,
        [
          ['a', '2'],
          ['b', '3'],
        ],
      ],
    ];
    for (const [revision, expected] of table) {
      const range = await s.list({ revision: revision as typeof a1 });
      assert.deepEqual(s.plain(range.items), expected, `at ${revision}`);
      assert.deepEqual([range.count, range.more], [expected.length, false]);
      assert.ok(range.revision >= b3, 'the answer tells the current revision');
    }
    const past = await s.storage.range({ start: s.key('a'), revision: b2 });
    assert.deepEqual([past.items[0]?.createRevision, past.items[0]?.modRevision], [a1, a2]);
  });

  it('limits and counts at a revision ignore keys of other revisions', async (s) => {
    await putAll(s, ['b', 'd', 'f']);
    const revision = await s.storage.currentRevision();
    const { items } = await s.list();
    await putAll(s, ['a', 'c', 'e', 'g']);
    await s.remove('b', items[0]!.modRevision);
    await s.remove('d', items[1]!.modRevision);
    const page = await s.list({ revision, limit: 2 });
    assert.deepEqual(s.plain(page.items), [
      ['b', 'B'],
      ['d', 'D'],
    ]);
    assert.deepEqual([page.count, page.more], [3, true]);
  });

  it('a revision above the current one is refused as futureRevision', async (s) => {
    const revision = await s.put('a', '1');
    await refusedWith('futureRevision', s.list({ revision: after(revision, 1000) }));
  });
}

function declareCompaction(it: Declare): void {
  it('compaction keeps the newest value of live keys and refuses older revisions', async (s) => {
    const a1 = await s.put('a', '1');
    const b1 = await s.put('b', '1');
    const a2 = await s.replace('a', a1, '2');
    await s.remove('b', b1);
    const a3 = await s.replace('a', a2, '3');
    await s.storage.compact(a3);

    const refused = await refusedWith('compacted', s.list({ revision: a2 }));
    assert.equal(refused.compactRevision, a3);
    assert.deepEqual(s.plain((await s.list()).items), [['a', '3']]);
    assert.deepEqual(s.plain((await s.list({ revision: a3 })).items), [['a', '3']]);
    const item = await s.get('a');
    assert.deepEqual([item?.createRevision, item?.modRevision], [a1, a3]);
  });

  it('compaction below newer writes keeps every state from its revision on', async (s) => {
    const a1 = await s.put('a', '1');
    const b1 = await s.put('b', '1');
    const a2 = await s.replace('a', a1, '2');
    const b2 = await s.replace('b', b1, '2');
    const a3 = await s.remove('a', a2);
    await s.storage.compact(a2);
    const states: [typeof a1, [string, string][]][] = [
      [
        a2,
        [
          ['a', '2'],
          ['b', '1'],
        ],
      ],
      [
        b2,
        [
          ['a', '2'],
          ['b', '2'],
        ],
      ],
      [a3, [['b', '2']]],
    ];
    for (const [revision, expected] of states) {
      assert.deepEqual(s.plain((await s.list({ revision })).items), expected, `at ${revision}`);
    }
    await refusedWith('compacted', s.list({ revision: b1 }));
  });

  it('compare-and-write goes on after a compaction', async (s) => {
    const a1 = await s.put('a', '1');
    const b1 = await s.put('b', '1');
    await s.storage.compact(b1);
    const a2 = await s.replace('a', a1, '2');
    assert.ok(a2 > b1);
    await s.remove('b', b1);
    assert.deepEqual(s.plain((await s.list()).items), [['a', '2']]);
  });

  it('compacting at or below the compaction point, or above the current revision, is refused', async (s) => {
    const a1 = await s.put('a', '1');
    const a2 = await s.replace('a', a1, '2');
    await s.storage.compact(a2);
    await refusedWith('compacted', s.storage.compact(a2));
    await refusedWith('compacted', s.storage.compact(a1));
    await refusedWith('futureRevision', s.storage.compact(after(a2, 1000)));
    assert.equal(await s.storage.currentRevision(), a2, 'compaction takes no revision');
  });
}
