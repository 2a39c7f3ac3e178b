import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DescriptionTable } from '../../src/schema/openapi/descriptions.ts';
import { typeKey } from '../../src/schema/type-key.ts';
import type { SourceFile } from '../schema-source.ts';
import { readYaml, versionsOf, type Source } from './source.ts';

/** A file of `schemas/descriptions/`: types with their fields, `.` being the type itself. */
type DescriptionFile = Record<string, Record<string, string>>;

/** `schemas/descriptions/common.yaml`: what is said of every kind and list, and of scalars that are components. */
interface CommonFile {
  kind: Record<'apiVersion' | 'kind' | 'metadata', string>;
  /** `{item}` is what the list is of. */
  list: Record<'.' | 'items' | 'metadata', string>;
  scalars: Record<string, string>;
}

const COMMON = 'common.yaml';

/**
 * The descriptions of all types, by {@link typeKey}, as OpenAPI shows them.
 *
 * @throws Error for a type or field that no version has.
 */
export function readDescriptions(folder: string, source: Source): DescriptionTable {
  const { files } = source;
  const common = readYaml(join(folder, COMMON)) as CommonFile;
  const all: Record<string, Record<string, string>> = {};
  for (const [name, text] of Object.entries(common.scalars)) all[name] = { '.': text };
  for (const file of files.values()) addKinds(file, common, all);
  for (const name of readdirSync(folder).sort()) {
    if (name === COMMON) continue;
    const versions = versionsOf(source, name.replace(/\.yaml$/, ''));
    for (const [type, texts] of Object.entries(readYaml(join(folder, name)) as DescriptionFile)) {
      const having = versions.filter(({ types }) => Object.hasOwn(types, type));
      check(`${name}: ${type}`, texts, type, having);
      for (const { package: prefix } of having) {
        const key = typeKey({ name: `${prefix}.${type}` });
        all[key] = { ...all[key], ...texts };
      }
    }
  }
  for (const file of files.values()) addInlined(file, files, all);
  return all;
}

/** Fields that stand in a struct without a name for them all are described where they are written. */
function addInlined(
  file: SourceFile,
  files: ReadonlyMap<string, SourceFile>,
  all: Record<string, Record<string, string>>,
): void {
  for (const [type, { fields = {} }] of Object.entries(file.types)) {
    for (const { inline } of Object.values(fields)) {
      if (inline === undefined) continue;
      const dot = inline.lastIndexOf('.');
      const { package: prefix } = dot < 0 ? file : (files.get(inline.slice(0, dot)) ?? file);
      const { '.': _, ...texts } = all[typeKey({ name: `${prefix}.${inline.slice(dot + 1)}` })] ?? {};
      const key = typeKey({ name: `${file.package}.${type}` });
      all[key] = { ...texts, ...all[key] };
    }
  }
}

/** What all kinds have in common, and all lists. */
function addKinds(file: SourceFile, common: CommonFile, all: Record<string, Record<string, string>>): void {
  for (const kind of Object.keys(file.kinds ?? {})) {
    const { items } = file.types[kind]?.fields ?? {};
    const { apiVersion, kind: itself, metadata } = common.kind;
    const ofItem = (text: string): string => text.replace('{item}', items?.list ?? '');
    const texts =
      items?.list === undefined
        ? { apiVersion, kind: itself, metadata }
        : {
            ...{ '.': ofItem(common.list['.']), apiVersion, kind: itself },
            ...{ items: ofItem(common.list.items), metadata: common.list.metadata },
          };
    all[typeKey({ name: `${file.package}.${kind}` })] = texts;
  }
}

function check(
  where: string,
  texts: Record<string, string>,
  type: string,
  versions: readonly SourceFile[],
): void {
  if (versions.length === 0) throw new Error(`${where}: no version has this type`);
  const known = new Set(versions.flatMap(({ types }) => Object.keys(types[type]?.fields ?? {})));
  for (const [field, text] of Object.entries(texts)) {
    if (field !== '.' && !known.has(field)) throw new Error(`${where}: no version has ${field}`);
    if (typeof text !== 'string') throw new Error(`${where}: ${field} is no text`);
  }
}
