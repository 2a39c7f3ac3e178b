import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Json } from '../../src/meta/object.ts';
import type { SourceFile, SourceKind, SourceResource } from '../schema-source.ts';

/**
 * What no machine-readable fact gives: kept by hand in `overlay.yaml`, merged by each import. Keys are in `orch` names.
 */
export interface Overlay {
  /** `folder.version` → kinds that the facts don't list, or list without saying more. */
  kinds: Record<string, Record<string, SourceKind>>;
  /** `group/version/resource`, or `group/resource` for all versions → columns of the row. */
  resources: Record<string, Partial<SourceResource>>;
  /** `folder.version.Type`, or `folder.Type` for all versions → field → what an absent value becomes. */
  defaults: Record<string, Record<string, Json>>;
  /** `folder[.version].Type.field` → fields of the field's type whose defaults don't apply there. */
  withoutDefaults: Record<string, string[]>;
  /** `folder[.version].Type.field` of lists that say something when they are empty. */
  keepEmpty: string[];
  /** Folders whose maps of quantities are amounts that are kept in thousandths at the finest. */
  coarse: string[];
}

/** Reads the overlay. */
export function readOverlay(file: string): Overlay {
  return parse(readFileSync(file, 'utf8'), { merge: true }) as Overlay;
}

/** Puts what the overlay says of fields into a file. @returns the keys and fields it used, so that stale ones can be told. */
export function applyToFields(file: SourceFile, folder: string, version: string, overlay: Overlay): string[] {
  const used: string[] = [];
  for (const [name, type] of Object.entries(file.types)) {
    for (const key of [`${folder}.${name}`, `${folder}.${version}.${name}`]) {
      for (const [fieldName, field] of Object.entries(type.fields ?? {})) {
        const value = overlay.defaults[key]?.[fieldName];
        if (value !== undefined) {
          field.default = value;
          used.push(`${key} ${fieldName}`);
        }
        const without = overlay.withoutDefaults[`${key}.${fieldName}`];
        if (without !== undefined) {
          field.withoutDefaults = without;
          used.push(`${key}.${fieldName}`);
        }
        if (field.map === 'quantity' && overlay.coarse.includes(folder)) {
          field.coarse = true;
          used.push(folder);
        }
        if (overlay.keepEmpty.includes(`${key}.${fieldName}`)) {
          field.keepEmpty = true;
          used.push(`${key}.${fieldName}`);
        }
      }
    }
  }
  return used;
}

/** @throws Error for an entry of the overlay that fits nothing. */
export function expectUsed(overlay: Overlay, used: ReadonlySet<string>, files: Iterable<SourceFile>): void {
  for (const [key, fields] of Object.entries(overlay.defaults)) {
    for (const field of Object.keys(fields)) if (!used.has(`${key} ${field}`)) throw stale(`${key}.${field}`);
  }
  for (const key of [...Object.keys(overlay.withoutDefaults), ...overlay.keepEmpty, ...overlay.coarse]) {
    if (!used.has(key)) throw stale(key);
  }
  const rows = new Set<string>();
  for (const { group = '', version = '', resources = {} } of files) {
    for (const plural of Object.keys(resources))
      rows.add(`${group}/${plural}`).add(`${group}/${version}/${plural}`);
  }
  for (const key of Object.keys(overlay.resources)) if (!rows.has(key)) throw stale(key);
}

function stale(key: string): Error {
  return new Error(`overlay: nothing is called ${key}`);
}
