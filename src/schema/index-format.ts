import type {
  ColumnDefinition,
  Field,
  Lifecycle,
  ResourceDefinition,
  ScalarKind,
  StructUnion,
  SubresourceDefinition,
} from './model.ts';

/**
 * The form of `dist/schemas/<profile>/`, made by the build from `schemas/` and read by `load.ts`: `index.json`, which
 * holds everything but types, and one file of types per package. Names are those of the profile.
 */
export interface IndexFile {
  readonly profile: string;
  /** In discovery order; the core group is ''. */
  readonly groups: readonly IndexGroup[];
  /** In discovery order within a group-version. */
  readonly resources: readonly IndexResource[];
  /** By prefix of the component names. */
  readonly packages: Readonly<Record<string, IndexPackage>>;
}

export interface IndexGroup {
  readonly name: string;
  readonly priority: number;
  readonly tag: string;
  readonly versions: readonly { readonly name: string; readonly priority: number }[];
}

export interface IndexPackage {
  /** Beside the index. */
  readonly file: string;
  readonly group?: string;
  readonly version?: string;
  /** Whether the kinds that exist in every group-version (DeleteOptions, WatchEvent) are registered in this one. */
  readonly scheme: boolean;
  /** Names of its kinds. */
  readonly kinds: Readonly<Record<string, IndexKind>>;
}

export interface IndexKind extends Partial<Lifecycle> {
  readonly everyGroup?: boolean;
}

/** A row as the model has it, but for what it refers to. */
export interface IndexResource extends Omit<
  ResourceDefinition,
  'listKind' | 'type' | 'subresources' | 'columns'
> {
  readonly subresources: readonly IndexSubresource[];
  /** Component name. */
  readonly type: string;
  readonly columns?: readonly ColumnDefinition[];
  /** Served only where this feature gate is on. */
  readonly gate?: string;
}

export interface IndexSubresource extends Omit<SubresourceDefinition, 'type' | 'options'> {
  /** Component name; absent where the body is no object of a known type. */
  readonly type?: string;
  /** Component name. */
  readonly options?: string;
  /** Served only where this feature gate is on. */
  readonly gate?: string;
}

/**
 * A file of types: the structs of one package by their name without the package; `Name~field` is what that
 * field holds instead of its struct.
 */
export interface TypesFile {
  readonly package: string;
  readonly structs: Readonly<Record<string, IndexStruct>>;
}

export interface IndexStruct {
  /** For a variant of a struct (with fewer defaults): the component name of that struct. */
  readonly as?: string;
  readonly fields: readonly IndexField[];
  readonly atomic?: boolean;
  readonly unions?: readonly StructUnion[];
}

/** A field; flags that are absent are false. */
export interface IndexField extends Partial<Omit<Field, 'name' | 'number' | 'type'>> {
  readonly name: string;
  readonly number: number;
  readonly type: IndexValue;
}

/** A type expression: a scalar's name, or one of the others. */
export type IndexValue =
  | ScalarKind
  | { readonly scalar: ScalarKind; readonly enum: readonly string[] }
  /** By component name. */
  | { readonly struct: string; readonly atomic?: boolean }
  | { readonly union: 'schemaOrArray' | 'schemaOrBool' | 'schemaOrStrings'; readonly struct: string }
  | {
      readonly list: IndexValue;
      readonly listType?: 'atomic' | 'set' | 'map';
      readonly mapKeys?: readonly string[];
      readonly wrapper?: string;
    }
  | {
      readonly map: IndexValue;
      readonly mapType?: 'atomic' | 'granular';
      readonly coarse?: boolean;
    };
