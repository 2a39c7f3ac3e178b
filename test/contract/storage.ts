import assert from 'node:assert/strict';
import { declareLeases } from './storage-leases.ts';
import { declareLifecycle } from './storage-lifecycle.ts';
import { declareModel } from './storage-model.ts';
import { declareRanges } from './storage-ranges.ts';
import { Subject } from './storage-support.ts';
import type { Declare, StorageContractOptions } from './storage-support.ts';
import { declareTransactions } from './storage-transactions.ts';
import { declareWatch } from './storage-watch.ts';
import { declareWrites } from './storage-writes.ts';

export type { StorageContractOptions, StorageSubject } from './storage-support.ts';

/**
 * The contract of the storage port as a mocha suite: every adapter calls it from a `.test.ts` of its own and passes
 * it. Tests look at `capabilities`, never at the adapter's name; what one can't do is in `skips`, with the reason.
 * A test gets a fresh prefix, but perhaps not a fresh clock: revisions are compared with each other, never with numbers.
 */
export function storageContract(options: StorageContractOptions): void {
  describe(`storage contract: ${options.name}`, () => {
    const skips = new Map(Object.entries(options.skips ?? {}));
    const declare: Declare = (title, body) => {
      const reason = skips.get(title);
      skips.delete(title);
      if (reason !== undefined) {
        it.skip(`${title} (skipped: ${reason})`);
        return;
      }
      it(title, async function () {
        const opened = await options.open();
        try {
          await body(new Subject(opened, options.shortestLeaseSeconds), this);
        } finally {
          await opened.close();
        }
      });
    };
    describe('writes', () => declareWrites(declare));
    describe('transactions', () => declareTransactions(declare));
    describe('ranges', () => declareRanges(declare));
    describe('watches', () => declareWatch(declare));
    describe('leases', () => declareLeases(declare));
    describe('lifecycle', () => declareLifecycle(declare));
    describe('against a model', () => declareModel(declare));
    assert.deepEqual([...skips.keys()], [], 'skips name tests that exist');
  });
}
