import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../../../meta/object.ts';
import { utf8SortKey } from '../../../../lib/utf8-order.ts';

/** Hexadecimal digits that could make words are spelled otherwise. */
const SPELLED: Readonly<Record<string, string>> = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' };

/**
 * The end of a generated object's name: it changes whenever the content does. The name itself doesn't count, since
 * kustomize looks for it where it isn't.
 */
export function contentHash({ kind, type, data, binaryData, stringData }: JsonObject): string {
  const content: JsonObject = { kind: kind ?? '', name: '', data: data ?? '' };
  if (kind === 'ConfigMap' && binaryData !== undefined) content['binaryData'] = binaryData;
  if (kind === 'Secret') {
    content['type'] = type ?? '';
    if (stringData !== undefined) content['stringData'] = stringData;
  }
  const digest = createHash('sha256').update(goJson(content)).digest('hex');
  return digest.slice(0, 10).replace(/[013ae]/g, (digit) => SPELLED[digit] ?? digit);
}

const ESCAPED = /[<>&\u2028\u2029]/g;

/** JSON as Go writes it: keys in order, characters that mean something in HTML escaped. */
function goJson(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value).sort((a, b) => (utf8SortKey(a) < utf8SortKey(b) ? -1 : 1));
    return `{${keys.map((key) => `${goJson(key)}:${goJson(value[key])}`).join(',')}}`;
  }
  if (typeof value === 'bigint') return String(value);
  return JSON.stringify(value ?? null).replace(
    ESCAPED,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
