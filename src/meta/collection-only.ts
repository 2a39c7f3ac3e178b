import type { ApiObject, Json } from './object.ts';
import { sameJson } from './same-json.ts';

/** Whether a change is about nothing but what keeps the object from being deleted: it grants nobody anything. */
export function isOnlyCollected(object: ApiObject, old: ApiObject | undefined): boolean {
  return old !== undefined && sameJson(withoutKeepers(object), withoutKeepers(old));
}

function withoutKeepers({ metadata, ...rest }: ApiObject): Json {
  const { finalizers, ownerReferences, managedFields, resourceVersion, ...others } = metadata;
  void [finalizers, ownerReferences, managedFields, resourceVersion];
  return { ...rest, metadata: others };
}
