/**
 * A position on the store's one revision clock, which is etcd's: it rises by at least one with every write anywhere
 * in the store, and an object's `metadata.resourceVersion` is the revision of its last write.
 *
 * Kept as a number that is checked to be a safe integer where it enters (2^53 writes are 285,000 years at 1,000 a
 * second), because revisions are compared on every hot path.
 */
export type Revision = number & { readonly __brand: 'Revision' };

/** The revision before any write: no object has it. */
export const ZERO_REVISION = 0 as Revision;

/** Stands for every revision that a client may name and no store can have yet (above 2^53 - 1). */
export const FUTURE_REVISION = Number.MAX_SAFE_INTEGER as Revision;

/**
 * Takes a revision from the wire or the store.
 *
 * @throws RangeError when it isn't a safe non-negative integer.
 */
export function toRevision(value: number | string | bigint): Revision {
  const n = Number(value);
  if (!Number.isSafeInteger(n) || n < 0) throw new RangeError(`not a revision: ${value}`);
  return n as Revision;
}

/**
 * Reads a client's `resourceVersion`: decimal digits up to uint64, as the interface allows. What exceeds a safe
 * integer is clamped to {@link FUTURE_REVISION}.
 *
 * @returns undefined when the text is no uint64.
 */
export function parseRevision(text: string): Revision | undefined {
  if (!/^\d{1,20}$/.test(text)) return undefined;
  const n = Number(text);
  if (Number.isSafeInteger(n)) return n as Revision;
  return BigInt(text) < 1n << 64n ? FUTURE_REVISION : undefined;
}
