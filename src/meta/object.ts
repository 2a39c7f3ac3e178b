/** A JSON value as the codecs produce it. Integers beyond 2^53 - 1 are bigint, so that int64 fields survive exactly. */
export type Json = null | boolean | number | bigint | string | Json[] | JsonObject;

/** A JSON object. Maps with client-chosen keys have no prototype, so that `__proto__` is a key like any other. */
export interface JsonObject {
  [field: string]: Json | undefined;
}

/** Whether a value is an object: no list, not null. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names a kind in one version. `group` is '' for the core group. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Names a resource in one version. `group` is '' for the core group. */
export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** One record of field ownership (`metadata.managedFields[]`). */
export interface ManagedFieldsEntry extends JsonObject {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonObject;
  subresource?: string;
}

export interface OwnerReference extends JsonObject {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** The metadata that every persisted object has. Times are RFC 3339 in UTC, whole seconds. */
export interface ObjectMeta extends JsonObject {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string | null;
  deletionTimestamp?: string | null;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

/** An object of any kind, decoded. */
export interface ApiObject extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/** `group/version`, or the bare version for the core group: the form of `apiVersion`. */
export function formatGroupVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Splits an `apiVersion`. @returns undefined when it has more than one slash or no version. */
export function parseGroupVersion(apiVersion: string): { group: string; version: string } | undefined {
  const slash = apiVersion.indexOf('/');
  if (slash < 0) return apiVersion === '' ? undefined : { group: '', version: apiVersion };
  const version = apiVersion.slice(slash + 1);
  if (version === '' || slash === 0 || version.includes('/')) return undefined;
  return { group: apiVersion.slice(0, slash), version };
}
