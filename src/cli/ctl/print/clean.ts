import type { JsonObject } from '../../../meta/object.ts';
import { itemsOf } from '../resources/read-objects.ts';

/** The object, or the list with each of its objects, without `metadata.managedFields`; what was given stays as it is. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  if (Array.isArray(object['items'])) return { ...object, items: itemsOf(object).map(cleaned) };
  return cleaned(object);
}

function cleaned(object: JsonObject): JsonObject {
  const { metadata } = object as { metadata?: JsonObject };
  if (metadata?.['managedFields'] === undefined) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/** A List of objects of any kinds, as `-o json` shows several. */
export function listOf(items: readonly JsonObject[]): JsonObject {
  return { apiVersion: 'v1', items: [...items], kind: 'List', metadata: { resourceVersion: '' } };
}
