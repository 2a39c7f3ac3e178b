import type { Json, JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { Descriptions } from './descriptions.ts';
import type { Field, ScalarKind, ScalarType, SchemaRegistry, StructType, ValueType } from '../model.ts';

/** The two forms of component schemas: OpenAPI 3.0 and, with fewer details, Swagger 2.0. */
export type OpenApiVersion = 'v2' | 'v3';

const API = 'io.k8s.apimachinery.pkg';

/** Component names that documents refer to without any field naming them. */
export const COMPONENTS = {
  apiGroup: `${API}.apis.meta.v1.APIGroup`,
  apiGroupList: `${API}.apis.meta.v1.APIGroupList`,
  apiResourceList: `${API}.apis.meta.v1.APIResourceList`,
  apiVersions: `${API}.apis.meta.v1.APIVersions`,
  deleteOptions: `${API}.apis.meta.v1.DeleteOptions`,
  patch: `${API}.apis.meta.v1.Patch`,
  status: `${API}.apis.meta.v1.Status`,
  versionInfo: `${API}.version.Info`,
  watchEvent: `${API}.apis.meta.v1.WatchEvent`,
} as const;

/** Scalars that are components of their own. `json` and the unions sit in the package of CRD schemas. */
const SCALAR_COMPONENTS: Partial<Record<ScalarKind, string>> = {
  time: `${API}.apis.meta.v1.Time`,
  microTime: `${API}.apis.meta.v1.MicroTime`,
  duration: `${API}.apis.meta.v1.Duration`,
  fieldsV1: `${API}.apis.meta.v1.FieldsV1`,
  quantity: `${API}.api.resource.Quantity`,
  intOrString: `${API}.util.intstr.IntOrString`,
  rawObject: `${API}.runtime.RawExtension`,
};

const UNION_COMPONENTS = {
  schemaOrArray: 'JSONSchemaPropsOrArray',
  schemaOrBool: 'JSONSchemaPropsOrBool',
  schemaOrStrings: 'JSONSchemaPropsOrStringArray',
} as const;

const PLAIN: Record<'string' | 'boolean' | 'int32' | 'int64' | 'double' | 'bytes', JsonObject> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  int32: { format: 'int32', type: 'integer' },
  int64: { format: 'int64', type: 'integer' },
  double: { format: 'double', type: 'number' },
  bytes: { format: 'byte', type: 'string' },
};

/** Schemas of the components that are no structs, by the last part of their names. */
const OPAQUE: Readonly<Record<string, JsonObject>> = {
  Duration: { type: 'string' },
  FieldsV1: { type: 'object' },
  JSON: {},
  JSONSchemaPropsOrArray: {},
  JSONSchemaPropsOrBool: {},
  JSONSchemaPropsOrStringArray: {},
  MicroTime: { format: 'date-time', type: 'string' },
  RawExtension: { type: 'object' },
  Time: { format: 'date-time', type: 'string' },
};

/** Those of values that have two types, for which the old format has no word. */
const TWOFOLD: Readonly<Record<OpenApiVersion, Readonly<Record<string, JsonObject>>>> = {
  v3: {
    Quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    IntOrString: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  },
  v2: {
    Quantity: { type: 'string' },
    IntOrString: { format: 'int-or-string', type: 'string' },
  },
};

/** What component schemas are made from. */
export interface ComponentParts {
  readonly registry: Pick<SchemaRegistry, 'type' | 'kindsOf'>;
  readonly names: NamingProfile;
  readonly descriptions: Descriptions;
}

/** Makes component schemas from types. */
export class ComponentBuilder {
  readonly #registry: Pick<SchemaRegistry, 'type' | 'kindsOf'>;
  readonly #version: OpenApiVersion;
  readonly #prefix: string;
  readonly #extension: ExtensionNames;
  readonly #descriptions: Descriptions;

  constructor({ registry, names, descriptions }: ComponentParts, version: OpenApiVersion) {
    this.#registry = registry;
    this.#descriptions = descriptions;
    this.#version = version;
    this.#prefix = version === 'v3' ? '#/components/schemas/' : '#/definitions/';
    this.#extension = extensionNames(names);
  }

  /** `{ $ref }` to a component of the document. */
  reference(name: string): JsonObject {
    return { $ref: this.#prefix + name };
  }

  /** The names and those of all components that they refer to, sorted. @throws Error for a name without a type. */
  closure(names: Iterable<string>): string[] {
    const found = new Set<string>();
    const pending = [...names];
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (found.has(name)) continue;
      found.add(name);
      const struct = this.#registry.type(name);
      if (struct !== undefined) for (const field of struct.fields) addReferences(field.type, struct, pending);
      else if (this.#opaque(name) === undefined) throw new Error(`openapi: no type ${name}`);
    }
    return [...found].sort();
  }

  /** The schema of a component. @throws Error for a name without a type. */
  component(name: string): JsonObject {
    const struct = this.#registry.type(name);
    const schema = struct === undefined ? this.#opaque(name) : this.#struct(struct);
    if (schema === undefined) throw new Error(`openapi: no type ${name}`);
    return schema;
  }

  #opaque(name: string): JsonObject | undefined {
    const last = name.slice(name.lastIndexOf('.') + 1);
    const schema = TWOFOLD[this.#version][last] ?? OPAQUE[last];
    return schema && { ...described(this.#descriptions.ofScalar(last)), ...schema };
  }

  #struct(struct: StructType): JsonObject {
    const schema: JsonObject = described(this.#descriptions.ofType(struct));
    if (struct.fields.length > 0) {
      const sorted = [...struct.fields].sort((a, b) => (a.name < b.name ? -1 : 1));
      schema.properties = Object.fromEntries(
        sorted.map((field) => [field.name, this.#property(field, struct)]),
      );
      const required = struct.fields.filter((field) => field.required).map((field) => field.name);
      if (required.length > 0) schema.required = required;
    }
    schema.type = 'object';
    const kinds = this.#registry.kindsOf(struct.name);
    if (kinds.length > 0) schema[this.#extension.groupVersionKind] = kinds.map((kind) => ({ ...kind }));
    if (struct.atomic) schema[this.#extension.mapType] = 'atomic';
    if (struct.unions !== undefined) {
      schema[this.#extension.unions] = struct.unions.map(({ discriminator, fields }) => ({
        discriminator,
        'fields-to-discriminateBy': { ...fields },
      }));
    }
    return schema;
  }

  #property(field: Field, owner: StructType): JsonObject {
    const { type } = field;
    const value = this.#value(type, owner, field.plainReference !== true);
    const schema = this.#withDescription(value, this.#descriptions.ofField(owner, field));
    if (this.#version === 'v3') {
      const shown = shownDefault(field);
      if (shown !== undefined) schema.default = shown;
    }
    const { listType, mapKeys, mapType, patchMergeKey, patchStrategy } = this.#extension;
    if (type.kind === 'list') {
      if (type.mapKeys !== undefined) schema[mapKeys] = [...type.mapKeys];
      if (type.listType !== undefined) schema[listType] = type.listType;
    }
    if (field.strayListType !== undefined) schema[listType] = field.strayListType;
    if (type.kind === 'map' && type.mapType !== undefined) schema[mapType] = type.mapType;
    if (type.kind === 'struct' && type.atomic !== undefined)
      schema[mapType] = type.atomic ? 'atomic' : 'granular';
    if (field.patchMergeKey !== undefined) schema[patchMergeKey] = field.patchMergeKey;
    if (field.patchStrategy !== undefined) schema[patchStrategy] = field.patchStrategy.join(',');
    return schema;
  }

  /** In OpenAPI 3.0 nothing may stand beside a reference; the old format has no such rule. */
  #withDescription(schema: JsonObject, text: string | undefined): JsonObject {
    return schema.$ref !== undefined && this.#version === 'v3' ? schema : { ...described(text), ...schema };
  }

  /** @param wrapped whether a reference stands inside `allOf`, which leaves room for markers beside it (v3 only) */
  #value(type: ValueType, owner: StructType, wrapped: boolean): JsonObject {
    switch (type.kind) {
      case 'list':
        return { items: this.#inner(type.items, owner), type: 'array' };
      case 'map':
        return { additionalProperties: this.#inner(type.values, owner), type: 'object' };
      default: {
        const name = componentOf(type, owner);
        if (name === undefined) return plainSchema(type as ScalarType);
        const reference = this.reference(name);
        return wrapped && this.#version === 'v3' ? { allOf: [reference] } : reference;
      }
    }
  }

  /** Items of lists and values of maps. */
  #inner(type: ValueType, owner: StructType): JsonObject {
    const schema = this.#value(type, owner, type.kind === 'struct');
    if (this.#version === 'v3') {
      const value = zeroValue(type);
      if (value !== undefined) schema.default = value;
    }
    return schema;
  }
}

function described(text: string | undefined): JsonObject {
  return text === undefined ? {} : { description: text };
}

interface ExtensionNames {
  readonly groupVersionKind: string;
  readonly listType: string;
  readonly mapKeys: string;
  readonly mapType: string;
  readonly patchMergeKey: string;
  readonly patchStrategy: string;
  readonly unions: string;
}

function extensionNames(names: NamingProfile): ExtensionNames {
  return {
    groupVersionKind: names.get('extension.group-version-kind'),
    listType: names.get('extension.list-type'),
    mapKeys: names.get('extension.list-map-keys'),
    mapType: names.get('extension.map-type'),
    patchMergeKey: names.get('extension.patch-merge-key'),
    patchStrategy: names.get('extension.patch-strategy'),
    unions: names.get('extension.unions'),
  };
}

function plainSchema(type: ScalarType): JsonObject {
  const plain = PLAIN[type.kind as keyof typeof PLAIN];
  return type.enum === undefined ? { ...plain } : { enum: [...type.enum], ...plain };
}

/** The component that a type is; undefined for plain scalars, lists and maps. */
function componentOf(type: ValueType, owner: StructType): string | undefined {
  switch (type.kind) {
    case 'struct':
      return type.struct.name;
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStrings':
      return sibling(type.struct, UNION_COMPONENTS[type.kind]);
    case 'json':
      return sibling(owner, 'JSON');
    case 'list':
    case 'map':
      return undefined;
    default:
      return SCALAR_COMPONENTS[type.kind];
  }
}

function sibling(struct: StructType, name: string): string {
  return struct.name.slice(0, struct.name.lastIndexOf('.') + 1) + name;
}

function addReferences(type: ValueType, owner: StructType, found: string[]): void {
  if (type.kind === 'list') addReferences(type.items, owner, found);
  else if (type.kind === 'map') addReferences(type.values, owner, found);
  else {
    const name = componentOf(type, owner);
    if (name !== undefined) found.push(name);
  }
}

/** Fields that are always there have their zero value as default; others the one they publish. */
function shownDefault(field: Field): Json | undefined {
  if (field.publishedDefault === true) return field.default;
  if (field.pointer) return undefined;
  return field.type.kind === 'struct' || !field.omitEmpty ? zeroValue(field.type) : undefined;
}

function zeroValue(type: ValueType): Json | undefined {
  switch (type.kind) {
    case 'struct':
      return {};
    case 'string':
      return '';
    case 'boolean':
      return false;
    case 'int32':
    case 'int64':
    case 'double':
      return 0;
    default:
      return undefined;
  }
}
