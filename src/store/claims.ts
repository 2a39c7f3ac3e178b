import type { Revision } from '../meta/revision.ts';
import type { KeyValue } from '../storage/port.ts';
import type { ObjectFacts } from './codec.ts';
import type { CachedEntry } from './entry.ts';

/** An object that is being written: what the watch will show, known already. */
export interface Draft {
  readonly facts: ObjectFacts;
  /** Canonical bytes in the stored form. */
  readonly stored: Buffer;
  /** What goes to the storage: `stored`, as Protobuf and encrypted perhaps. */
  readonly value: Buffer;
}

interface Claim {
  readonly draft: Draft;
  /** Made by whoever is first: the watch or the acknowledgement. */
  entry: CachedEntry | undefined;
  acknowledged: boolean;
  seen: boolean;
}

/**
 * Our own writes on their way through the storage. The watch recognises them by key and value, or by key and revision
 * once they are acknowledged, and takes over what the writer knew: nothing is decoded a second time, and writer and cache
 * share one entry.
 */
export class Claims {
  readonly #claims = new Map<string, Claim>();

  get size(): number {
    return this.#claims.size;
  }

  /** Announces a write, before it is sent. A later one of the same key takes its place. */
  announce(key: string, draft: Draft): void {
    this.#claims.set(key, { draft, entry: undefined, acknowledged: false, seen: false });
  }

  /** The write was refused, or nobody knows. */
  withdraw(key: string, draft: Draft): void {
    if (this.#claims.get(key)?.draft === draft) this.#claims.delete(key);
  }

  /** The write was acknowledged at `revision`. @returns its entry. */
  acknowledge(key: string, revision: Revision, draft: Draft, make: () => CachedEntry): CachedEntry {
    const claim = this.#claims.get(key);
    if (claim?.draft !== draft) return make();
    claim.acknowledged = true;
    if (claim.seen) this.#claims.delete(key);
    if (claim.entry === undefined) return (claim.entry = make());
    return claim.entry.revision === revision ? claim.entry : make();
  }

  /** What the watch shows, if it is a write of ours. */
  recognise(kv: KeyValue, make: (draft: Draft) => CachedEntry): CachedEntry | undefined {
    const claim = this.#claims.get(kv.key);
    if (claim === undefined) return undefined;
    const { entry, draft } = claim;
    if (entry === undefined ? !draft.value.equals(kv.value) : entry.revision !== kv.modRevision) {
      if (entry !== undefined && kv.modRevision > entry.revision) this.#claims.delete(kv.key);
      return undefined;
    }
    claim.seen = true;
    if (claim.acknowledged) this.#claims.delete(kv.key);
    return (claim.entry ??= make(draft));
  }

  /** Forgets acknowledged writes up to `revision`: the watch has passed them and will not show them any more. */
  prune(revision: Revision): void {
    for (const [key, { entry, acknowledged }] of this.#claims) {
      if (acknowledged && entry !== undefined && entry.revision <= revision) this.#claims.delete(key);
    }
  }
}
