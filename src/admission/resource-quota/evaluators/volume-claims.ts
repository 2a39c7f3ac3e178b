import { objectAt, textAt } from '../../../meta/fields.ts';
import type { ApiObject } from '../../../meta/object.ts';
import { compareQuantities, wholeQuantity } from '../../../meta/quantity-amounts.ts';
import type { Quantity } from '../../../meta/quantity.ts';
import { readResources } from '../../../meta/resource-list.ts';
import { ONE, writesObject, type QuotaEvaluator } from './evaluator.ts';

export interface VolumeClaimNames {
  /** What follows a class's name where quotas limit the storage, or the claims, of one class. */
  readonly storageSuffix: string;
  readonly claimsSuffix: string;
  /** The annotation that named the class before there was a field. */
  readonly classAnnotation: string;
}

const NAMES: ReadonlySet<string> = new Set([
  'count/persistentvolumeclaims',
  'persistentvolumeclaims',
  'requests.storage',
]);

/** PersistentVolumeClaims: how many, and how much they ask for, in all and by class. */
export function volumeClaims(names: VolumeClaimNames): QuotaEvaluator {
  return {
    handles: writesObject,
    measures: (name) =>
      NAMES.has(name) || name.endsWith(names.storageSuffix) || name.endsWith(names.claimsSuffix),
    usage(claim) {
      const used = new Map<string, Quantity>([
        ['count/persistentvolumeclaims', ONE],
        ['persistentvolumeclaims', ONE],
      ]);
      const storage = storageOf(claim);
      const className =
        claim.metadata.annotations?.[names.classAnnotation] ??
        textAt(objectAt(claim, 'spec'), 'storageClassName');
      if (className !== '') used.set(className + names.claimsSuffix, ONE);
      if (storage === undefined) return used;
      used.set('requests.storage', storage);
      if (className !== '') used.set(className + names.storageSuffix, storage);
      return used;
    },
  };
}

/** What is asked for, or what is being made larger for it where that is more; whole bytes. */
function storageOf(claim: ApiObject): Quantity | undefined {
  const asked = readResources(objectAt(objectAt(claim, 'spec'), 'resources'), 'requests').get('storage');
  if (asked === undefined) return undefined;
  const given = readResources(objectAt(claim, 'status'), 'allocatedResources').get('storage');
  const larger = given !== undefined && compareQuantities(given, asked) > 0 ? given : asked;
  return { unscaled: wholeQuantity(larger), exponent: 0, format: larger.format };
}
