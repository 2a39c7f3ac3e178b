import { utf8SortKey } from '../../lib/utf8-order.ts';

/** Sorts keys by their UTF-8 bytes, in place. */
export function inUtf8Order(keys: string[]): string[] {
  for (let i = 1; i < keys.length; i++) {
    if (isBefore(keys[i] as string, keys[i - 1] as string)) return keys.sort(compareUtf8);
  }
  return keys;
}

/** Compares texts by their UTF-8 bytes: negative, zero or positive. */
export function compareUtf8(a: string, b: string): number {
  if (a === b) return 0;
  return isBefore(a, b) ? -1 : 1;
}

/** Whether one text comes before another by their UTF-8 bytes. */
export function isBefore(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // Below the surrogates, UTF-16 has the order of UTF-8.
    return x < 0xd800 || y < 0xd800 ? x < y : utf8SortKey(a) < utf8SortKey(b);
  }
  return a.length < b.length;
}
