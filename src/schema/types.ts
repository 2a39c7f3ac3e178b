import type { IndexField, IndexPackage, IndexStruct, IndexValue, TypesFile } from './index-format.ts';
import type { Field, ScalarKind, ScalarType, StructType, ValueType } from './model.ts';

/** A struct while its fields are being linked. */
interface OpenStruct extends StructType {
  readonly fields: Field[];
  readonly field: Map<string, Field>;
}

/**
 * The types of one profile, read a package at a time. A struct refers to other structs directly: when a package is
 * read, so are those its fields refer to, and recursive types are simply cycles.
 */
export class TypeLibrary {
  readonly #packages: Readonly<Record<string, IndexPackage>>;
  readonly #read: (file: string) => TypesFile;
  readonly #loaded = new Set<string>();
  readonly #structs = new Map<string, OpenStruct>();
  readonly #scalars = new Map<ScalarKind, ScalarType>();

  /** @param read gives the content of a types file by its name in the index. */
  constructor(packages: Readonly<Record<string, IndexPackage>>, read: (file: string) => TypesFile) {
    this.#packages = packages;
    this.#read = read;
  }

  /** A type by its component name, e.g. `io.k8s.api.core.v1.Pod`. */
  get(name: string): StructType | undefined {
    const known = this.#structs.get(name);
    if (known !== undefined) return known;
    this.#load(name.slice(0, Math.max(name.lastIndexOf('.'), 0)));
    return this.#structs.get(name);
  }

  #load(packageName: string): void {
    if (this.#loaded.has(packageName) || !Object.hasOwn(this.#packages, packageName)) return;
    this.#loaded.add(packageName);
    const known = this.#packages[packageName];
    if (known === undefined) return;
    const { structs } = this.#read(known.file);
    for (const [name, struct] of Object.entries(structs)) {
      this.#open(`${packageName}.${name}`, struct.as ?? `${packageName}.${name}`, struct);
    }
    for (const [name, struct] of Object.entries(structs)) this.#link(`${packageName}.${name}`, struct);
  }

  #open(key: string, name: string, { atomic = false, unions }: IndexStruct): void {
    const struct: OpenStruct = { name, fields: [], field: new Map(), atomic, ...(unions ? { unions } : {}) };
    this.#structs.set(key, struct);
  }

  #link(name: string, { fields }: IndexStruct): void {
    const struct = this.#require(name);
    for (const built of fields) {
      const field = this.#field(built);
      struct.fields.push(field);
      struct.field.set(field.name, field);
    }
  }

  #field(built: IndexField): Field {
    const { pointer = false, omitEmpty = false, required = false } = built;
    return { ...built, type: this.#value(built.type), pointer, omitEmpty, required };
  }

  #value(built: IndexValue): ValueType {
    if (typeof built === 'string') return this.#scalar(built);
    if ('scalar' in built) return { kind: built.scalar, enum: built.enum };
    if ('list' in built) {
      const { list, ...markers } = built;
      return { kind: 'list', items: this.#value(list), ...markers };
    }
    if ('map' in built) {
      const { map, ...markers } = built;
      return { kind: 'map', values: this.#value(map), ...markers };
    }
    const struct = this.#require(built.struct);
    if ('union' in built) return { kind: built.union, struct };
    return built.atomic === undefined
      ? { kind: 'struct', struct }
      : { kind: 'struct', struct, atomic: built.atomic };
  }

  #scalar(kind: ScalarKind): ScalarType {
    let scalar = this.#scalars.get(kind);
    if (scalar === undefined) this.#scalars.set(kind, (scalar = { kind }));
    return scalar;
  }

  #require(name: string): OpenStruct {
    const struct = this.get(name);
    if (struct === undefined) throw new Error(`schemas: no type ${name}`);
    return struct as OpenStruct;
  }
}
