import { parseGroupVersion } from '../../meta/object.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import type { StoredEntry } from '../../store/object-store.ts';
import type { OwnerTie } from '../../store/ties.ts';
import type { ControllerParts } from '../controller.ts';
import { findEntry } from '../find-entry.ts';
import { isAwaited, placeKey, type Graph, type Item, type Place } from './graph.ts';

/** How it stands with an owner that an object names. */
export type OwnerState =
  /** It exists. */
  | 'solid'
  /** It is being deleted, and waits for its dependents. */
  | 'waiting'
  /** It doesn't exist: no object of that kind and name has that uid. */
  | 'absent'
  /** Nobody can tell: the kind isn't served, or no object of such a kind can own this one. */
  | 'unknown';

/** Finds out how it stands with owners. */
export class Owners {
  readonly #parts: Pick<ControllerParts, 'store' | 'schemas'>;
  readonly #graph: Graph;
  readonly #isFollowed: (row: ResourceDefinition) => boolean;

  /** @param isFollowed whether the graph is told when objects of a resource go */
  constructor(
    parts: Pick<ControllerParts, 'store' | 'schemas'>,
    graph: Graph,
    isFollowed: (row: ResourceDefinition) => boolean,
  ) {
    this.#parts = parts;
    this.#graph = graph;
    this.#isFollowed = isFollowed;
  }

  /** Nothing is taken for absent without a look at the store itself. */
  async stateOf(tie: OwnerTie, item: Item): Promise<OwnerState> {
    const place = this.#placeOf(tie, item);
    if (place === undefined) return 'unknown';
    const owner = this.#graph.owner(tie.uid);
    // The item has changed meanwhile, and is looked at again.
    if (owner === undefined) return 'unknown';
    const key = placeKey(place);
    if (owner.absentFrom.has(key)) return 'absent';
    if (owner.place !== undefined && placeKey(owner.place) === key) return this.#knownState(tie.uid);
    const { losses } = owner;
    const entry = (await this.#find(place, tie.uid, 'any')) ?? (await this.#find(place, tie.uid, 'latest'));
    if (entry === undefined) {
      owner.absentFrom.add(key);
      return 'absent';
    }
    // It may have gone since: that was told then.
    if (owner.losses === losses && this.#isFollowed(place.row)) owner.place = place;
    return entry.ties !== undefined && isAwaited(entry.ties) ? 'waiting' : 'solid';
  }

  /** Where an owner must be. @returns undefined where there is no such place. */
  #placeOf({ apiVersion, kind, name }: OwnerTie, item: Item): Place | undefined {
    const named = parseGroupVersion(apiVersion);
    const row = named && this.#parts.schemas.resourceForKind(named.group, named.version, kind);
    if (row?.storage === undefined || (row.namespaced && item.namespace === '')) return undefined;
    return { row, namespace: row.namespaced ? item.namespace : '', name };
  }

  #knownState(uid: string): OwnerState {
    const item = this.#graph.item(uid);
    return item !== undefined && isAwaited(item.ties) ? 'waiting' : 'solid';
  }

  async #find(
    { row: resource, namespace, name }: Place,
    uid: string,
    at: 'any' | 'latest',
  ): Promise<StoredEntry | undefined> {
    const entry = await findEntry(this.#parts.store, { resource, namespace, name }, at);
    return entry?.uid === uid ? entry : undefined;
  }
}
