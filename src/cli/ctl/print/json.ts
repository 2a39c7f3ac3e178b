import { exactJson } from '../../../lib/exact-json.ts';
import type { Json, JsonObject } from '../../../meta/object.ts';

const INDENT = '    ';

/** JSON as kubectl writes it: keys sorted, four spaces a level, `<`, `>` and `&` escaped; the line end included. */
export function printJson(object: JsonObject): string {
  return `${text(object, '')}\n`;
}

function text(value: Json | undefined, indent: string): string {
  if (typeof value !== 'object' || value === null) return scalar(value ?? null);
  const inner = indent + INDENT;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => inner + text(item, inner)).join(',\n')}\n${indent}]`;
  }
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  if (keys.length === 0) return '{}';
  const fields = keys.sort().map((key) => `${inner}${scalar(key)}: ${text(value[key], inner)}`);
  return `{\n${fields.join(',\n')}\n${indent}}`;
}

const ESCAPED = /[<>&\u2028\u2029]/g;

function scalar(value: null | boolean | number | bigint | string): string {
  if (typeof value !== 'string') return exactJson(value);
  return JSON.stringify(value).replace(ESCAPED, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
