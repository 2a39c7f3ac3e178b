import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../src/meta/object.ts';
import type { Verb } from '../../src/schema/model.ts';

/** The interface facts that the importer reads, as their files hold them. */
export interface Facts {
  readonly packages: Record<string, FactPackage>;
  /** OpenAPI v3 component schemas, those of alpha and beta versions included. */
  readonly schemas: Record<string, FactSchema>;
  /** `/api/v1` or `/apis/g/v` → its APIResourceList, those of alpha and beta versions included. */
  readonly resourceLists: Record<string, FactResourceList>;
  /** Groups and versions in discovery order, on-request ones last. */
  readonly groupOrder: readonly { readonly group: string; readonly versions: readonly string[] }[];
  readonly lifecycle: Record<string, FactLifecycle>;
  readonly tables: Record<
    string,
    { columns: { name: string; type: string; format: string; priority: number }[] }
  >;
  readonly selectors: Record<string, { fields: string[] }>;
  readonly graceful: Record<string, Record<string, FactDeletion | string>>;
  /** `group/version/Kind`, with a remark in brackets for further samples → what the server added to a created object. */
  readonly defaults: Record<string, { filledIn?: Record<string, Json> }>;
  /** OpenAPI v3 paths; the operation ids tell how a group is spelled there. */
  readonly paths: Record<string, FactPath>;
}

/** Operations by method; `params` beside them are left aside. */
export type FactPath = Record<string, FactOperation | undefined>;

export interface FactOperation {
  id?: string;
  action?: string;
  responses?: Record<string, { schema?: string[] }>;
}

export interface FactPackage {
  group?: string;
  version?: string;
  messages: Record<string, { fields: FactField[]; goAlias?: string }>;
}

export interface FactField {
  name: string;
  number: number;
  type?: string;
  repeated?: boolean;
  map?: [string, string];
  jsonName?: string;
  inline?: boolean;
  pointer?: boolean;
  omitempty?: boolean;
  go?: string;
}

export interface FactSchema {
  type?: string;
  format?: string;
  $ref?: string;
  allOf?: { $ref: string }[];
  properties?: Record<string, FactSchema>;
  items?: FactSchema;
  additionalProperties?: FactSchema;
  required?: string[];
  enum?: string[];
  default?: Json;
  [extension: `x-${string}`]: unknown;
}

export interface FactResourceList {
  groupVersion: string;
  resources: FactResource[];
}

export interface FactResource {
  name: string;
  singularName: string;
  namespaced: boolean;
  kind: string;
  group?: string;
  version?: string;
  verbs: Verb[];
  shortNames?: string[];
  categories?: string[];
  storageVersionHash?: string;
}

export interface FactLifecycle {
  introduced?: string;
  deprecated?: string;
  removed?: string;
  replacement?: string;
}

export interface FactDeletion {
  bodyKind: string;
  finalizers?: string[];
  goneImmediately: boolean;
}

interface Discovery {
  apis: { items: { metadata: { name: string }; versions: { version: string }[] }[] };
}

/** Reads the facts from a directory. @throws Error when a file is missing or no JSON. */
export function readFacts(directory: string): Facts {
  const read = <T>(name: string): T => JSON.parse(readFileSync(join(directory, name), 'utf8')) as T;
  const lists = read<{ resourceLists: Record<string, FactResourceList> }>('discovery-unaggregated.json');
  const moreLists = read<{ resourceLists: Record<string, FactResourceList> }>(
    'discovery-unaggregated-all.json',
  );
  return {
    packages: read<{ packages: Record<string, FactPackage> }>('protobuf.json').packages,
    schemas: {
      ...read<Record<string, FactSchema>>('openapi/v3-schemas.json'),
      ...read<{ onlyInAll: Record<string, FactSchema> }>('openapi/v3-schemas-all.json').onlyInAll,
    },
    resourceLists: { ...lists.resourceLists, ...moreLists.resourceLists },
    groupOrder: mergeOrder(read<Discovery>('discovery.json'), read<Discovery>('discovery-all.json')),
    lifecycle: read('lifecycle.json'),
    tables: read('tables.json'),
    selectors: read('selectors.json'),
    graceful: read('graceful.json'),
    defaults: read('defaults.json'),
    paths: {
      ...read<{ paths: Facts['paths'] }>('openapi/v3-paths.json').paths,
      ...read<{ paths: Facts['paths'] }>('openapi/v3-paths-all.json').paths,
    },
  };
}

function mergeOrder(served: Discovery, onRequest: Discovery): { group: string; versions: string[] }[] {
  const order = new Map<string, string[]>([['', ['v1']]]);
  for (const { metadata, versions } of [...served.apis.items, ...onRequest.apis.items]) {
    const known = order.get(metadata.name) ?? [];
    order.set(metadata.name, [...known, ...versions.map(({ version }) => version)]);
  }
  return [...order].map(([group, versions]) => ({ group, versions }));
}
