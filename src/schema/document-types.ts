import { parseGroupVersion } from '../meta/object.ts';
import type { Field, SchemaRegistry, StructType } from './model.ts';

/** How documents of ours begin. */
const NAMES = /^\{"kind":"([\w.-]*)",(?:"apiVersion":"([\w./-]*)",)?/;
/** Longer than any kind and apiVersion. */
const NAMES_BYTES = 512;

const META = 'io.k8s.apimachinery.pkg.apis.meta';

/** What a document says of itself at its beginning. */
export interface DocumentNames {
  readonly kind: string;
  /** '' where it has none. */
  readonly apiVersion: string;
  /** Where its other members begin. */
  readonly start: number;
}

/** Finds the types of documents that name their kind: objects, lists of objects, Status, discovery. */
export class DocumentTypes {
  readonly #schemas: SchemaRegistry;
  readonly #metaGroup: string;
  readonly #lists = new WeakMap<StructType, StructType>();

  /** @param metaGroup the group of PartialObjectMetadata. */
  constructor(schemas: SchemaRegistry, metaGroup: string) {
    this.#schemas = schemas;
    this.#metaGroup = metaGroup;
  }

  get listMeta(): StructType {
    return this.#require(`${META}.v1.ListMeta`);
  }

  /** The type of a document; undefined for kinds that are not built in. */
  typeOf({ kind, apiVersion }: DocumentNames): StructType | undefined {
    // Some documents of the core group leave it out.
    const named = parseGroupVersion(apiVersion === '' ? 'v1' : apiVersion);
    if (named === undefined) return undefined;
    const { group, version } = named;
    if (group === this.#metaGroup) return this.#metaType(kind, version);
    const type = this.#schemas.decodable(group, version, kind);
    if (type !== undefined || !kind.endsWith('List')) return type;
    const item = this.#schemas.decodable(group, version, kind.slice(0, -'List'.length));
    return item && this.#listOf(item);
  }

  /** Versions of the group have most types in common. */
  #metaType(kind: string, version: string): StructType | undefined {
    return this.#schemas.type(`${META}.${version}.${kind}`) ?? this.#schemas.type(`${META}.v1.${kind}`);
  }

  /** Types of lists follow from those of their items. */
  #listOf(item: StructType): StructType {
    let list = this.#lists.get(item);
    if (list === undefined) this.#lists.set(item, (list = listType(item, this.listMeta)));
    return list;
  }

  #require(name: string): StructType {
    const type = this.#schemas.type(name);
    if (type === undefined) throw new Error(`schemas: there is no type ${name}`);
    return type;
  }
}

/** Reads the beginning of a document. */
export function namesOf(json: Buffer): DocumentNames {
  const [names = '', kind = '', apiVersion = ''] = NAMES.exec(json.toString('latin1', 0, NAMES_BYTES)) ?? [];
  return { kind, apiVersion, start: names.length };
}

function listType(item: StructType, metadata: StructType): StructType {
  const field = (name: string, number: number, type: Field['type']): Field => ({
    ...{ name, number, type, pointer: false, omitEmpty: name !== 'items', required: false },
  });
  const fields = [
    field('kind', 0, { kind: 'string' }),
    field('apiVersion', 0, { kind: 'string' }),
    field('metadata', 1, { kind: 'struct', struct: metadata }),
    field('items', 2, { kind: 'list', items: { kind: 'struct', struct: item } }),
  ];
  return {
    name: `${item.name}List`,
    fields,
    field: new Map(fields.map((one) => [one.name, one])),
    atomic: false,
  };
}
