import type { FieldError } from '../errors/field-error.ts';
import type { ApiObject } from '../meta/object.ts';
import type { ResourceHooks } from './hooks.ts';

const KEPT = [
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
] as const;

/** Takes back what an update changed of the metadata, all but its version and the ownership of fields. */
function keepMetadata(object: ApiObject, old: ApiObject): void {
  for (const field of KEPT) {
    if (old.metadata[field] === undefined) delete object.metadata[field];
    else Object.assign(object.metadata, { [field]: old.metadata[field] });
  }
}

/** Kinds whose status updates leave metadata alone. */
export const statusKeepsMetadata: ResourceHooks = {
  status: { prepareForUpdate: keepMetadata, resetFields: { 'f:metadata': {} } },
};

/** The same for kinds with rules for what is said of them. */
export function withStatusRules(
  errorsOf: (object: ApiObject, old: ApiObject) => FieldError[],
): ResourceHooks {
  return {
    status: { prepareForUpdate: keepMetadata, resetFields: { 'f:metadata': {} }, validateUpdate: errorsOf },
  };
}

/** The same for kinds whose status updates own the metadata that they send nevertheless. */
export const statusKeepsOwnedMetadata: ResourceHooks = { status: { prepareForUpdate: keepMetadata } };
