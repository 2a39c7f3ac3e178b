import type { IndexField, IndexStruct, IndexValue, TypesFile } from '../../src/schema/index-format.ts';
import type { Json } from '../../src/meta/object.ts';
import type { InlineMessage, ScalarKind } from '../../src/schema/model.ts';
import type { SourceField, SourceFile, SourceType } from '../schema-source.ts';
import type { Translator } from './names.ts';
import type { Source } from './source.ts';

const SCALARS: ReadonlySet<string> = new Set<ScalarKind>([
  'string',
  'boolean',
  'int32',
  'int64',
  'double',
  'bytes',
  'time',
  'microTime',
  'duration',
  'quantity',
  'intOrString',
  'rawObject',
  'json',
  'fieldsV1',
]);

const UNIONS: ReadonlySet<string> = new Set(['schemaOrArray', 'schemaOrBool', 'schemaOrStrings']);

const TYPE_META: readonly IndexField[] = [
  { name: 'kind', number: 0, type: 'string', omitEmpty: true },
  { name: 'apiVersion', number: 0, type: 'string', omitEmpty: true },
];

/** Resolves the types of `schemas/` to structs with flat fields and full component names. */
export class StructBuilder {
  readonly #source: Source;
  readonly #translate: Translator;

  constructor(source: Source, translate: Translator) {
    this.#source = source;
    this.#translate = translate;
  }

  /** The types of one file. @throws Error naming the type and field that refers to nothing. */
  build(key: string, file: SourceFile): TypesFile {
    const structs: Record<string, IndexStruct> = {};
    for (const [name, type] of Object.entries(file.types)) {
      if (type.fields === undefined) continue;
      structs[name] = this.#struct(key, name, type);
      for (const [fieldName, field] of Object.entries(type.fields)) {
        if (field.withoutDefaults !== undefined) {
          structs[variantName(name, fieldName)] = this.#variant(key, `${key}.${name}.${fieldName}`, field);
        }
      }
    }
    return { package: file.package, structs };
  }

  #struct(key: string, name: string, type: SourceType): IndexStruct {
    const kind = this.#file(key).kinds?.[name];
    const own = this.#fields(key, name, type, undefined);
    return {
      fields: kind === undefined || kind.bare === true ? own : [...TYPE_META, ...own],
      ...(type.mapType === 'atomic' ? { atomic: true } : {}),
      ...(type.unions === undefined ? {} : { unions: type.unions }),
    };
  }

  /** The struct of a field, without some defaults. */
  #variant(key: string, where: string, field: SourceField): IndexStruct {
    const target = this.#find(key, field.type ?? '', where);
    const struct = this.#struct(target.key, target.name, target.type);
    const fields = struct.fields.map((inner) => {
      if (field.withoutDefaults?.includes(inner.name) !== true) return inner;
      const { default: _dropped, ...rest } = inner;
      return rest;
    });
    return { ...struct, as: `${this.#file(target.key).package}.${target.name}`, fields };
  }

  #fields(key: string, typeName: string, type: SourceType, inline: InlineMessage | undefined): IndexField[] {
    return Object.entries(type.fields ?? {}).flatMap(([name, field]) => {
      if (field.inline === undefined) return [this.#field(key, typeName, name, field, inline)];
      const target = this.#find(key, field.inline, `${key}.${typeName}.${name}`);
      const message: InlineMessage = {
        name: target.name,
        number: field.no,
        ...(inline ? { within: inline } : {}),
      };
      return this.#fields(target.key, target.name, target.type, message);
    });
  }

  #field(key: string, owner: string, name: string, field: SourceField, inline?: InlineMessage): IndexField {
    const where = `${key}.${owner}.${name}`;
    const required = field.required === true;
    const result: { -readonly [K in keyof IndexField]: IndexField[K] } = {
      name: this.#translate(name),
      number: field.no,
      type:
        field.withoutDefaults === undefined
          ? this.#value(key, where, field)
          : { struct: `${this.#file(key).package}.${variantName(owner, name)}` },
    };
    if (inline !== undefined) result.inline = inline;
    if (field.pointer === true) result.pointer = true;
    if (field.omitempty ?? !required) result.omitEmpty = true;
    if (required) result.required = true;
    if (field.default !== undefined) result.default = this.#default(field.default);
    if (field.published === true) result.publishedDefault = true;
    if (field.patch !== undefined) result.patchStrategy = field.patch.split(',') as ('merge' | 'replace')[];
    if (field.mergeKey !== undefined) result.patchMergeKey = field.mergeKey;
    if (field.keepEmpty === true) result.keepEmpty = true;
    if (field.plainRef === true) result.plainReference = true;
    if (field.listType !== undefined && field.list === undefined) result.strayListType = field.listType;
    return result;
  }

  /** A default may be the name of a group. */
  #default(value: Json): Json {
    return typeof value === 'string' ? this.#translate(value) : value;
  }

  #value(key: string, where: string, field: SourceField): IndexValue {
    if (field.list !== undefined) {
      return {
        list: this.#named(key, where, field.list, field.enum),
        ...(field.listType === undefined ? {} : { listType: field.listType }),
        ...(field.keys === undefined ? {} : { mapKeys: field.keys }),
      };
    }
    if (field.map !== undefined) {
      const values = this.#named(key, where, field.map, field.enum);
      return {
        map: values,
        ...(field.mapType === undefined ? {} : { mapType: field.mapType }),
        ...(field.coarse === true ? { coarse: true } : {}),
      };
    }
    const value = this.#named(key, where, field.type ?? '', field.enum);
    if (field.mapType === undefined || typeof value === 'string' || !('struct' in value)) return value;
    return { ...value, atomic: field.mapType === 'atomic' };
  }

  #named(key: string, where: string, name: string, values: readonly string[] | undefined): IndexValue {
    if (SCALARS.has(name)) {
      const scalar = name as ScalarKind;
      return values === undefined ? scalar : { scalar, enum: values };
    }
    if (UNIONS.has(name)) {
      const struct = `${this.#file(key).package}.JSONSchemaProps`;
      return { union: name as 'schemaOrArray', struct };
    }
    const target = this.#find(key, name, where);
    const alias = target.type.alias;
    if (alias?.list === undefined) return { struct: `${this.#file(target.key).package}.${target.name}` };
    return { list: this.#named(target.key, where, alias.list, values), wrapper: target.name };
  }

  /** A type by its name as written inside a file: `Type`, or `folder.version.Type` of another. */
  #find(key: string, reference: string, where: string): { key: string; name: string; type: SourceType } {
    const dot = reference.lastIndexOf('.');
    const found = { key: dot < 0 ? key : reference.slice(0, dot), name: reference.slice(dot + 1) };
    const type = this.#source.files.get(found.key)?.types[found.name];
    if (type === undefined) throw new Error(`${where}: no type ${reference}`);
    return { ...found, type };
  }

  #file(key: string): SourceFile {
    const file = this.#source.files.get(key);
    if (file === undefined) throw new Error(`no file ${key}`);
    return file;
  }
}

/** No type is called like this: names have no `~`. */
function variantName(type: string, field: string): string {
  return `${type}~${field}`;
}
