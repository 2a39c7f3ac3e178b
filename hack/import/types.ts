import type { SourceField, SourceType, SourceUnion, SourceValue } from '../schema-source.ts';
import type { FactField, FactPackage, FactSchema } from './facts.ts';
import type { ImportedPackage } from './packages.ts';

/** Messages that are values without fields of ours, by `package.Message` of the facts. */
const SCALAR_MESSAGES: Record<string, string> = {
  'k8s.io.apimachinery.pkg.apis.meta.v1.Time': 'time',
  'k8s.io.apimachinery.pkg.apis.meta.v1.MicroTime': 'microTime',
  'k8s.io.apimachinery.pkg.apis.meta.v1.Duration': 'duration',
  'k8s.io.apimachinery.pkg.apis.meta.v1.FieldsV1': 'fieldsV1',
  'k8s.io.apimachinery.pkg.api.resource.Quantity': 'quantity',
  'k8s.io.apimachinery.pkg.util.intstr.IntOrString': 'intOrString',
  'k8s.io.apimachinery.pkg.runtime.RawExtension': 'rawObject',
  'k8s.io.apimachinery.pkg.runtime.Unknown': 'rawObject',
  'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSON': 'json',
  'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray': 'schemaOrArray',
  'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool': 'schemaOrBool',
  'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray': 'schemaOrStrings',
  'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1beta1.JSON': 'json',
  'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1beta1.JSONSchemaPropsOrArray': 'schemaOrArray',
  'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1beta1.JSONSchemaPropsOrBool': 'schemaOrBool',
  'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1beta1.JSONSchemaPropsOrStringArray':
    'schemaOrStrings',
};

const SCALARS: Record<string, string> = {
  string: 'string',
  bool: 'boolean',
  int32: 'int32',
  int64: 'int64',
  double: 'double',
  bytes: 'bytes',
};

/** Turns the messages of packages into types of `schemas/`. */
export class TypeImporter {
  readonly #packages: ReadonlyMap<string, ImportedPackage>;
  readonly #schemas: Record<string, FactSchema>;
  readonly #translate: (fieldName: string) => string;
  /** Component name of a message that only stands inline in others → the schema of one of those. */
  readonly #embedding: ReadonlyMap<string, FactSchema>;

  constructor(
    packages: readonly ImportedPackage[],
    schemas: Record<string, FactSchema>,
    translate: (fieldName: string) => string,
  ) {
    this.#packages = new Map(packages.map((imported) => [imported.factName, imported]));
    this.#schemas = schemas;
    this.#translate = translate;
    this.#embedding = embeddingSchemas(packages, schemas);
  }

  /** The types of one package, by name. `isKind` tells which carry the implicit `kind` and `apiVersion`. */
  typesOf(imported: ImportedPackage): Record<string, SourceType> {
    const types: Record<string, SourceType> = {};
    for (const [name, message] of Object.entries(imported.content.messages)) {
      if (SCALAR_MESSAGES[`${imported.factName}.${name}`] !== undefined) continue;
      const list = message.goAlias === undefined ? undefined : /^\[\](.*)$/.exec(message.goAlias)?.[1];
      types[name] =
        list === undefined
          ? this.#struct(imported, name, message.fields)
          : { alias: { list: SCALARS[list] ?? list } };
    }
    return types;
  }

  #struct(imported: ImportedPackage, name: string, fields: FactField[]): SourceType {
    const component = `${imported.component}.${name}`;
    const own = this.#schemas[component];
    const schema = own ?? this.#embedding.get(component);
    const type: SourceType = {};
    const mapType = own?.['x-kubernetes-map-type'];
    if (mapType === 'atomic' || mapType === 'granular') type.mapType = mapType;
    const unions = own?.['x-kubernetes-unions'];
    if (unions !== undefined) type.unions = (unions as FactUnion[]).map(importUnion);
    type.fields = {};
    for (const field of fields) {
      const json = field.inline === true ? field.name : (field.jsonName ?? field.name);
      type.fields[this.#translate(json)] = this.#field(imported, field, schema?.properties?.[json], schema);
    }
    return type;
  }

  #field(
    imported: ImportedPackage,
    field: FactField,
    property: FactSchema | undefined,
    owner?: FactSchema,
  ): SourceField {
    if (field.inline === true)
      return { no: field.number, inline: this.#reference(imported, field.type ?? '') };
    const result: SourceField = { no: field.number, ...this.#value(imported, field) };
    const name = field.jsonName ?? field.name;
    const required = owner?.required?.includes(name) ?? false;
    if (field.pointer === true) result.pointer = true;
    if (required) result.required = true;
    const omitted = field.omitempty === true;
    if (omitted === required) result.omitempty = omitted;
    if (property !== undefined) Object.assign(result, propertyMarkers(property, field));
    return result;
  }

  #value(imported: ImportedPackage, field: FactField): SourceValue {
    if (field.map !== undefined) return { map: this.#reference(imported, field.map[1]) };
    const name = this.#reference(imported, field.type ?? '');
    return field.repeated === true ? { list: name } : { type: name };
  }

  /** How a type is named from inside a package. */
  #reference(imported: ImportedPackage, type: string): string {
    const scalar = SCALARS[type] ?? SCALAR_MESSAGES[type] ?? SCALAR_MESSAGES[`${imported.factName}.${type}`];
    if (scalar !== undefined) return scalar;
    const dot = type.lastIndexOf('.');
    if (dot < 0) return type;
    const other = this.#packages.get(type.slice(0, dot));
    if (other === undefined) throw new Error(`${imported.factName}: no package for ${type}`);
    const name = type.slice(dot + 1);
    return other === imported ? name : `${other.folder}.${other.file}.${name}`;
  }
}

/** OpenAPI shows the fields of inline messages at the types around them only. */
function embeddingSchemas(
  packages: readonly ImportedPackage[],
  schemas: Record<string, FactSchema>,
): ReadonlyMap<string, FactSchema> {
  const found = new Map<string, FactSchema>();
  for (const { component, content } of packages) {
    for (const [name, { fields }] of Object.entries(content.messages)) {
      const schema = schemas[`${component}.${name}`];
      for (const { inline, type } of fields) {
        if (inline === true && type !== undefined && schema !== undefined)
          found.set(`${component}.${type}`, schema);
      }
    }
  }
  return found;
}

interface FactUnion {
  discriminator: string;
  'fields-to-discriminateBy': Record<string, string>;
}

function importUnion(union: FactUnion): SourceUnion {
  return { discriminator: union.discriminator, fields: union['fields-to-discriminateBy'] };
}

/** What OpenAPI adds to a field. */
function propertyMarkers(property: FactSchema, field: FactField): Partial<SourceField> {
  const markers: Partial<SourceField> = {};
  const values = property.enum ?? property.items?.enum ?? property.additionalProperties?.enum;
  if (values !== undefined) markers.enum = values;
  if (property.default !== undefined && !isImpliedDefault(property, field)) {
    markers.default = property.default;
    markers.published = true;
  }
  const listType = property['x-kubernetes-list-type'];
  if (listType !== undefined) markers.listType = listType as 'atomic' | 'set' | 'map';
  const keys = property['x-kubernetes-list-map-keys'];
  if (keys !== undefined) markers.keys = keys as string[];
  const mapType = property['x-kubernetes-map-type'];
  if (mapType !== undefined) markers.mapType = mapType as 'atomic' | 'granular';
  const patch = property['x-kubernetes-patch-strategy'];
  if (patch !== undefined) markers.patch = patch as string;
  const mergeKey = property['x-kubernetes-patch-merge-key'];
  if (mergeKey !== undefined) markers.mergeKey = mergeKey as string;
  if (property.$ref !== undefined) markers.plainRef = true;
  return markers;
}

/** OpenAPI shows the zero value of always-present fields and structs as their default: that says nothing of its own. */
function isImpliedDefault(property: FactSchema, field: FactField): boolean {
  if (field.pointer === true) return false;
  if (typeof property.default === 'object') return true;
  return (
    field.omitempty !== true &&
    (property.default === '' || property.default === 0 || property.default === false)
  );
}

/** A type that only OpenAPI describes (no Protobuf message): required properties first, all numbered 0. */
export function typeFromSchema(schema: FactSchema): SourceType {
  const fields: Record<string, SourceField> = {};
  const order = new Set([...(schema.required ?? []), ...Object.keys(schema.properties ?? {})]);
  for (const name of order) {
    const property = schema.properties?.[name] ?? {};
    const required = schema.required?.includes(name) ?? false;
    fields[name] = { no: 0, type: property.type ?? 'string', ...(required ? { required } : {}) };
  }
  return { fields };
}

/** Whether a message looks like a kind, where no list says so: its first field is the metadata of objects or lists. */
export function looksLikeKind(content: FactPackage, name: string): boolean {
  const first = content.messages[name]?.fields[0];
  return first?.name === 'metadata' && first.inline !== true;
}
