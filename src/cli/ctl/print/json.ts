import type { Json } from '../../../meta/object.ts';
import { jsonScalar } from './json-text.ts';

const INDENT = '    ';

/** JSON as kubectl writes it: keys sorted, four spaces a level, `<`, `>` and `&` escaped; the line end included. */
export function printJson(value: Json): string {
  return `${jsonText(value, '')}\n`;
}

/** The same without a line end, @param indent before each line but the first. */
export function jsonText(value: Json | undefined, indent: string): string {
  if (typeof value !== 'object' || value === null) return jsonScalar(value ?? null);
  const inner = indent + INDENT;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => inner + jsonText(item, inner)).join(',\n')}\n${indent}]`;
  }
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  if (keys.length === 0) return '{}';
  const fields = keys.sort().map((key) => `${inner}${jsonScalar(key)}: ${jsonText(value[key], inner)}`);
  return `{\n${fields.join(',\n')}\n${indent}}`;
}
