import type { GroupVersionKind, Json } from '../meta/object.ts';

/**
 * The in-memory form of `schemas/`: what everything that depends on a type is derived from (decoding, pruning,
 * defaulting, merging, field ownership, OpenAPI, discovery, Table columns, Protobuf). Loaded from the index that the
 * build makes, types lazily; a CustomResourceDefinition adds rows of the same form at run time.
 */

/** A value with no inner structure of ours, named by what it holds. */
export type ScalarKind =
  | 'string'
  | 'boolean'
  | 'int32'
  | 'int64'
  | 'double'
  /** Base64 text. */
  | 'bytes'
  /** RFC 3339, whole seconds, UTC. */
  | 'time'
  /** RFC 3339 with six fraction digits, UTC. */
  | 'microTime'
  /** Go duration text such as `1m30s`. */
  | 'duration'
  /** Decimal or binary quantity such as `1500m`, `2Gi`; kept in canonical form. */
  | 'quantity'
  | 'intOrString'
  /** Any JSON object, kept as it is (RawExtension). */
  | 'rawObject'
  /** Any JSON value, kept as it is. */
  | 'json'
  /** A field set: any JSON object. */
  | 'fieldsV1';

/** The type of a field, list item or map value. */
export type ValueType =
  | ScalarType
  | StructValue
  | ListValue
  | MapValue
  /** JSONSchemaProps or (array of them | boolean | array of string): the three unions of CRD schemas. */
  | { readonly kind: 'schemaOrArray' | 'schemaOrBool' | 'schemaOrStrings'; readonly struct: StructType };

export interface ScalarType {
  readonly kind: ScalarKind;
  readonly enum?: readonly string[];
}

export interface StructValue {
  readonly kind: 'struct';
  /** Resolved on first use: types may be recursive. */
  readonly struct: StructType;
  /** Whether it is replaced as a whole on merge and owned by one manager; absent: as the struct itself says. */
  readonly atomic?: boolean;
}

export interface ListValue {
  readonly kind: 'list';
  readonly items: ValueType;
  /** As the specification's merge markers; absent: atomic. */
  readonly listType?: 'atomic' | 'set' | 'map';
  /** For `map`: the fields that identify an item. */
  readonly mapKeys?: readonly string[];
  /** The Protobuf message that stands around the list (its items are field 1), where there is one. */
  readonly wrapper?: string;
}

export interface MapValue {
  readonly kind: 'map';
  readonly values: ValueType;
  /** Absent: granular. */
  readonly mapType?: 'atomic' | 'granular';
  /** Amounts are rounded up to thousandths where defaults are filled in. */
  readonly coarse?: boolean;
}

/** A struct: a Go type of the interface, flattened to its JSON fields. */
export interface StructType {
  /** The OpenAPI component name, the same in every naming profile. */
  readonly name: string;
  /** In canonical encoding order; inline structs are flattened in place. */
  readonly fields: readonly Field[];
  readonly field: ReadonlyMap<string, Field>;
  /** Replaced as a whole on merge and owned by one manager. */
  readonly atomic: boolean;
  /** Which field goes with which value of a discriminator. */
  readonly unions?: readonly StructUnion[];
}

/** A union inside a struct: of the fields, the one that the discriminator's value names may be set. */
export interface StructUnion {
  readonly discriminator: string;
  /** Field name → value of the discriminator. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The message that a field's Protobuf encoding sits in, and the message around that one where it is nested. */
export interface InlineMessage {
  readonly name: string;
  readonly number: number;
  readonly within?: InlineMessage;
}

/** A field as JSON shows it. */
export interface Field {
  readonly name: string;
  readonly type: ValueType;
  /** Protobuf field number (inside its own message, see `inline`); 0: not in the message (`kind`, `apiVersion`). */
  readonly number: number;
  /** The Protobuf message this field was flattened from, with that message's own number in the parent. */
  readonly inline?: InlineMessage;
  /** Whether absence differs from the zero value. */
  readonly pointer: boolean;
  /**
   * Whether the encoding leaves out an absent (pointer) or zero (non-pointer) value. Structs and times that are no
   * pointers are always encoded, zero or not; a list, map or pointer that isn't omitted encodes as null.
   */
  readonly omitEmpty: boolean;
  /** Must be present. */
  readonly required: boolean;
  /** What an absent value becomes when an object is decoded. Objects are copied, never shared. */
  readonly default?: Json;
  /** Whether OpenAPI shows the default; others are what the server fills in without saying so. */
  readonly publishedDefault?: boolean;
  /** A list that says something when it is empty, though an empty one is never encoded. */
  readonly keepEmpty?: boolean;
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[];
  readonly patchMergeKey?: string;
  /** OpenAPI refers to the type directly, not through the `allOf` that carries a description. */
  readonly plainReference?: boolean;
  /** A list type that OpenAPI shows at a field that is no list; it means nothing. */
  readonly strayListType?: 'atomic' | 'set' | 'map';
}

/** The interface's verbs, as discovery lists them. */
export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** A column of a resource's Table. What fills the cells is the row's `cells` hook or, without one, name and creation. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  /** 0: always shown; above: only in the wide output. */
  readonly priority: number;
}

/** Releases as `major.minor`, e.g. `1.32`. */
export interface Lifecycle {
  readonly introduced: string;
  readonly deprecated?: string;
  readonly removed?: string;
  readonly replacement?: GroupVersionKind;
}

/** A resource in one version: one row of the table that discovery, dispatch and storage are driven by. */
export interface ResourceDefinition {
  readonly group: string;
  readonly version: string;
  /** Plural, as in paths. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Verbs of the resource itself, in discovery order; empty where only subresources are served. */
  readonly verbs: readonly Verb[];
  readonly subresources: ReadonlyMap<string, SubresourceDefinition>;
  /** The object's type, built on first use. */
  readonly type: StructType;
  /** Absent for virtual kinds (reviews, bindings): nothing is stored. */
  readonly storage?: StorageDefinition;
  readonly columns: readonly ColumnDefinition[] | undefined;
  /** Field selectors it accepts, `metadata.name` (and `metadata.namespace`) included. */
  readonly selectableFields: readonly string[];
  readonly lifecycle: Lifecycle;
  /** Whether strategic merge patches are accepted; absent: yes. Custom resources have no strategies. */
  readonly strategicPatch?: boolean;
  /** Whether an update without resourceVersion is accepted. */
  readonly allowUnconditionalUpdate: boolean;
  /** Whether an update of a name that doesn't exist creates it. */
  readonly allowCreateOnUpdate: boolean;
  /** Whether `metadata.generation` counts changes outside status and metadata. */
  readonly hasGeneration: boolean;
  /** How `metadata.name` is checked. */
  readonly nameRule: NameRule;
  /** What an unqualified delete does to dependents; `none`: the kind doesn't take part in garbage collection. */
  readonly defaultPropagation: 'background' | 'orphan' | 'none';
  /** Grace period of an unqualified delete, seconds; absent: the kind is not deleted gracefully. */
  readonly gracePeriodSeconds?: number;
  /** Whether a delete that removes the object answers with the object, not with a Status. */
  readonly returnsDeleted: boolean;
}

/** The rules for names: DNS subdomain (RFC 1123), DNS labels (1123, 1035), or anything that is one path segment. */
export type NameRule = 'dnsSubdomain' | 'dnsLabel' | 'dns1035Label' | 'pathSegment' | 'ipAddress';

/** Where and how a resource is kept. All versions of a resource share one. */
export interface StorageDefinition {
  /** The version whose encoding is stored. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The version whose hash discovery publishes, where it isn't the stored one. */
  readonly hashVersion?: string;
  /** Below the store's prefix, e.g. `/pods`, `/apps/deployments`: slash, no trailing slash. */
  readonly prefix: string;
  readonly watchCache: 'full' | 'window' | 'none';
  /** Seconds after which an object expires, where the kind has a fixed rule (events: by flag). */
  readonly ttl?: 'events';
}

export interface SubresourceDefinition {
  /** Without the parent, e.g. `status`. */
  readonly name: string;
  /** Kind of the body; equal to the parent's for status. */
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly verbs: readonly string[];
  readonly type: StructType | undefined;
  /** For those that connect the client to something else: the HTTP methods, and whether a path may follow. */
  readonly connect?: { readonly methods: readonly string[]; readonly subpath: boolean };
  /** What the query parameters say, as fields. */
  readonly options?: StructType;
  /** Answers with text, not with an object. */
  readonly text?: boolean;
}

/** A group and its versions in order of preference. */
export interface GroupDefinition {
  readonly name: string;
  readonly versions: readonly string[];
  readonly preferredVersion: string;
  /** Rank among groups, higher first, as the APIService objects of its versions carry it. */
  readonly priority: number;
  /** The same for its versions. */
  readonly versionPriority: Readonly<Record<string, number>>;
  /** How OpenAPI's tags and operation ids spell the group, e.g. `rbacAuthorization`. */
  readonly tag: string;
}

/**
 * The table of everything served. Lookups are constant time; `generation` rises when rows change (custom resources,
 * later), so that whatever is derived from it can be kept.
 */
export interface SchemaRegistry {
  readonly generation: number;
  /** Served groups in discovery order; the core group is ''. */
  groups(): readonly GroupDefinition[];
  /** Served resources of a group version in discovery order. */
  resourcesOf(group: string, version: string): readonly ResourceDefinition[];
  resource(group: string, version: string, resource: string): ResourceDefinition | undefined;
  resourceForKind(group: string, version: string, kind: string): ResourceDefinition | undefined;
  /** Every version of a stored resource that can be decoded, removed and disabled ones included. */
  decodable(group: string, version: string, kind: string): StructType | undefined;
  /** One row per stored resource, whichever versions are served. */
  stored(): readonly ResourceDefinition[];
  /** A type by OpenAPI component name. */
  type(name: string): StructType | undefined;
  /** The kinds that a type (by component name) is in all its group-versions; empty for types that are no kinds. */
  kindsOf(name: string): readonly GroupVersionKind[];
}
