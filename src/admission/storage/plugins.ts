import { objectAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import { compareQuantities, ZERO_QUANTITY } from '../../meta/quantity-amounts.ts';
import type { Quantity } from '../../meta/quantity.ts';
import { readResources } from '../../meta/resource-list.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { defaultOf, type DefaultableClass } from '../classes.ts';
import { only } from '../only.ts';
import { refused } from '../refused.ts';
import { classOfClaim } from './claim-class.ts';

/** A StorageClass, as far as claims are concerned. */
export interface StorageClass extends DefaultableClass {
  readonly allowsExpansion: boolean;
}

export interface StorageDependencies {
  /** All classes, as of a moment ago. */
  readonly listClasses: (signal: AbortSignal) => Promise<readonly StorageClass[]>;
  /** The annotation that named a claim's class before there was a field. */
  readonly classAnnotation: string;
}

/** Keeps volumes and claims, when they are deleted, as long as they are in use. @param finalizers by resource */
export function storageObjectInUseProtection(finalizers: Readonly<Record<string, string>>): AdmissionPlugin {
  return {
    name: 'StorageObjectInUseProtection',
    operations: ['CREATE'],
    concerns: only(...Object.keys(finalizers)),
    mutate({ resource, subresource, object }) {
      const finalizer = finalizers[resource.resource];
      if (finalizer === undefined || object === undefined || subresource !== '') return;
      const { metadata } = object;
      if (metadata.finalizers?.includes(finalizer) !== true)
        metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
    },
  };
}

/** Gives claims that name no class the default one. */
export function defaultStorageClass({ listClasses, classAnnotation }: StorageDependencies): AdmissionPlugin {
  return {
    name: 'DefaultStorageClass',
    operations: ['CREATE'],
    concerns: only('persistentvolumeclaims'),
    async mutate({ object, subresource, signal }) {
      const spec = objectAt(object, 'spec');
      if (spec === undefined || subresource !== '') return;
      if (classOfClaim(object, classAnnotation) !== undefined) return;
      const found = defaultOf(await listClasses(signal));
      if (found !== undefined) spec['storageClassName'] = found.name;
    },
  };
}

/** Lets claims grow that are bound, if their class can do it. */
export function persistentVolumeClaimResize({
  listClasses,
  classAnnotation,
}: StorageDependencies): AdmissionPlugin {
  return {
    name: 'PersistentVolumeClaimResize',
    operations: ['UPDATE'],
    concerns: only('persistentvolumeclaims'),
    async validate(request) {
      const { object, oldObject, subresource, signal } = request;
      if (subresource !== '' || compareQuantities(sizeOf(object), sizeOf(oldObject)) <= 0) return;
      if (textAt(objectAt(oldObject, 'status'), 'phase') !== 'Bound')
        throw refused(request, 'only claims that are bound can grow');
      const name = classOfClaim(object, classAnnotation) ?? '';
      const same = name !== '' && name === classOfClaim(oldObject, classAnnotation);
      const classes = same ? await listClasses(signal) : [];
      if (classes.find((one) => one.name === name)?.allowsExpansion !== true)
        throw refused(
          request,
          'only claims can grow whose volumes are made by a StorageClass that allows it',
        );
    },
  };
}

function sizeOf(claim: ApiObject | undefined): Quantity {
  const resources = objectAt(objectAt(claim, 'spec'), 'resources');
  return readResources(resources, 'requests').get('storage') ?? ZERO_QUANTITY;
}
