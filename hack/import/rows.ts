import { createHash } from 'node:crypto';
import type { SourceColumn, SourceResource, SourceStorage, SourceSubresource } from '../schema-source.ts';
import type { FactDeletion, FactPackage, FactResource, Facts } from './facts.ts';

const STANDARD_VERBS = 'create,delete,deletecollection,get,list,patch,update,watch';

/** Key prefixes that aren't the plural in lower case: how the Go API server has laid out its keys from its first days. */
const SPECIAL_PREFIXES: Record<string, string> = {
  replicationcontrollers: '/controllers',
  endpoints: '/services/endpoints',
  services: '/services/specs',
  nodes: '/minions',
  ingresses: '/ingress',
};

/** The rows of one group-version, by plural, in discovery order. Names are those of the facts. */
export function importRows(facts: Facts, content: FactPackage): Record<string, SourceResource> {
  const { group = '', version = '' } = content;
  const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const rows: Record<string, SourceResource> = {};
  for (const listed of facts.resourceLists[path]?.resources ?? []) {
    const [plural = '', subresource] = listed.name.split('/');
    if (subresource === undefined) rows[plural] = importRow(facts, group, version, listed);
    else addSubresource(rows, listed, plural, subresource);
  }
  for (const [plural, row] of Object.entries(rows)) {
    if (answersWithObject(facts.paths, path, plural, row)) row.returnsDeleted = true;
    for (const [name, subresource] of Object.entries(row.subresources ?? {})) {
      const scope = row.scope === 'Namespaced' ? '/namespaces/{namespace}' : '';
      addAnswer(facts.paths, `${path}${scope}/${plural}/{name}/${name}`, subresource);
      addOptions(row.kind, name, subresource, content.messages);
    }
  }
  return rows;
}

/** Whether a delete answers with the object that it deletes. */
function answersWithObject(
  paths: Facts['paths'],
  path: string,
  plural: string,
  row: SourceResource,
): boolean {
  const scope = row.scope === 'Namespaced' ? '/namespaces/{namespace}' : '';
  const answer = paths[`${path}${scope}/${plural}/{name}`]?.delete?.responses?.['200']?.schema?.[0];
  return answer?.endsWith(`.${row.kind}`) ?? false;
}

/** What the OpenAPI paths show of a subresource: whether it connects, and whether it answers with an object. */
function addAnswer(paths: Facts['paths'], path: string, subresource: SourceSubresource): void {
  const operations = Object.entries(paths[path] ?? {}).filter(
    ([, operation]) => operation?.responses !== undefined,
  );
  const methods = operations
    .filter(([, operation]) => operation?.action === 'connect')
    .map(([method]) => method);
  if (methods.length > 0) {
    subresource.connect = methods;
    if (paths[`${path}/{path}`] !== undefined) subresource.subpath = true;
  } else if (operations.some(([, operation]) => operation?.responses?.['200']?.schema?.[0] === 'string')) {
    subresource.text = true;
  }
}

/** Query parameters: the fields of the connection's kind, or of a type named after kind and subresource. */
function addOptions(
  kind: string,
  name: string,
  subresource: SourceSubresource,
  types: Record<string, unknown>,
): void {
  const named = `${kind}${name.charAt(0).toUpperCase()}${name.slice(1)}Options`;
  if (subresource.connect !== undefined && subresource.kind !== undefined)
    subresource.options = subresource.kind;
  else if (types[named] !== undefined) subresource.options = named;
}

function importRow(facts: Facts, group: string, version: string, listed: FactResource): SourceResource {
  const verbs = listed.verbs.join(',');
  const row: SourceResource = {
    kind: listed.kind,
    singular: listed.singularName,
    ...(listed.shortNames ? { shortNames: listed.shortNames } : {}),
    ...(listed.categories ? { categories: listed.categories } : {}),
    scope: listed.namespaced ? 'Namespaced' : 'Cluster',
    verbs: verbs === STANDARD_VERBS ? 'standard' : listed.verbs,
  };
  if (listed.storageVersionHash !== undefined) row.storage = importStorage(facts, group, listed);
  const key = `${group}/${version}/${listed.name}`;
  const columns = facts.tables[key]?.columns;
  if (columns !== undefined && !isDefaultColumns(columns)) row.columns = columns.map(importColumn);
  const selectors = (facts.selectors[key]?.fields ?? []).filter(
    (field) => !/^metadata\.name(space)?$/.test(field),
  );
  if (selectors.length > 0) row.fieldSelectors = selectors;
  const gvk = [group, version, listed.kind].filter((part) => part !== '').join('/');
  if (facts.defaults[gvk]?.filledIn?.['/metadata/generation'] !== undefined) row.generation = true;
  return Object.assign(row, importDeletion(facts.graceful[gvk]));
}

function addSubresource(
  rows: Record<string, SourceResource>,
  listed: FactResource,
  plural: string,
  name: string,
): void {
  const subresource: SourceSubresource = { verbs: listed.verbs };
  const row = rows[plural] ?? {
    kind: '',
    singular: '',
    scope: listed.namespaced ? 'Namespaced' : 'Cluster',
    verbs: [],
  };
  if (listed.version !== undefined) {
    const gv = listed.group === undefined ? listed.version : `${listed.group}/${listed.version}`;
    subresource.kind = `${gv}.${listed.kind}`;
  } else if (listed.kind !== row.kind) {
    subresource.kind = listed.kind;
  }
  row.subresources = { ...row.subresources, [name]: subresource };
  rows[plural] = row;
}

/** The storage version is published as a hash only: the version whose hash it is. */
function importStorage(facts: Facts, group: string, listed: FactResource): SourceStorage {
  for (const { group: storedGroup, version } of Object.values(facts.packages)) {
    if (storedGroup === undefined || version === undefined) continue;
    if (storageHash(storedGroup, version, listed.kind) !== listed.storageVersionHash) continue;
    const prefix = keyPrefix(group, listed.name);
    return storedGroup === group ? { version, prefix } : { group: storedGroup, version, prefix };
  }
  throw new Error(
    `${group} ${listed.name}: no version has the storage hash ${String(listed.storageVersionHash)}`,
  );
}

function storageHash(group: string, version: string, kind: string): string {
  return createHash('sha256')
    .update(`${group}/${version}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64');
}

/** Resources of the API server's extension and aggregation parts keep their group in the key. */
function keyPrefix(group: string, plural: string): string {
  if (/^api(extensions|registration)\./.test(group)) return `/${group}/${plural}`;
  return SPECIAL_PREFIXES[plural] ?? `/${plural}`;
}

function isDefaultColumns(columns: { name: string }[]): boolean {
  return columns.map(({ name }) => name).join() === 'Name,Created At';
}

function importColumn(column: {
  name: string;
  type: string;
  format: string;
  priority: number;
}): SourceColumn {
  return {
    name: column.name,
    type: column.type,
    ...(column.format === '' ? {} : { format: column.format }),
    ...(column.priority === 0 ? {} : { priority: column.priority }),
  };
}

/** What an unqualified delete was seen to do. */
function importDeletion(
  behaviour: Record<string, FactDeletion | string> | undefined,
): Partial<SourceResource> {
  if (behaviour === undefined) return {};
  const seen = behaviour.default;
  if (seen === undefined || typeof seen === 'string') return {};
  const result: Partial<SourceResource> = {};
  if (seen.finalizers?.includes('orphan') === true) result.propagation = 'orphan';
  else if (behaviour.Orphan === undefined) result.propagation = 'none';
  return result;
}
