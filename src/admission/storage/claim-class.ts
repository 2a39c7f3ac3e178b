import { objectAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';

/**
 * The StorageClass that a PersistentVolumeClaim names: '' for none at all, undefined where it doesn't say.
 *
 * @param annotation that named it before there was a field
 */
export function classOfClaim(claim: ApiObject | undefined, annotation: string): string | undefined {
  const old = claim?.metadata.annotations?.[annotation];
  if (old !== undefined) return old;
  const name = objectAt(claim, 'spec')?.['storageClassName'];
  return typeof name === 'string' ? name : undefined;
}
