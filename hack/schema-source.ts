/**
 * The form of `schemas/types/**.yaml`: one file per group-version, written by the importer, reviewed by people, read by
 * the build. `docs/schemas.md` explains it with an example.
 */

import type { Json } from '../src/meta/object.ts';
import type { Verb } from '../src/schema/model.ts';

/** A file of `schemas/types/`. */
export interface SourceFile {
  /** API group, '' for core; absent for packages that hold shared types of no group. */
  group?: string;
  version?: string;
  /** Prefix of the OpenAPI component names, e.g. `io.k8s.api.apps.v1`. */
  package: string;
  /** How OpenAPI tags and operation ids spell the group, e.g. `rbacAuthorization`. */
  tag?: string;
  /** Whether DeleteOptions and WatchEvent are registered in this group-version: every one that clients may post to. */
  scheme?: boolean;
  resources?: Record<string, SourceResource>;
  /** The types that are kinds: they carry `kind` and `apiVersion` as their first two fields. */
  kinds?: Record<string, SourceKind>;
  types: Record<string, SourceType>;
}

/** When a kind came and went, releases as `major.minor`; a replacement as `group/version.Kind`. */
export interface SourceKind {
  introduced?: string;
  deprecated?: string;
  removed?: string;
  replacement?: string;
  /** Registered in every group-version that has `scheme: true`. */
  everyGroup?: boolean;
  /** Registered, but without `kind` and `apiVersion` fields. */
  bare?: boolean;
}

/** A struct as its fields in encoding order, or what a named list or union stands for. */
export interface SourceType {
  fields?: Record<string, SourceField>;
  /** `atomic`: replaced as a whole. */
  mapType?: 'atomic' | 'granular';
  unions?: SourceUnion[];
  /** A name for another type; on the wire a message of its own around a list. */
  alias?: SourceValue;
  /** A value with no fields of ours, e.g. `json`. */
  scalar?: string;
}

export interface SourceUnion {
  discriminator: string;
  fields: Record<string, string>;
}

/** What a field, item or map value holds: exactly one of `type`, `list`, `map`. */
export interface SourceValue {
  /** A scalar (`string`, `int32`, `quantity`, …), a type of the same file, or `dir.version.Type` of another. */
  type?: string;
  /** A list of the named type. */
  list?: string;
  /** A map from string to the named type. */
  map?: string;
  enum?: string[];
}

export interface SourceField extends SourceValue {
  /** Protobuf field number. */
  no: number;
  /** Fields of the named struct stand here in place of a field. */
  inline?: string;
  pointer?: boolean;
  required?: boolean;
  /** Overrides the rule that required fields are always encoded and others are omitted when empty. */
  omitempty?: boolean;
  default?: Json;
  /** Whether OpenAPI shows the default. */
  published?: boolean;
  /** Fields of the type whose defaults don't apply here. */
  withoutDefaults?: string[];
  /** A list that says something when it is empty, though an empty one is never encoded. */
  keepEmpty?: boolean;
  /** A map of amounts that are kept in thousandths at the finest. */
  coarse?: boolean;
  listType?: 'atomic' | 'set' | 'map';
  keys?: string[];
  mapType?: 'atomic' | 'granular';
  patch?: string;
  mergeKey?: string;
  /** OpenAPI refers to the type without the wrapper that carries a description. */
  plainRef?: boolean;
}

export interface SourceResource {
  kind: string;
  singular: string;
  shortNames?: string[];
  categories?: string[];
  scope: 'Namespaced' | 'Cluster';
  /** `standard`: the eight verbs of a stored resource. */
  verbs: 'standard' | Verb[];
  subresources?: Record<string, SourceSubresource>;
  storage?: SourceStorage;
  columns?: SourceColumn[];
  /** Beyond `metadata.name` and, for namespaced resources, `metadata.namespace`. */
  fieldSelectors?: string[];
  unconditionalUpdate?: boolean;
  createOnUpdate?: boolean;
  generation?: boolean;
  nameRule?: 'dnsLabel' | 'dns1035Label' | 'pathSegment' | 'ipAddress';
  propagation?: 'orphan' | 'none';
  gracePeriodSeconds?: number;
  returnsDeleted?: boolean;
  /** Served only where this feature gate is on. */
  gate?: string;
}

export interface SourceSubresource {
  verbs: string[];
  /** `group/version.Kind`, where it isn't the resource's own. */
  kind?: string;
  /** HTTP methods of a connection to something else. */
  connect?: string[];
  /** Whether a path may follow a connection's. */
  subpath?: boolean;
  /** The type whose fields are query parameters. */
  options?: string;
  /** Answers with text. */
  text?: boolean;
  /** Served only where this feature gate is on. */
  gate?: string;
}

export interface SourceStorage {
  /** Where it isn't the resource's own group. */
  group?: string;
  version: string;
  /** The version whose hash discovery publishes, where it isn't the stored one. */
  hashVersion?: string;
  prefix: string;
  watchCache?: 'window' | 'none';
  ttl?: 'events';
}

export interface SourceColumn {
  name: string;
  type: string;
  format?: string;
  priority?: number;
}

/** `schemas/groups.yaml`: the groups in discovery order. */
export interface SourceGroups {
  groups: SourceGroup[];
}

export interface SourceGroup {
  name: string;
  /** Ranks of the group's and its versions' APIService objects; higher comes first. */
  priority: number;
  versions: Record<string, number>;
}
