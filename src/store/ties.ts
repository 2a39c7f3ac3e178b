import type { Interner } from '../lib/interner.ts';
import type { ObjectMeta } from '../meta/object.ts';

/** How an object's existence hangs on that of others. */
export interface Ties {
  /** Those that own it. */
  readonly owners: readonly OwnerTie[];
  /** Whether it is being deleted. */
  readonly deleting: boolean;
  /** What its deletion wants of the garbage collector first, as one of its finalizers says. */
  readonly awaits: 'orphan' | 'foregroundDeletion' | undefined;
}

/** An owner as an object names it: it is in the object's namespace, or in none. */
export interface OwnerTie {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** Whether a foreground deletion of the owner waits for the object. */
  readonly blocks: boolean;
}

/** @returns undefined for an object without owners that isn't being deleted. */
export function tiesOf(meta: ObjectMeta, interner: Interner<Ties>): Ties | undefined {
  const { ownerReferences: references = [], deletionTimestamp } = meta;
  if (references.length === 0 && deletionTimestamp == null) return undefined;
  const owners = references.map(({ apiVersion, kind, name, uid, blockOwnerDeletion }) =>
    Object.freeze({ apiVersion, kind, name, uid, blocks: blockOwnerDeletion === true }),
  );
  const deleting = deletionTimestamp != null;
  const awaits = meta.finalizers?.find(isCollectors);
  const ties = { owners: Object.freeze(owners), deleting, awaits };
  return interner.intern(JSON.stringify(ties), () => Object.freeze(ties));
}

function isCollectors(finalizer: string): finalizer is NonNullable<Ties['awaits']> {
  return finalizer === 'orphan' || finalizer === 'foregroundDeletion';
}
