import { EVENTS, LEASES, NODES, PODS } from '../support/object-store.ts';
import { declareLists } from './object-store-lists.ts';
import { declareModel } from './object-store-model.ts';
import { declareReads } from './object-store-reads.ts';
import { Gateway, type Declare, type ObjectStoreContractOptions } from './object-store-support.ts';
import { declareWatches } from './object-store-watches.ts';
import { declareWrites } from './object-store-writes.ts';

/** The contract of the object store as a mocha suite, over any storage that keeps the storage port's. */
export function objectStoreContract(options: ObjectStoreContractOptions): void {
  describe(`object store on ${options.name}`, () => {
    const declare: Declare = (title, body) => {
      it(title, async function () {
        const subject = await options.open();
        try {
          const gateway = await Gateway.start(subject, [PODS, NODES, EVENTS, LEASES]);
          try {
            await body(gateway, this);
          } finally {
            gateway.close();
          }
        } finally {
          await subject.close();
        }
      });
    };
    describe('writes', () => declareWrites(declare));
    for (const resource of [PODS, EVENTS, LEASES]) {
      const { watchCache } = resource.storage!;
      describe(`reads of ${resource.resource} (watch cache: ${watchCache})`, () =>
        declareReads(declare, resource));
      describe(`lists of ${resource.resource} (watch cache: ${watchCache})`, () =>
        declareLists(declare, resource));
      describe(`watches of ${resource.resource} (watch cache: ${watchCache})`, () =>
        declareWatches(declare, resource));
    }
    describe('against a model', () => declareModel(declare));
  });
}
