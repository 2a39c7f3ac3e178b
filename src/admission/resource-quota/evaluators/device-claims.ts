import { numberAt, objectAt, objectsAt, textAt } from '../../../meta/fields.ts';
import type { Quantity } from '../../../meta/quantity.ts';
import { addResources } from '../../../meta/resource-list.ts';
import { count, ONE, writesObject, type QuotaEvaluator } from './evaluator.ts';

/** So many devices a claim gets at most: what one counts for that wants all there are. */
const MOST_DEVICES = 32;

/** ResourceClaims: how many, and how many devices they ask for by class. */
export function deviceClaims(countName: string, classSuffix: string): QuotaEvaluator {
  return {
    handles: writesObject,
    measures: (name) => name === countName || name.endsWith(classSuffix),
    usage(claim) {
      const used = new Map<string, Quantity>([[countName, ONE]]);
      for (const request of objectsAt(objectAt(objectAt(claim, 'spec'), 'devices'), 'requests')) {
        const mode = textAt(request, 'allocationMode');
        const devices =
          mode === 'ExactCount' ? numberAt(request, 'count') : mode === 'All' ? MOST_DEVICES : 0;
        addResources(used, new Map([[textAt(request, 'deviceClassName') + classSuffix, count(devices)]]));
      }
      return used;
    },
  };
}
