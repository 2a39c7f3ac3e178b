import type { ResourceDefinition } from '../../schema/model.ts';
import type { StoredEntry } from '../../store/object-store.ts';
import type { OwnerTie, Ties } from '../../store/ties.ts';

/** An object that has owners, or is being deleted. */
export interface Item {
  readonly row: ResourceDefinition;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Its version, and what that says. */
  revision: number;
  ties: Ties;
}

/** An object that others name as their owner, whether it exists or not. */
export interface Owner {
  readonly dependents: Set<Item>;
  /** How many of them say that its foreground deletion waits for them, by their namespaces; none has no entry. */
  readonly blocking: Map<string, number>;
  /** Where it was found; undefined: nobody has looked, or it wasn't found. */
  place: Place | undefined;
  /** How often it was told to be gone, or may have been: what was found before doesn't count any more. */
  losses: number;
  /** Whether it is in a namespace where nobody looks for it; undefined: nobody has asked. */
  isElsewhere: boolean | undefined;
  /** Places where it certainly isn't, as {@link placeKey} has them. */
  readonly absentFrom: Set<string>;
}

/** Where an object is. */
export interface Place {
  readonly row: ResourceDefinition;
  readonly namespace: string;
  readonly name: string;
}

export function placeKey({ row, namespace, name }: Place): string {
  return `${row.storage?.prefix}/${namespace}/${name}`;
}

/**
 * Who owns whom, by uid. It has objects with owners, objects that are being deleted, and objects that were found to be
 * owners, and nothing of all others. Says which uids have to be looked at.
 */
export class Graph {
  readonly #look: (uid: string) => void;
  readonly #items = new Map<string, Item>();
  readonly #owners = new Map<string, Owner>();

  constructor(look: (uid: string) => void) {
    this.#look = look;
  }

  /** Whether the graph is about an object: what becomes of it must be told then. */
  concerns(entry: StoredEntry): boolean {
    return entry.ties !== undefined || this.#owners.has(entry.uid);
  }

  item(uid: string): Item | undefined {
    return this.#items.get(uid);
  }

  owner(uid: string): Owner | undefined {
    return this.#owners.get(uid);
  }

  uids(): Iterable<string> {
    return this.#items.keys();
  }

  set(row: ResourceDefinition, entry: StoredEntry): void {
    const { uid, namespace, name, revision, ties } = entry;
    const owner = this.#owners.get(uid);
    if (owner !== undefined) owner.place ??= { row, namespace, name };
    const item = this.#items.get(uid);
    if (ties === undefined) {
      if (item !== undefined) this.#drop(item);
    } else if (item === undefined) {
      const added = { row, namespace, name, uid, revision, ties };
      this.#items.set(uid, added);
      this.#connect(added, NONE);
      this.#look(uid);
      if (isAwaited(ties)) this.#lookAtDependents(uid);
    } else if (revision > item.revision) {
      this.#change(item, revision, ties);
    }
  }

  /** An object is gone, or the graph wasn't about it when it was looked at last: who depends on it finds out. */
  remove({ uid }: StoredEntry): void {
    const item = this.#items.get(uid);
    if (item !== undefined) this.#drop(item);
    const owner = this.#owners.get(uid);
    if (owner === undefined) return;
    this.#lose(uid, owner);
    this.#forget(uid, owner);
  }

  /** Objects of a stored resource, by its prefix, may have gone while nobody watched. */
  doubt(prefix: string | undefined): void {
    for (const [uid, owner] of this.#owners) {
      if (owner.place?.row.storage?.prefix === prefix) this.#lose(uid, owner);
    }
  }

  /** Nobody watches a stored resource any more. */
  leave(prefix: string | undefined): void {
    for (const item of this.#items.values()) if (item.row.storage?.prefix === prefix) this.#drop(item);
    this.doubt(prefix);
  }

  #change(item: Item, revision: number, ties: Ties): void {
    const before = item.ties;
    item.revision = revision;
    item.ties = ties;
    if (before === ties) return;
    this.#disconnect(item, before.owners, ties.owners);
    this.#connect(item, before.owners);
    this.#look(item.uid);
    if (isAwaited(ties) && !isAwaited(before)) this.#lookAtDependents(item.uid);
  }

  #drop(item: Item): void {
    this.#items.delete(item.uid);
    this.#disconnect(item, item.ties.owners, NONE);
  }

  #connect(item: Item, before: readonly OwnerTie[]): void {
    const { owners: now } = item.ties;
    for (const uid of uidsOf(now)) {
      let owner = this.#owners.get(uid);
      if (owner === undefined) {
        owner = {
          dependents: new Set(),
          blocking: new Map(),
          place: undefined,
          losses: 0,
          isElsewhere: undefined,
          absentFrom: new Set(),
        };
        this.#owners.set(uid, owner);
      }
      owner.dependents.add(item);
      if (blocks(now, uid) && !blocks(before, uid)) count(owner.blocking, item.namespace, 1);
    }
  }

  /** Owners that an item had and has no more, or that needn't wait for it any more. */
  #disconnect(item: Item, before: readonly OwnerTie[], now: readonly OwnerTie[]): void {
    for (const uid of uidsOf(before)) {
      const owner = this.#owners.get(uid);
      if (owner === undefined) continue;
      const isUnblocked = blocks(before, uid) && !blocks(now, uid);
      // The last ones may wait for the owner themselves.
      if (isUnblocked && count(owner.blocking, item.namespace, -1) <= FEW) this.#look(uid);
      if (now.some((tie) => tie.uid === uid)) continue;
      owner.dependents.delete(item);
      this.#forget(uid, owner);
    }
  }

  #forget(uid: string, owner: Owner): void {
    // What exists is kept: its end must be told.
    if (owner.dependents.size === 0 && owner.place === undefined) this.#owners.delete(uid);
  }

  #lose(uid: string, owner: Owner): void {
    owner.losses++;
    owner.place = undefined;
    this.#lookAtDependents(uid);
  }

  #lookAtDependents(uid: string): void {
    for (const dependent of this.#owners.get(uid)?.dependents ?? []) this.#look(dependent.uid);
  }
}

/** So few dependents that it costs little to look at all of them each time one goes. */
const FEW = 16;

const NONE: readonly OwnerTie[] = [];

function count(counts: Map<string, number>, key: string, change: 1 | -1): number {
  const next = (counts.get(key) ?? 0) + change;
  if (next === 0) counts.delete(key);
  else counts.set(key, next);
  return next;
}

function uidsOf(ties: readonly OwnerTie[]): Iterable<string> {
  return new Set(ties.map(({ uid }) => uid));
}

export function blocks(ties: readonly OwnerTie[], uid: string): boolean {
  return ties.some((tie) => tie.uid === uid && tie.blocks);
}

/** Whether an object is being deleted, and waits until its dependents are. */
export function isAwaited({ deleting, awaits }: Ties): boolean {
  return deleting && awaits === 'foregroundDeletion';
}
