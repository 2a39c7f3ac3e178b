import assert from 'node:assert/strict';
import type { Revision } from '../../../src/meta/revision.ts';
import { StorageError } from '../../../src/storage/errors.ts';
import { CompactionQuery } from '../../../src/store/compaction-query.ts';

const rev = (n: number): Revision => n as Revision;
const isCompacted = (error: unknown): boolean => error instanceof StorageError && error.code === 'compacted';

describe('the compaction query', () => {
  let asked: { readonly revision: Revision; readonly answer: PromiseWithResolvers<void> }[];
  let query: CompactionQuery;
  let time: number;

  const compactedUpTo = (point?: number): StorageError =>
    new StorageError('compacted', 'gone', point === undefined ? {} : { compactRevision: rev(point) });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  beforeEach(() => {
    asked = [];
    time = 0;
    query = new CompactionQuery({
      now: () => time,
      believedMs: 100,
      ask(revision) {
        const answer = Promise.withResolvers<void>();
        asked.push({ revision, answer });
        return answer.promise;
      },
    });
  });

  it('asks once, for the oldest, on behalf of all who wait for it to be sent', async () => {
    const checks = [7, 5, 3, 9].map((n) => query.check(rev(n)));
    assert.deepEqual(
      asked.map(({ revision }) => revision),
      [7],
    );
    asked[0]!.answer.resolve();
    await checks[0];
    await turn();
    assert.deepEqual(
      asked.map(({ revision }) => revision),
      [7, 3],
    );
    asked[1]!.answer.resolve();
    await Promise.all(checks);
  });

  it('refuses those below the point that the store names, and lets the others go on', async () => {
    const first = query.check(rev(9));
    const [low, at, high] = [query.check(rev(3)), query.check(rev(6)), query.check(rev(8))];
    asked[0]!.answer.resolve();
    await first;
    await turn();
    asked[1]!.answer.reject(compactedUpTo(6));
    await assert.rejects(low, isCompacted);
    await Promise.all([at, high]);
    await assert.rejects(query.check(rev(5)), isCompacted);
    assert.equal(asked.length, 2, 'what is known to be gone is not asked for again');
  });

  it('asks again for the others when the store does not name its point', async () => {
    const first = query.check(rev(9));
    const [low, high] = [query.check(rev(3)), query.check(rev(8))];
    asked[0]!.answer.resolve();
    await first;
    await turn();
    asked[1]!.answer.reject(compactedUpTo());
    await assert.rejects(low, isCompacted);
    await turn();
    assert.equal(asked[2]!.revision, 8);
    asked[2]!.answer.resolve();
    await high;
  });

  it('believes what it was told for a while, from when it asked', async () => {
    const first = query.check(rev(5));
    time = 60;
    asked[0]!.answer.resolve();
    await first;
    time = 99;
    await Promise.all([query.check(rev(5)), query.check(rev(9))]);
    assert.equal(asked.length, 1);
    void query.check(rev(4));
    assert.equal(asked[1]?.revision, 4, 'of what is older it was told nothing');
    asked[1].answer.resolve();
    await turn();
    time = 199;
    void query.check(rev(5));
    assert.equal(asked[2]?.revision, 5, 'and not for ever');
    asked[2].answer.resolve();
  });

  it('that fails, fails for those who share it only', async () => {
    const first = query.check(rev(9));
    const second = query.check(rev(9));
    asked[0]!.answer.reject(new Error('no'));
    await assert.rejects(first, /no/);
    await turn();
    asked[1]!.answer.resolve();
    await second;
  });
});
