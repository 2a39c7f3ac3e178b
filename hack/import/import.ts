import type { SourceFile, SourceGroups, SourceKind, SourceResource } from '../schema-source.ts';
import type { FactLifecycle, Facts } from './facts.ts';
import type { FactNaming } from './naming.ts';
import { applyToFields, expectUsed, type Overlay } from './overlay.ts';
import { importedPackages, type ImportedPackage } from './packages.ts';
import { importRows } from './rows.ts';
import { looksLikeKind, typeFromSchema, TypeImporter } from './types.ts';

export interface ImportInput {
  readonly facts: Facts;
  readonly naming: FactNaming;
  readonly overlay: Overlay;
  readonly groups: SourceGroups;
}

/** Path below `schemas/types` → content. @throws Error for a group without rank and an overlay entry that fits nothing. */
export function importSchemas(input: ImportInput): Map<string, SourceFile> {
  const { facts, naming, overlay } = input;
  expectRanked(input);
  const packages = importedPackages(facts);
  const types = new TypeImporter(packages, facts.schemas, (name) => naming.field(name));
  const files = new Map<string, SourceFile>();
  const used = new Set<string>();
  for (const imported of packages) {
    const file = importPackage(input, imported, types);
    for (const key of applyToFields(file, imported.folder, imported.file, overlay)) used.add(key);
    files.set(`${imported.folder}/${imported.file}.yaml`, file);
  }
  files.set('meta/version.yaml', versionInfo(facts));
  expectUsed(overlay, used, files.values());
  return files;
}

function importPackage(
  { facts, naming, overlay }: ImportInput,
  imported: ImportedPackage,
  types: TypeImporter,
): SourceFile {
  const { content, component, folder, file } = imported;
  const { group, version } = content;
  const result: SourceFile = { package: component, types: types.typesOf(imported) };
  if (version === undefined || group === undefined) return result;
  const orchGroup = naming.group(group);
  const resources = folder === 'meta' ? {} : importRows(facts, content);
  for (const [plural, row] of Object.entries(resources))
    translateRow(row, naming, overlayRows(overlay, orchGroup, version, plural));
  const tag = groupTag(facts, group, version);
  return {
    group: orchGroup,
    version,
    package: component,
    ...(tag === undefined ? {} : { tag }),
    ...(isInScheme(facts, group, version) && folder !== 'meta' ? { scheme: true } : {}),
    ...(Object.keys(resources).length === 0 ? {} : { resources }),
    kinds: importKinds(facts, naming, imported, overlay.kinds[`${folder}.${file}`] ?? {}),
    types: result.types,
  };
}

function overlayRows(
  overlay: Overlay,
  group: string,
  version: string,
  plural: string,
): Partial<SourceResource> {
  return {
    ...overlay.resources[`${group}/${plural}`],
    ...overlay.resources[`${group}/${version}/${plural}`],
  };
}

function translateRow(row: SourceResource, naming: FactNaming, overlay: Partial<SourceResource>): void {
  const { storage, subresources, ...columns } = overlay;
  Object.assign(row, columns);
  if (subresources !== undefined) {
    const all = Object.entries({ ...row.subresources, ...subresources });
    row.subresources = Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  if (row.storage !== undefined) {
    if (row.storage.group !== undefined) row.storage.group = naming.group(row.storage.group);
    row.storage.prefix = row.storage.prefix
      .split('/')
      .map((part) => naming.group(part))
      .join('/');
    Object.assign(row.storage, storage);
  }
  for (const subresource of Object.values(row.subresources ?? {})) {
    if (subresource.kind !== undefined) subresource.kind = translateKind(subresource.kind, naming);
  }
}

/** `group/version.Kind`. */
function translateKind(reference: string, naming: FactNaming): string {
  const slash = reference.indexOf('/');
  return slash < 0 ? reference : naming.group(reference.slice(0, slash)) + reference.slice(slash);
}

/** How operation ids spell the group: what stands between `get` and the version in that of its discovery document. */
function groupTag(facts: Facts, group: string, version: string): string | undefined {
  const id = facts.paths[group === '' ? `/api/${version}/` : `/apis/${group}/${version}/`]?.get?.id;
  const spelled = id === undefined ? undefined : /^get(.*)V\d.*APIResources$/.exec(id)?.[1];
  return spelled === undefined ? undefined : spelled.charAt(0).toLowerCase() + spelled.slice(1);
}

/** OpenAPI lists every group-version of the scheme at DeleteOptions. */
function isInScheme(facts: Facts, group: string, version: string): boolean {
  const options = facts.schemas['io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions'];
  const listed = options?.['x-kubernetes-group-version-kind'] as
    { group: string; version: string }[] | undefined;
  return listed?.some((gvk) => gvk.group === group && gvk.version === version) ?? false;
}

function importKinds(
  facts: Facts,
  naming: FactNaming,
  imported: ImportedPackage,
  extra: Record<string, SourceKind>,
): Record<string, SourceKind> {
  const { group = '', version = '', messages } = imported.content;
  const known = Object.keys(facts.lifecycle).some((key) => key.startsWith(`${group}/${version}/`));
  const kinds: Record<string, SourceKind> = {};
  for (const name of [...Object.keys(messages), ...Object.keys(extra)]) {
    const lifecycle = imported.folder === 'meta' ? undefined : facts.lifecycle[`${group}/${version}/${name}`];
    const guessed = !known && imported.folder !== 'meta' && looksLikeKind(imported.content, name);
    if (lifecycle === undefined && extra[name] === undefined && !guessed) continue;
    kinds[name] = { ...importLifecycle(lifecycle ?? {}, naming), ...extra[name] };
  }
  return kinds;
}

function importLifecycle(lifecycle: FactLifecycle, naming: FactNaming): SourceKind {
  const { introduced, deprecated, removed, replacement } = lifecycle;
  const [group = '', version = '', kind = ''] = replacement?.split(',') ?? [];
  return {
    ...(introduced === undefined ? {} : { introduced }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(removed === undefined ? {} : { removed }),
    ...(replacement === undefined ? {} : { replacement: `${naming.group(group)}/${version}.${kind}` }),
  };
}

/** `/version` answers with a type that has no Protobuf form. */
function versionInfo(facts: Facts): SourceFile {
  const component = 'io.k8s.apimachinery.pkg.version';
  return { package: component, types: { Info: typeFromSchema(facts.schemas[`${component}.Info`] ?? {}) } };
}

/** @throws Error for a group or version of the facts that `schemas/groups.yaml` doesn't rank. */
function expectRanked({ facts, groups, naming }: ImportInput): void {
  for (const { group, versions } of facts.groupOrder) {
    const name = naming.group(group);
    const ranked = groups.groups.find((candidate) => candidate.name === name)?.versions ?? {};
    const missing = versions.filter((version) => ranked[version] === undefined);
    if (missing.length > 0) throw new Error(`schemas/groups.yaml: no rank for ${name} ${missing.join(', ')}`);
  }
}
