import type { GroupVersionKind } from '../meta/object.ts';
import type { IndexFile, IndexPackage, IndexResource, IndexSubresource } from './index-format.ts';
import type {
  GroupDefinition,
  ResourceDefinition,
  SchemaRegistry,
  StructType,
  SubresourceDefinition,
} from './model.ts';
import type { TypeLibrary } from './types.ts';

/** Whether a resource is served in a version: what `--runtime-config` comes to. */
export type Enabled = (group: string, version: string, resource: string) => boolean;

/** The default: stable versions are served, alpha and beta ones on request. */
export function isStable(_group: string, version: string): boolean {
  return !version.includes('alpha') && !version.includes('beta');
}

export interface ServedOptions {
  readonly enabled: Enabled;
  /** Whether a feature gate is on that a resource or subresource depends on. */
  readonly gate: (name: string) => boolean;
}

/** The registry of the built-in resources. Immutable: its generation never rises. */
export class BuiltInRegistry implements SchemaRegistry {
  readonly generation = 1;
  readonly #types: TypeLibrary;
  readonly #groups: GroupDefinition[] = [];
  readonly #byVersion = new Map<string, ResourceDefinition[]>();
  readonly #byResource = new Map<string, ResourceDefinition>();
  readonly #byKind = new Map<string, ResourceDefinition>();
  readonly #stored: ResourceDefinition[];
  /** `group/version` → packages whose kinds can be decoded in it. */
  readonly #packages = new Map<string, IndexPackageEntry[]>();
  readonly #everyGroup = new Map<string, string>();
  readonly #kinds: ReadonlyMap<string, readonly GroupVersionKind[]>;

  constructor(index: IndexFile, types: TypeLibrary, { enabled, gate }: ServedOptions) {
    this.#types = types;
    this.#addPackages(index.packages);
    this.#kinds = kindsByType(index.packages);
    const open = (gated: { gate?: string }): boolean => gated.gate === undefined || gate(gated.gate);
    const rows: ResourceDefinition[] = [];
    for (const built of index.resources) {
      const row = makeRow({ ...built, subresources: built.subresources.filter(open) }, types);
      rows.push(row);
      if (open(built) && enabled(row.group, row.version, row.resource)) this.#addRow(row);
    }
    this.#stored = storedRows(rows, (row) => this.#byResource.has(resourceKey(row)));
    for (const { name, priority, tag, versions } of index.groups) {
      const served = versions.filter((version) => this.#byVersion.has(`${name}/${version.name}`));
      const [preferred] = served;
      if (preferred === undefined) continue;
      this.#groups.push({
        name,
        versions: served.map((version) => version.name),
        preferredVersion: preferred.name,
        priority,
        tag,
        versionPriority: Object.fromEntries(served.map((version) => [version.name, version.priority])),
      });
    }
  }

  groups(): readonly GroupDefinition[] {
    return this.#groups;
  }

  resourcesOf(group: string, version: string): readonly ResourceDefinition[] {
    return this.#byVersion.get(`${group}/${version}`) ?? [];
  }

  resource(group: string, version: string, resource: string): ResourceDefinition | undefined {
    return this.#byResource.get(`${group}/${version}/${resource}`);
  }

  resourceForKind(group: string, version: string, kind: string): ResourceDefinition | undefined {
    return this.#byKind.get(`${group}/${version}/${kind}`);
  }

  decodable(group: string, version: string, kind: string): StructType | undefined {
    const packages = this.#packages.get(`${group}/${version}`);
    if (packages === undefined) return undefined;
    for (const { name, kinds, scheme } of packages) {
      if (Object.hasOwn(kinds, kind)) return this.#types.get(`${name}.${kind}`);
      const shared = scheme ? this.#everyGroup.get(kind) : undefined;
      if (shared !== undefined) return this.#types.get(shared);
    }
    return undefined;
  }

  stored(): readonly ResourceDefinition[] {
    return this.#stored;
  }

  type(name: string): StructType | undefined {
    return this.#types.get(name);
  }

  kindsOf(name: string): readonly GroupVersionKind[] {
    return this.#kinds.get(name) ?? [];
  }

  #addPackages(packages: Readonly<Record<string, IndexPackage>>): void {
    for (const [name, { group, version, scheme, kinds }] of Object.entries(packages)) {
      for (const [kind, { everyGroup }] of Object.entries(kinds)) {
        if (everyGroup === true) this.#everyGroup.set(kind, `${name}.${kind}`);
      }
      if (group === undefined || version === undefined) continue;
      const key = `${group}/${version}`;
      this.#packages.set(key, [...(this.#packages.get(key) ?? []), { name, kinds, scheme }]);
    }
  }

  #addRow(row: ResourceDefinition): void {
    const version = `${row.group}/${row.version}`;
    const siblings = this.#byVersion.get(version);
    if (siblings === undefined) this.#byVersion.set(version, [row]);
    else siblings.push(row);
    this.#byResource.set(resourceKey(row), row);
    this.#byKind.set(`${version}/${row.kind}`, row);
  }
}

/** Component name → its kinds, sorted by group and version. */
function kindsByType(packages: Readonly<Record<string, IndexPackage>>): Map<string, GroupVersionKind[]> {
  const schemes = Object.values(packages).filter(({ scheme }) => scheme);
  const kinds = new Map<string, GroupVersionKind[]>();
  for (const [name, { group, version, kinds: names }] of Object.entries(packages)) {
    if (group === undefined || version === undefined) continue;
    for (const [kind, { everyGroup }] of Object.entries(names)) {
      const registered = everyGroup === true ? schemes : [{ group, version }];
      const list = registered.map((gv) => ({ group: gv.group ?? '', version: gv.version ?? '', kind }));
      kinds.set(`${name}.${kind}`, list.sort(byGroupVersion));
    }
  }
  return kinds;
}

function byGroupVersion(a: GroupVersionKind, b: GroupVersionKind): number {
  return a.group === b.group ? (a.version < b.version ? -1 : 1) : a.group < b.group ? -1 : 1;
}

interface IndexPackageEntry {
  readonly name: string;
  readonly scheme: boolean;
  readonly kinds: IndexPackage['kinds'];
}

function resourceKey(row: { group: string; version: string; resource: string }): string {
  return `${row.group}/${row.version}/${row.resource}`;
}

/** For each key prefix of which some version is served, the row of the version it is stored in. */
function storedRows(
  rows: readonly ResourceDefinition[],
  isServed: (row: ResourceDefinition) => boolean,
): ResourceDefinition[] {
  const stored = new Map<string, ResourceDefinition>();
  const byKey = new Map(rows.map((row) => [resourceKey(row), row]));
  for (const row of rows) {
    const { storage, resource } = row;
    if (storage === undefined || stored.has(storage.prefix) || !isServed(row)) continue;
    stored.set(storage.prefix, byKey.get(resourceKey({ ...storage, resource })) ?? row);
  }
  return [...stored.values()];
}

function makeRow(built: IndexResource, types: TypeLibrary): ResourceDefinition {
  const { type, subresources, columns, gate: _gate, ...rest } = built;
  return Object.assign(new LazyType(type, types), {
    ...rest,
    listKind: `${built.kind}List`,
    columns,
    subresources: new Map(
      subresources.map((subresource) => [subresource.name, makeSubresource(subresource, types)]),
    ),
  });
}

/**
 * A row's type. It is a class's getter because one in each row would give each a shape of its own, and every request
 * looks at a row: the first one of another kind would undo the optimization of all that code.
 */
class LazyType {
  readonly #name: string;
  readonly #types: TypeLibrary;

  constructor(name: string, types: TypeLibrary) {
    this.#name = name;
    this.#types = types;
  }

  get type(): StructType {
    const struct = this.#types.get(this.#name);
    if (struct === undefined) throw new Error(`schemas: there is no type ${this.#name}`);
    return struct;
  }
}

function makeSubresource(built: IndexSubresource, types: TypeLibrary): SubresourceDefinition {
  const { type, options, gate: _gate, ...rest } = built;
  const row: SubresourceDefinition = {
    ...rest,
    get type() {
      return type === undefined ? undefined : types.get(type);
    },
  };
  if (options === undefined) return row;
  return Object.defineProperty(row, 'options', { enumerable: true, get: () => types.get(options) });
}
