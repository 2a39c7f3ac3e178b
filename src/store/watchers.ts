import type { Revision } from '../meta/revision.ts';
import type { Change } from './change.ts';
import type { StoreWatchBatch, WatchEvent } from './object-store.ts';
import { watchExpiredError } from './store-errors.ts';
import type { Subscription } from './subscription.ts';

/** The same changes, shown to watchers that see all of them and to watchers that choose. */
class Bucket {
  /** Those that see every change of the bucket. */
  readonly plain = new Set<Subscription>();
  readonly choosing = new Set<Subscription>();
  /** The changes of the batch that is being delivered. */
  touched: Change[] = [];

  get empty(): boolean {
    return this.plain.size === 0 && this.choosing.size === 0;
  }
}

/** Where a subscription is kept: a map's bucket, or the one for everything. */
interface Place {
  readonly buckets: Map<string, Bucket> | undefined;
  readonly key: string;
  readonly bucket: Bucket;
}

/**
 * The live watches of one resource, in buckets by what they demand: a name, a value of an indexed field
 * (`spec.nodeName`), a namespace, or nothing. A change looks into the buckets it concerns only, and watches that see the
 * same events get the same arrays.
 */
export class Watchers {
  readonly #all = new Bucket();
  readonly #byNamespace = new Map<string, Bucket>();
  readonly #byName = new Map<string, Bucket>();
  readonly #byTrigger = new Map<string, Map<string, Bucket>>();
  readonly #places = new Map<Subscription, Place>();

  get size(): number {
    return this.#places.size;
  }

  /** @param revision how far the source is: who starts beyond it looks at every change. */
  add(subscription: Subscription, revision: Revision): void {
    const place = this.#placeOf(subscription);
    const { bucket } = place;
    const sameScope = subscription.namespace === '' || place.buckets === this.#byNamespace;
    const plain = subscription.filter === undefined && sameScope && subscription.position <= revision;
    (plain ? bucket.plain : bucket.choosing).add(subscription);
    this.#places.set(subscription, place);
  }

  remove(subscription: Subscription): void {
    const place = this.#places.get(subscription);
    if (place === undefined) return;
    this.#places.delete(subscription);
    const { bucket, buckets, key } = place;
    bucket.plain.delete(subscription);
    bucket.choosing.delete(subscription);
    if (bucket.empty) buckets?.delete(key);
  }

  /** Delivers changes, which are complete up to `revision`. */
  dispatch(changes: readonly Change[], revision: Revision): void {
    if (this.#places.size === 0) return;
    const whole = new WholeBatch(changes, revision);
    if (!this.#all.empty) deliver(this.#all, changes, whole);
    if (this.#byNamespace.size + this.#byName.size + this.#byTrigger.size === 0) return;
    const touched = new Set<Bucket>();
    for (const change of changes) this.#touch(change, touched);
    for (const bucket of touched) {
      const own = bucket.touched;
      bucket.touched = [];
      deliver(bucket, own, whole);
    }
  }

  /** Ends watches that start after a revision that was not reached. */
  endBeyond(revision: Revision): void {
    for (const subscription of [...this.#places.keys()]) {
      const { position } = subscription;
      if (position > revision) subscription.end(watchExpiredError(position));
    }
  }

  /** Ends every watch. */
  endAll(error: Error | undefined): void {
    for (const subscription of [...this.#places.keys()]) subscription.end(error);
  }

  #touch(change: Change, touched: Set<Bucket>): void {
    const { subject, old, entry } = change;
    touch(this.#byNamespace.get(subject.namespace), change, touched);
    touch(this.#byName.get(subject.name), change, touched);
    for (const [field, buckets] of this.#byTrigger) {
      const after = entry?.field(field);
      const before = old?.field(field);
      if (after !== undefined) touch(buckets.get(after), change, touched);
      if (before !== undefined && before !== after) touch(buckets.get(before), change, touched);
    }
  }

  #placeOf({ namespace, filter }: Subscription): Place {
    if (filter?.name !== undefined) return placeIn(this.#byName, filter.name);
    if (filter?.trigger !== undefined) {
      const { field, value } = filter.trigger;
      let buckets = this.#byTrigger.get(field);
      if (buckets === undefined) this.#byTrigger.set(field, (buckets = new Map<string, Bucket>()));
      return placeIn(buckets, value);
    }
    const demanded = namespace === '' ? (filter?.namespace ?? '') : namespace;
    if (demanded !== '') return placeIn(this.#byNamespace, demanded);
    return { buckets: undefined, key: '', bucket: this.#all };
  }
}

function placeIn(buckets: Map<string, Bucket>, key: string): Place {
  let bucket = buckets.get(key);
  if (bucket === undefined) buckets.set(key, (bucket = new Bucket()));
  return { buckets, key, bucket };
}

function touch(bucket: Bucket | undefined, change: Change, touched: Set<Bucket>): void {
  if (bucket === undefined) return;
  bucket.touched.push(change);
  touched.add(bucket);
}

/** The batch of all changes, made when the first watch needs it. */
class WholeBatch {
  readonly changes: readonly Change[];
  readonly revision: Revision;
  #batch: StoreWatchBatch | undefined;

  constructor(changes: readonly Change[], revision: Revision) {
    this.changes = changes;
    this.revision = revision;
  }

  get batch(): StoreWatchBatch {
    return (this.#batch ??= batchOf(this.changes, this.revision));
  }
}

function batchOf(changes: readonly Change[], revision: Revision): StoreWatchBatch {
  const [only] = changes;
  if (only !== undefined && changes.length === 1) return only.solo(only.event(), revision);
  return { events: changes.map((change) => change.event()), revision };
}

function deliver(bucket: Bucket, changes: readonly Change[], whole: WholeBatch): void {
  if (bucket.plain.size > 0) {
    const all = changes.length === whole.changes.length;
    const batch = all ? whole.batch : batchOf(changes, whole.revision);
    for (const subscription of bucket.plain) subscription.deliver(batch);
  }
  for (const subscription of bucket.choosing) choose(subscription, changes, whole);
}

function choose(subscription: Subscription, changes: readonly Change[], whole: WholeBatch): void {
  let events: WatchEvent[] | undefined;
  let first: Change | undefined;
  let plain = true;
  for (const change of changes) {
    const event = subscription.eventFor(change);
    if (event === undefined) continue;
    first ??= change;
    plain &&= event === change.event();
    (events ??= []).push(event);
  }
  if (events === undefined) return;
  if (events.length === 1)
    subscription.deliver((first as Change).solo(events[0] as WatchEvent, whole.revision));
  else if (plain && events.length === whole.changes.length) subscription.deliver(whole.batch);
  else subscription.deliver({ events, revision: whole.revision });
}
