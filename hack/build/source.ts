import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse } from 'yaml';
import type { SourceFile, SourceGroups } from '../schema-source.ts';

/** Everything the build reads from `schemas/`. */
export interface Source {
  /** By `folder.version`, as types of other files are referred to. */
  readonly files: ReadonlyMap<string, SourceFile>;
  readonly groups: SourceGroups;
}

/** Reads `schemas/types/**` and `schemas/groups.yaml`. @throws Error naming the file that is no YAML. */
export function readSource(schemas: string): Source {
  const types = join(schemas, 'types');
  const files = new Map<string, SourceFile>();
  for (const entry of readdirSync(types, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.yaml')) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(
      relative(types, path)
        .replace(/\.yaml$/, '')
        .replaceAll('/', '.'),
      readYaml(path) as SourceFile,
    );
  }
  return { files, groups: readYaml(join(schemas, 'groups.yaml')) as SourceGroups };
}

/** All versions of a folder of `schemas/types/`: what stands beside them by folder, such as rules, is about each. */
export function versionsOf({ files }: Source, folder: string): SourceFile[] {
  return [...files].filter(([key]) => key.startsWith(`${folder}.`)).map(([, file]) => file);
}

export function readYaml(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
