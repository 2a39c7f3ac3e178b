import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Json } from '../../src/meta/object.ts';
import type { SourceFile, SourceGroup, SourceKind, SourceResource } from '../schema-source.ts';

/**
 * What no machine-readable fact gives: kept by hand in `overlay.yaml`, merged by each import. Keys are in `orch` names.
 */
export interface Overlay {
  /** Ranks of groups and versions, in discovery order. */
  groups: SourceGroup[];
  /** `folder.version` → kinds that the facts don't list, or list without saying more. */
  kinds: Record<string, Record<string, SourceKind>>;
  /** `group/version/resource`, or `group/resource` for all versions → columns of the row. */
  resources: Record<string, Partial<SourceResource>>;
  /** `folder.version.Type`, or `folder.Type` for all versions → field → what an absent value becomes. */
  defaults: Record<string, Record<string, Json>>;
}

/** Reads the overlay. */
export function readOverlay(file: string): Overlay {
  return parse(readFileSync(file, 'utf8')) as Overlay;
}

/** Puts the overlay's defaults into a file. @returns `key field` of each it used, so that stale ones can be told. */
export function applyDefaults(file: SourceFile, folder: string, version: string, overlay: Overlay): string[] {
  const used: string[] = [];
  for (const [name, type] of Object.entries(file.types)) {
    for (const key of [`${folder}.${name}`, `${folder}.${version}.${name}`]) {
      for (const [fieldName, value] of Object.entries(overlay.defaults[key] ?? {})) {
        const field = type.fields?.[fieldName];
        if (field === undefined) continue;
        field.default = value;
        used.push(`${key} ${fieldName}`);
      }
    }
  }
  return used;
}
