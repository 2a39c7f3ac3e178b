import type {
  IndexFile,
  IndexGroup,
  IndexKind,
  IndexPackage,
  IndexResource,
  IndexSubresource,
} from '../../src/schema/index-format.ts';
import type { StorageDefinition, Verb } from '../../src/schema/model.ts';
import type {
  SourceFile,
  SourceKind,
  SourceResource,
  SourceStorage,
  SourceSubresource,
} from '../schema-source.ts';
import type { Translator } from './names.ts';
import type { Source } from './source.ts';

const STANDARD_VERBS: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** Makes a profile's index from the source. @throws Error for a row that names a group, version or kind nobody has. */
export function buildIndex(source: Source, profile: string, translate: Translator): IndexFile {
  const builder = new IndexBuilder(source, translate);
  return {
    profile,
    groups: builder.groups(),
    resources: builder.resources(),
    packages: builder.packages(),
  };
}

class IndexBuilder {
  readonly #source: Source;
  readonly #translate: Translator;
  /** `group/version` → the file of its types, in the source's names. */
  readonly #byVersion = new Map<string, SourceFile>();

  constructor(source: Source, translate: Translator) {
    this.#source = source;
    this.#translate = translate;
    for (const [key, file] of source.files) {
      if (file.version !== undefined && !key.startsWith('meta.')) {
        this.#byVersion.set(`${file.group ?? ''}/${file.version}`, file);
      }
    }
  }

  groups(): IndexGroup[] {
    return this.#source.groups.groups.map(({ name, priority, versions }) => ({
      name: this.#translate(name),
      priority,
      tag: this.#file(name, Object.keys(versions)[0] ?? '').tag ?? name,
      versions: Object.entries(versions).map(([version, rank]) => ({ name: version, priority: rank })),
    }));
  }

  packages(): Record<string, IndexPackage> {
    const packages: Record<string, IndexPackage> = {};
    for (const [key, file] of this.#source.files) {
      packages[file.package] = {
        file: `${key}.json`,
        ...(file.group === undefined ? {} : { group: this.#translate(file.group) }),
        ...(file.version === undefined ? {} : { version: file.version }),
        scheme: file.scheme === true,
        kinds: Object.fromEntries(
          Object.entries(file.kinds ?? {}).map(([name, kind]) => [name, this.#kind(kind)]),
        ),
      };
    }
    return packages;
  }

  resources(): IndexResource[] {
    return this.#source.groups.groups.flatMap(({ name, versions }) =>
      Object.keys(versions).flatMap((version) => {
        const file = this.#file(name, version);
        return Object.entries(file.resources ?? {}).map(([plural, row]) => this.#resource(file, plural, row));
      }),
    );
  }

  #resource(file: SourceFile, plural: string, row: SourceResource): IndexResource {
    const { group = '', version = '' } = file;
    const namespaced = row.scope === 'Namespaced';
    const { fieldSelectors = [] } = row;
    // Kinds outside of namespaces know this field, too, but not if they have fields of their own.
    const hasNamespace = namespaced || fieldSelectors.length === 0;
    const fields = hasNamespace ? ['metadata.name', 'metadata.namespace'] : ['metadata.name'];
    return {
      group: this.#translate(group),
      version,
      resource: plural,
      singular: row.singular,
      kind: row.kind,
      namespaced,
      shortNames: row.shortNames ?? [],
      categories: row.categories ?? [],
      verbs: row.verbs === 'standard' ? STANDARD_VERBS : row.verbs,
      subresources: Object.entries(row.subresources ?? {}).map(([name, sub]) =>
        this.#subresource(file, row, name, sub),
      ),
      type: `${file.package}.${row.kind}`,
      ...(row.storage === undefined ? {} : { storage: this.#storage(group, row.kind, row.storage) }),
      ...(row.columns === undefined
        ? {}
        : { columns: row.columns.map((c) => ({ format: '', priority: 0, ...c })) }),
      selectableFields: [...fields, ...fieldSelectors],
      lifecycle: { introduced: '1.0', ...this.#kind(file.kinds?.[row.kind] ?? {}) },
      allowUnconditionalUpdate: row.unconditionalUpdate ?? true,
      allowCreateOnUpdate: row.createOnUpdate ?? false,
      hasGeneration: row.generation ?? false,
      nameRule: row.nameRule ?? 'dnsSubdomain',
      defaultPropagation: row.propagation ?? 'background',
      ...(row.gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: row.gracePeriodSeconds }),
      returnsDeleted: row.returnsDeleted ?? false,
      ...(row.gate === undefined ? {} : { gate: row.gate }),
    };
  }

  #subresource(
    file: SourceFile,
    row: SourceResource,
    name: string,
    sub: SourceSubresource,
  ): IndexSubresource {
    const { kind, ...gv } = parseKind(sub.kind ?? row.kind);
    const { group = file.group ?? '', version = file.version ?? '' } = gv;
    const owner = this.#file(group, version);
    const known = owner.types[kind] !== undefined;
    return {
      name,
      kind,
      group: this.#translate(group),
      version,
      verbs: sub.verbs,
      ...(sub.connect === undefined
        ? {}
        : { connect: { methods: sub.connect, subpath: sub.subpath === true } }),
      ...(sub.options === undefined ? {} : { options: `${file.package}.${sub.options}` }),
      ...(sub.text === true ? { text: true } : {}),
      ...(sub.gate === undefined ? {} : { gate: sub.gate }),
      ...(known ? { type: `${owner.package}.${kind}` } : {}),
    };
  }

  #storage(group: string, kind: string, storage: SourceStorage): StorageDefinition {
    const owner = storage.group ?? group;
    this.#file(owner, storage.version);
    return {
      group: this.#translate(owner),
      version: storage.version,
      kind,
      ...(storage.hashVersion === undefined ? {} : { hashVersion: storage.hashVersion }),
      prefix: storage.prefix.split('/').map(this.#translate).join('/'),
      watchCache: storage.watchCache ?? 'full',
      ...(storage.ttl === undefined ? {} : { ttl: storage.ttl }),
    };
  }

  #kind({ introduced, deprecated, removed, replacement, everyGroup }: SourceKind): IndexKind {
    const target = replacement === undefined ? undefined : parseKind(replacement);
    return {
      ...(introduced === undefined ? {} : { introduced }),
      ...(deprecated === undefined ? {} : { deprecated }),
      ...(removed === undefined ? {} : { removed }),
      ...(target === undefined
        ? {}
        : {
            replacement: {
              group: this.#translate(target.group ?? ''),
              version: target.version ?? '',
              kind: target.kind,
            },
          }),
      ...(everyGroup === undefined ? {} : { everyGroup }),
    };
  }

  #file(group: string, version: string): SourceFile {
    const file = this.#byVersion.get(`${group}/${version}`);
    if (file === undefined) throw new Error(`no file for ${group}/${version}`);
    return file;
  }
}

/** `Kind`, `version.Kind` of the core group, or `group/version.Kind`. */
function parseKind(reference: string): { group?: string; version?: string; kind: string } {
  const dot = reference.lastIndexOf('.');
  if (dot < 0) return { kind: reference };
  const gv = reference.slice(0, dot);
  const slash = gv.indexOf('/');
  return {
    group: gv.slice(0, Math.max(slash, 0)),
    version: gv.slice(slash + 1),
    kind: reference.slice(dot + 1),
  };
}
