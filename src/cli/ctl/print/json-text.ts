import { exactJson } from '../../../lib/exact-json.ts';
import type { Json } from '../../../meta/object.ts';

const ESCAPED = /[<>&\u2028\u2029]/g;

/** A text, number or other value without fields, as Go writes it in JSON. */
export function jsonScalar(value: null | boolean | number | bigint | string): string {
  return typeof value === 'string' ? escape(JSON.stringify(value)) : exactJson(value);
}

/** JSON on one line, keys sorted. */
export function compactJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return jsonScalar(value);
  if (Array.isArray(value)) return `[${value.map(compactJson).join(',')}]`;
  const keys = Object.keys(value).sort();
  const fields = keys.flatMap((key) => {
    const field = value[key];
    return field === undefined ? [] : [`${jsonScalar(key)}:${compactJson(field)}`];
  });
  return `{${fields.join(',')}}`;
}

function escape(json: string): string {
  return json.replace(ESCAPED, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
