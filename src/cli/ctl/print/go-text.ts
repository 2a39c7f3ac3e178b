import type { Json } from '../../../meta/object.ts';
import { goFloat } from './go-float.ts';

/** A value as Go's `fmt.Sprint` writes it: `map[a:1 b:[x y]]`. */
export function goText(value: Json): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (typeof value === 'object') {
    const fields = Object.keys(value).sort();
    return `map[${fields.map((key) => `${key}:${goText(value[key] ?? null)}`).join(' ')}]`;
  }
  return typeof value === 'number' ? goFloat(value) : String(value);
}

// eslint-disable-next-line no-control-regex -- which is what is looked for
const ESCAPE = /\x1b/g;
// eslint-disable-next-line no-control-regex -- which is what is looked for
const RETURN_OR_BELL = /[\r\x07\b\v\f]/g;

/** Text from the server that must not command the terminal. */
export function harmless(text: string): string {
  if (!text.includes('\x1b') && !/[\r\n\v\f\b]/.test(text)) return text;
  return text.replace(ESCAPE, '^[').replace(RETURN_OR_BELL, (c) => JSON.stringify(c).slice(1, -1));
}
