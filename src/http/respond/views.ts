import { exactJson } from '../../lib/exact-json.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { formatGroupVersion } from '../../meta/object.ts';
import type { ColumnDefinition, ResourceDefinition, StructType } from '../../schema/model.ts';
import type { EncodedObject, StoredEntry } from '../../store/object-store.ts';
import type { Transform } from '../negotiate/negotiator.ts';
import { metadataIn, metadataOf } from './metadata.ts';

/** What views need from the other parts of the server. */
export interface ViewSources {
  /** The entry's encoding in the version of `resource`. */
  encoding(entry: StoredEntry, resource: ResourceDefinition): EncodedObject;
  /** A Table's row, without the object. */
  row(resource: ResourceDefinition, item: Item): TableRow;
  /** The entries of a list in the order of a Table's rows. Absent: in that of the list. */
  rowOrder?(resource: ResourceDefinition, entries: readonly StoredEntry[]): readonly StoredEntry[];
  /** JSON of an object that isn't stored, fields in the type's order. */
  encodeObject(object: ApiObject, resource: ResourceDefinition): Buffer;
  /** The group of Table and PartialObjectMetadata. */
  readonly metaGroup: string;
}

/** One row of a Table. */
export interface TableRow {
  readonly cells: readonly unknown[];
  /** What highlights the row: finished pods have one. */
  readonly conditions?: readonly JsonObject[];
}

/** What rows of a Table carry of their object. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** An object: stored, or made for this answer. */
export type Item = { readonly entry: StoredEntry } | { readonly object: ApiObject };

/** What a resource's objects are answered as, in JSON: as they are, as metadata only, as rows. */
export interface View {
  /** The whole answer for one object. */
  single(item: Item): Buffer;
  /** Fields around a list, `array` left out. */
  listFields(list: JsonObject): JsonObject;
  readonly array: 'items' | 'rows';
  /** What a list without elements has instead of an array, where that isn't an empty one. */
  readonly emptyArray?: null;
  /** Entries in the order in which the answer has them. Absent: as they are. */
  order?(entries: readonly StoredEntry[]): readonly StoredEntry[];
  /** An element of a list. */
  element(entry: StoredEntry): Element;
  /** Its type, where it may hold bytes. */
  readonly elementType?: StructType;
}

/** An element of a list in one or two parts, so that stored bytes need no copy: `prefix`, then `bytes` from `start`. */
export interface Element {
  readonly prefix: Buffer | undefined;
  readonly bytes: Buffer;
  readonly start: number;
}

const OPEN_BRACE = Buffer.from('{');

/** Objects as they are. Elements of lists carry no kind and apiVersion: the list names them. */
export function objectView(resource: ResourceDefinition, sources: ViewSources): View {
  const apiVersion = formatGroupVersion(resource.group, resource.version);
  return {
    array: 'items',
    single: (item) =>
      'entry' in item
        ? sources.encoding(item.entry, resource).bytes
        : sources.encodeObject(item.object, resource),
    listFields: (metadata) => ({ kind: resource.listKind, apiVersion, metadata }),
    get elementType() {
      return resource.type;
    },
    element(entry) {
      const { bytes, itemStart } = sources.encoding(entry, resource);
      return { prefix: OPEN_BRACE, bytes, start: itemStart };
    },
  };
}

/** PartialObjectMetadata: kind, apiVersion and metadata. */
export function metadataView(resource: ResourceDefinition, version: string, sources: ViewSources): View {
  const apiVersion = formatGroupVersion(sources.metaGroup, version);
  const head = Buffer.from(`{"kind":"PartialObjectMetadata","apiVersion":"${apiVersion}","metadata":`);
  const tail = Buffer.from('}');
  const partial = (item: Item): Buffer => Buffer.concat([head, itemMetadata(item, resource, sources), tail]);
  return {
    array: 'items',
    emptyArray: null,
    single: partial,
    listFields: (metadata) => ({ kind: 'PartialObjectMetadataList', apiVersion, metadata }),
    element: (entry) => ({ prefix: undefined, bytes: partial({ entry }), start: 0 }),
  };
}

/** A Table: the resource's columns, and rows of cells with as much of the object as was asked for. */
export function tableView(
  resource: ResourceDefinition,
  options: { version: string; include: IncludeObject; columns: boolean },
  sources: ViewSources,
): View {
  const apiVersion = formatGroupVersion(sources.metaGroup, options.version);
  const columnDefinitions = options.columns ? columnsOf(resource) : null;
  const row = (item: Item): Buffer => tableRow(item, resource, options, sources);
  const fields = (metadata: JsonObject): JsonObject => ({
    kind: 'Table',
    apiVersion,
    metadata,
    columnDefinitions: columnDefinitions,
  });
  return {
    array: 'rows',
    listFields: fields,
    order: (entries) => sources.rowOrder?.(resource, entries) ?? entries,
    element: (entry) => ({ prefix: undefined, bytes: row({ entry }), start: 0 }),
    single(item) {
      const head = exactJson(fields(versionOf(item))).slice(0, -1);
      return Buffer.concat([Buffer.from(`${head},"rows":[`), row(item), Buffer.from(']}')]);
    },
  };
}

function tableRow(
  item: Item,
  resource: ResourceDefinition,
  options: { version: string; include: IncludeObject },
  sources: ViewSources,
): Buffer {
  const { cells, conditions } = sources.row(resource, item);
  const more = conditions === undefined ? '' : `"conditions":${exactJson(conditions)},`;
  const head = Buffer.from(`{"cells":${exactJson(cells)},${more}"object":`);
  switch (options.include) {
    case 'None':
      return Buffer.concat([head, Buffer.from('null}')]);
    case 'Metadata':
      return Buffer.concat([
        head,
        metadataView(resource, options.version, sources).single(item),
        Buffer.from('}'),
      ]);
    case 'Object':
      return Buffer.concat([head, objectView(resource, sources).single(item), Buffer.from('}')]);
  }
}

/** What was asked for. */
export interface ViewChoice {
  readonly transform?: Transform;
  readonly include: IncludeObject;
  /** Whether a Table names its columns; it does by default. */
  readonly columns?: boolean;
}

/** The view that was asked for. */
export function viewFor(resource: ResourceDefinition, choice: ViewChoice, sources: ViewSources): View {
  const { transform, include, columns = true } = choice;
  switch (transform?.kind) {
    case undefined:
      return objectView(resource, sources);
    case 'PartialObjectMetadata':
    case 'PartialObjectMetadataList':
      return metadataView(resource, transform.version, sources);
    case 'Table':
      return tableView(resource, { version: transform.version, include, columns }, sources);
  }
}

const DEFAULT_COLUMNS: readonly ColumnDefinition[] = [
  { name: 'Name', type: 'string', format: 'name', priority: 0 },
  { name: 'Created At', type: 'date', format: '', priority: 0 },
];

function columnsOf(resource: ResourceDefinition): JsonObject[] {
  return (resource.columns ?? DEFAULT_COLUMNS).map((column) => ({
    name: column.name,
    type: column.type,
    format: column.format,
    description: '',
    priority: column.priority,
  }));
}

function itemMetadata(item: Item, resource: ResourceDefinition, sources: ViewSources): Buffer {
  if ('entry' in item) return metadataOf(sources.encoding(item.entry, resource));
  return metadataIn(sources.encodeObject(item.object, resource));
}

/** A Table's metadata. What isn't stored has no version. */
function versionOf(item: Item): JsonObject {
  if ('entry' in item) return { resourceVersion: String(item.entry.revision) };
  const { resourceVersion } = item.object.metadata;
  return resourceVersion === undefined ? {} : { resourceVersion };
}
