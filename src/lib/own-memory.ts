/**
 * Joins parts in memory of its own. What `Buffer.concat` and `Buffer.from` give is a view of a block of 64 kB that others
 * share: a small buffer that is kept keeps all of it.
 */
export function joinedForKeeping(...parts: readonly Uint8Array[]): Buffer {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
