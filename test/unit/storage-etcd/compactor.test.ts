import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { Revision } from '../../../src/meta/revision.ts';
import { StorageError } from '../../../src/storage/errors.ts';
import { COMPACT_REV_KEY, startCompactor } from '../../../src/storage/etcd/compactor.ts';
import type { CompactorOptions } from '../../../src/storage/etcd/compactor.ts';
import type { KeyValue, TransactionResult } from '../../../src/storage/port.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const MINUTE = 60_000;

/** The one key and the revision clock of a shared etcd. */
class SharedStore {
  revision = 1;
  compacted: number[] = [];
  value = '';
  #modRevision = 0;
  /** Thrown by the next call instead of doing it. */
  failure: StorageError | undefined;

  /** Somebody writes something else. */
  write(count = 1): void {
    this.revision += count;
  }

  /** The Go server's way of taking a round: a put under its own condition. */
  writeKey(value: string): void {
    this.revision++;
    this.#modRevision = this.revision;
    this.value = value;
  }

  readonly store: CompactorOptions['store'] = {
    transact: async ({ conditions, operations }): Promise<TransactionResult> => {
      await this.#answer();
      const [condition] = conditions;
      const [operation] = operations;
      assert.deepEqual(
        [condition?.key, operation?.key, operation?.op],
        [COMPACT_REV_KEY, COMPACT_REV_KEY, 'put'],
      );
      if (condition?.modRevision !== this.#modRevision) {
        const current = { key: COMPACT_REV_KEY, modRevision: this.#modRevision as Revision } as KeyValue;
        return { ok: false, revision: this.revision as Revision, current: [current] };
      }
      this.writeKey(operation?.op === 'put' ? Buffer.from(operation.value).toString() : '');
      return { ok: true, revision: this.revision as Revision };
    },
    compact: async (revision) => {
      await this.#answer();
      this.compacted.push(revision);
    },
  };

  async #answer(): Promise<void> {
    await setImmediate();
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
  }
}

/** Lets an interval pass and every round that it starts finish. */
async function round(clock: ManualClock, compactors: number): Promise<void> {
  clock.advance(5 * MINUTE);
  while (clock.pending.length < compactors) await setImmediate();
}

describe('etcd compactor', () => {
  const start = (clock: ManualClock, shared: SharedStore, log?: CompactorOptions['log']) =>
    startCompactor({ store: shared.store, intervalMs: 5 * MINUTE, clock, ...(log !== undefined && { log }) });

  it('compacts every interval to where the store was one interval before', async () => {
    const [clock, shared] = [new ManualClock(), new SharedStore()];
    const compactor = start(clock, shared);
    shared.write(9);
    await round(clock, 1);
    assert.deepEqual([shared.compacted, shared.value], [[], '0']);
    const first = shared.revision;
    shared.write(90);
    await round(clock, 1);
    assert.deepEqual([shared.compacted, shared.value], [[first], String(first)]);
    const second = shared.revision;
    shared.write(1);
    await round(clock, 1);
    assert.deepEqual(shared.compacted, [first, second]);
    await compactor.stop();
  });

  it('of several only one compacts in a round', async () => {
    const [clock, shared] = [new ManualClock(), new SharedStore()];
    const compactors = [start(clock, shared), start(clock, shared), start(clock, shared)];
    for (let i = 1; i <= 6; i++) {
      shared.write(10);
      await round(clock, 3);
      assert.ok(shared.compacted.length <= i - 1);
    }
    assert.ok(shared.compacted.length >= 4, `${shared.compacted.length} compactions`);
    assert.deepEqual(
      shared.compacted,
      [...shared.compacted].sort((a, b) => a - b),
    );
    for (const compactor of compactors) await compactor.stop();
  });

  it('leaves a round to a Go server that was first, and takes the next one', async () => {
    const [clock, shared] = [new ManualClock(), new SharedStore()];
    const compactor = start(clock, shared);
    await round(clock, 1);
    shared.writeKey('2');
    shared.write(50);
    await round(clock, 1);
    assert.deepEqual([shared.compacted, shared.value], [[], '2']);
    const seen = shared.revision;
    await round(clock, 1);
    assert.deepEqual(shared.compacted, [seen]);
    await compactor.stop();
  });

  it('goes on after failures, without compacting anything twice', async () => {
    const [clock, shared] = [new ManualClock(), new SharedStore()];
    const logged: string[] = [];
    const compactor = start(clock, shared, (_level, message) => logged.push(message));
    await round(clock, 1);
    const first = shared.revision;
    shared.failure = new StorageError('unavailable', 'no etcd');
    await round(clock, 1);
    assert.equal(logged.length, 1);
    await round(clock, 1);
    assert.deepEqual(shared.compacted, [first]);
    await compactor.stop();
  });

  it('takes a revision that is already compacted for done', async () => {
    const [clock, shared] = [new ManualClock(), new SharedStore()];
    const logged: string[] = [];
    const compact = () => Promise.reject(new StorageError('compacted', 'further already'));
    const compactor = startCompactor({
      store: { ...shared.store, compact },
      intervalMs: 5 * MINUTE,
      clock,
      log: (_level, message) => logged.push(message),
    });
    for (let i = 0; i < 3; i++) await round(clock, 1);
    assert.deepEqual(logged, []);
    await compactor.stop();
  });

  it('stops: a round under way is finished, and no other begins', async () => {
    const [clock, shared] = [new ManualClock(), new SharedStore()];
    const compactor = start(clock, shared);
    clock.advance(5 * MINUTE);
    await compactor.stop();
    assert.deepEqual([clock.pending, shared.value], [[], '0']);
  });
});
