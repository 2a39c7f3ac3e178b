import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Revision } from '../../src/meta/revision.ts';
import { ZERO_REVISION } from '../../src/meta/revision.ts';
import type { KeyValue, StorageEvent, WriteResult } from '../../src/storage/port.ts';
import { after, before, bytes, refusedWith } from './storage-support.ts';
import type { Declare, Subject } from './storage-support.ts';

const NAMES = ['a', 'ab', 'b/a', 'b/b', 'b0', 'é'] as const;

type Command =
  | { readonly kind: 'create' | 'replace' | 'delete'; readonly name: string; readonly stale: boolean }
  | { readonly kind: 'transact'; readonly names: readonly string[]; readonly stale: boolean }
  | { readonly kind: 'list'; readonly back: number; readonly limit: number }
  | { readonly kind: 'compact'; readonly back: number };

const name = fc.constantFrom(...NAMES);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('create'), name, stale: fc.constant(false) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('replace'), name, stale: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete'), name, stale: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('transact'),
      names: fc.uniqueArray(name, { minLength: 1, maxLength: 4 }),
      stale: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('list'), back: fc.nat(8), limit: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('compact'), back: fc.nat(6) }) },
);

interface Known {
  readonly value: string;
  readonly create: Revision;
  readonly mod: Revision;
}

/** The whole store as a map, and every state it has been in. */
class Model {
  state = new Map<string, Known>();
  revision: Revision;
  compacted: Revision;
  readonly history: { readonly revision: Revision; readonly state: ReadonlyMap<string, Known> }[] = [];
  readonly events: string[] = [];

  constructor(revision: Revision) {
    this.revision = revision;
    this.compacted = ZERO_REVISION;
    this.history.push({ revision, state: new Map() });
  }

  /** Takes changes over at `revision`; undefined deletes. */
  change(revision: Revision, changes: readonly (readonly [string, string | undefined])[]): void {
    assert.equal(revision, this.revision + 1, 'one revision a change');
    for (const [key, value] of changes) {
      if (value === undefined) {
        this.state.delete(key);
        this.events.push(`delete ${key}`);
      } else {
        this.state.set(key, { value, create: this.state.get(key)?.create ?? revision, mod: revision });
        this.events.push(`put ${key}=${value}`);
      }
    }
    this.revision = revision;
    this.history.push({ revision, state: new Map(this.state) });
  }

  at(revision: Revision): ReadonlyMap<string, Known> {
    return this.history.findLast((entry) => entry.revision <= revision)!.state;
  }

  /** Rows as a range in key order gives them. */
  rows(revision: Revision): [string, string, number, number][] {
    return [...this.at(revision)]
      .map(([key, known]): [string, string, number, number] => [key, known.value, known.create, known.mod])
      .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  }
}

/** Random histories against a model kept in memory: one by one, and concurrently. */
export function declareModel(it: Declare): void {
  it('random sequences behave like a map with a history', async (s, test) => {
    test.timeout(60_000);
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 60, size: 'max' }), async (commands) => {
        await runSequence(s, `round${round++}/`, commands);
      }),
      { numRuns: 30 },
    );
  });

  it('random concurrent writes are explained by their revisions', async (s, test) => {
    test.timeout(60_000);
    let round = 0;
    const expected = fc.integer({ min: -1, max: 12 });
    const write = fc.record({ name: fc.constantFrom('a', 'b', 'c'), expected, remove: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 2, maxLength: 40, size: 'max' }), async (writes) => {
        await runConcurrently(s, `round${round++}/`, writes);
      }),
      { numRuns: 30 },
    );
  });
}

async function runSequence(s: Subject, round: string, commands: readonly Command[]): Promise<void> {
  const start = await s.storage.currentRevision();
  const model = new Model(start);
  const watch = s.watch(after(start), { under: round });
  const seen: string[] = [];
  const drain = async () => {
    seen.push(...plain(s, round, await watch.events(model.events.length - seen.length)));
  };
  for (const [step, one] of commands.entries()) await runCommand({ s, model, round, step, drain }, one);
  await drain();
  assert.deepEqual(seen, model.events);
  await watch.end();
}

interface Step {
  readonly s: Subject;
  readonly model: Model;
  readonly round: string;
  readonly step: number;
  /** Reads the watch up to the present. */
  readonly drain: () => Promise<void>;
}

async function runCommand(at: Step, one: Command): Promise<void> {
  const { s, model, round, step } = at;
  const { storage } = s;
  const value = `v${step}`;
  switch (one.kind) {
    case 'create': {
      const known = model.state.get(one.name);
      const result = await storage.create(s.key(round + one.name), bytes(value));
      checkWrite(model, known, result, known === undefined);
      if (result.ok) model.change(result.revision, [[one.name, value]]);
      return;
    }
    case 'replace':
    case 'delete': {
      const known = model.state.get(one.name);
      const expected = known === undefined || one.stale ? ((model.revision + 5) as Revision) : known.mod;
      const key = s.key(round + one.name);
      const removes = one.kind === 'delete';
      const result = removes
        ? await storage.delete(key, expected)
        : await storage.replace(key, expected, bytes(value));
      checkWrite(model, known, result, known !== undefined && !one.stale);
      if (result.ok) model.change(result.revision, [[one.name, removes ? undefined : value]]);
      return;
    }
    case 'transact':
      return runTransaction(at, one.names, one.stale);
    case 'list': {
      const revision = Math.max(model.compacted, model.revision - one.back, model.history[0]!.revision);
      const request = { revision: revision as Revision, ...(one.limit > 0 && { limit: one.limit }) };
      const range = await s.list(request, round);
      const rows = model.rows(revision as Revision);
      const shown = one.limit > 0 ? rows.slice(0, one.limit) : rows;
      assert.deepEqual(range.items.map(rowOf(s, round)), shown);
      assert.deepEqual([range.count, range.more], [rows.length, shown.length < rows.length]);
      return;
    }
    case 'compact': {
      const revision = (model.revision - one.back) as Revision;
      if (revision <= Math.max(model.compacted, model.history[0]!.revision)) return;
      // A watch that hasn't caught up may be cut by a compaction; this one is kept from that.
      await at.drain();
      await storage.compact(revision);
      model.compacted = revision;
      await refusedWith('compacted', s.list({ revision: before(revision) }, round));
      return;
    }
  }
}

async function runTransaction(at: Step, names: readonly string[], stale: boolean): Promise<void> {
  const { s, model, round, step } = at;
  const known = names.map((one) => model.state.get(one));
  const conditions = names.map((one, i) => ({
    key: s.key(round + one),
    modRevision: stale ? ((model.revision + 5) as Revision) : (known[i]?.mod ?? ZERO_REVISION),
  }));
  const changes = names.map((one, i) => {
    return [one, i % 2 === 1 && known[i] !== undefined ? undefined : `v${step}`] as const;
  });
  const result = await s.storage.transact({
    conditions,
    operations: changes.map(([one, value]) => {
      const key = s.key(round + one);
      return value === undefined ? { op: 'delete', key } : { op: 'put', key, value: bytes(value) };
    }),
  });
  assert.equal(result.ok, !stale);
  if (result.ok) model.change(result.revision, changes);
  else
    assert.deepEqual(
      result.current?.map((item) => item?.modRevision),
      known.map((one) => one?.mod),
    );
}

function checkWrite(model: Model, known: Known | undefined, result: WriteResult, wins: boolean): void {
  assert.equal(result.ok, wins);
  if (result.ok) return;
  assert.equal(result.revision, model.revision);
  assert.deepEqual(
    result.current && [result.current.value.toString(), result.current.createRevision],
    known && [known.value, known.create],
  );
  assert.equal(result.current?.modRevision, known?.mod);
}

function rowOf(s: Subject, round: string) {
  return (item: KeyValue): [string, string, number, number] => [
    item.key.slice(s.key(round).length),
    item.value.toString(),
    item.createRevision,
    item.modRevision,
  ];
}

function plain(s: Subject, round: string, events: readonly StorageEvent[]): string[] {
  return events.map((event) => {
    const key = event.key.slice(s.key(round).length);
    return event.type === 'put' ? `put ${key}=${event.value.toString()}` : `delete ${key}`;
  });
}

interface ConcurrentWrite {
  readonly name: string;
  /** Expected mod revision, counted from the start; -1: create. */
  readonly expected: number;
  readonly remove: boolean;
}

/**
 * Sends all writes at once. Afterwards every answer must follow from the state at the revision that it names: a write
 * that won found what it expected just before, one that lost found something else, and the watch tells the same story.
 */
async function runConcurrently(s: Subject, round: string, writes: readonly ConcurrentWrite[]): Promise<void> {
  const start = await s.storage.currentRevision();
  const watch = s.watch(after(start), { under: round });
  const results = await Promise.all(
    writes.map((write, i) => {
      const key = s.key(round + write.name);
      const expected = (start + Math.max(1, write.expected)) as Revision;
      if (write.expected < 0) return s.storage.create(key, bytes(`v${i}`));
      return write.remove
        ? s.storage.delete(key, expected)
        : s.storage.replace(key, expected, bytes(`v${i}`));
    }),
  );
  const model = new Model(start);
  const won = results
    .map((result, i) => ({ result, write: writes[i]!, i }))
    .filter(({ result }) => result.ok);
  won.sort((a, b) => a.result.revision - b.result.revision);
  for (const { result, write, i } of won) {
    const found = model.state.get(write.name)?.mod;
    assert.equal(found, write.expected < 0 ? undefined : start + Math.max(1, write.expected));
    const removes = write.expected >= 0 && write.remove;
    model.change(result.revision, [[write.name, removes ? undefined : `v${i}`]]);
  }
  for (const [i, result] of results.entries()) {
    if (result.ok) continue;
    const write = writes[i]!;
    const known = model.at(result.revision).get(write.name);
    assert.deepEqual(
      result.current && rowOf(s, round)(result.current),
      known && [write.name, known.value, known.create, known.mod],
    );
    if (write.expected < 0) assert.notEqual(known, undefined);
    else assert.notEqual(known?.mod, start + Math.max(1, write.expected));
  }
  if (model.events.length > 0) {
    assert.deepEqual(plain(s, round, await watch.events(model.events.length)), model.events);
  }
  await watch.end();
}
