import { isObject, type Json, type JsonObject } from '../../../meta/object.ts';
import { goText } from '../print/go-text.ts';
import { defineDescriber } from './describer.ts';
import type { Description } from './description.ts';
import type { Described } from './objects.ts';
import { writeHead } from './parts/metadata.ts';

/** What stands at the top already, or is read by programs only. */
const LEFT_OUT = ['name', 'namespace', 'labels', 'annotations', 'managedFields'];
const ACRONYMS = ['API', 'URL', 'UID', 'OSB', 'GUID'];

/** Objects of any kind: all of their fields in order of their names. */
export const generic = defineDescriber<Described & JsonObject>({
  write(page, object, world) {
    writeHead(page, object.metadata, world);
    const { metadata, ...fields } = object as JsonObject;
    const shown = Object.entries(metadata as JsonObject).filter(([field]) => !LEFT_OUT.includes(field));
    writeFields(page, { ...fields, metadata: Object.fromEntries(shown) }, 0);
  },
});

function writeFields(page: Description, fields: JsonObject, level: number): void {
  for (const field of Object.keys(fields).sort()) {
    const value = fields[field];
    if (value === undefined) continue;
    const label = labelOf(field);
    if (Array.isArray(value)) {
      page.line(`${label}:`, level);
      for (const item of value) writeItem(page, item, level + 1);
    } else if (isObject(value)) {
      page.line(`${label}:`, level);
      writeFields(page, value, level + 1);
    } else page.row(label, goText(value), level);
  }
}

function writeItem(page: Description, item: Json, level: number): void {
  if (isObject(item)) writeFields(page, item, level);
  else page.line(goText(item), level);
}

/** `apiVersion` as `API Version`; names with other characters than letters as they are. */
export function labelOf(field: string): string {
  if (/[^\p{L}-]/u.test(field)) return field;
  return wordsOf(field)
    .map((word) => {
      const upper = word.toUpperCase();
      return ACRONYMS.includes(upper) ? upper : word.charAt(0).toUpperCase() + word.slice(1);
    })
    .join(' ');
}

/** Runs of capitals, of small letters with the capital before them, and of others. */
function wordsOf(field: string): readonly string[] {
  return field.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|[^\p{Ll}\p{Lu}]+/gu) ?? [];
}
