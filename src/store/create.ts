import type { Clock } from '../lib/clock.ts';
import { Turns } from '../lib/turns.ts';
import type { ProfileName } from '../names/profile.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import type { Storage } from '../storage/port.ts';
import type { ObjectCodec, StorageEncoding, ValueTransform } from './codec.ts';
import { Encodings } from './encodings.ts';
import { Feed } from './feed.ts';
import { Freshness } from './freshness.ts';
import { Gets } from './gets.ts';
import { History, type HistoryLimits } from './history.ts';
import { InitialStates } from './initial-states.ts';
import { Leases } from './leases.ts';
import { Lists } from './lists.ts';
import { Messages } from './messages.ts';
import type { ObjectStore } from './object-store.ts';
import type { ResourceStatistics, StoreObserver } from './observer.ts';
import { Partition } from './partition.ts';
import { claimProfile } from './profile-record.ts';
import { Resources, type StoredResource } from './resources.ts';
import { Snapshots } from './snapshots.ts';
import { StorageTimer } from './storage-timer.ts';
import { translated } from './store-errors.ts';
import { StoredCounts } from './stored-counts.ts';
import { StoreReads } from './store-reads.ts';
import { Watches } from './watches.ts';
import { UnreadRemoval } from './unread-removal.ts';
import { Writes } from './writes.ts';

export interface ObjectStoreOptions {
  /** The store; without `partitions`, of every resource. */
  readonly storage: Storage;
  /** What all keys start with, without a closing slash. */
  readonly root: string;
  readonly profile: ProfileName;
  /** The version that continue tokens carry: `meta…/v1` in the naming profile's words. */
  readonly tokenVersion: string;
  readonly codec: ObjectCodec;
  /** The row of the version in which a resource is stored, for a row of any of its versions. */
  readonly storedVersion: (resource: ResourceDefinition) => ResourceDefinition;
  readonly clock: Clock;
  /** Further stores, for the resources that `partitionOf` sends there. */
  readonly partitions?: Readonly<Record<string, Storage>>;
  /** The name of a resource's partition in `partitions`; undefined: the default one. */
  readonly partitionOf?: (resource: ResourceDefinition) => string | undefined;
  /** What objects are stored as; JSON by default. Both can be read. */
  readonly storeAs?: StorageEncoding;
  /** Encryption at rest. */
  readonly transform?: ValueTransform;
  readonly observer?: StoreObserver;
  /** How much of each resource's past is kept for watches. */
  readonly history?: HistoryLimits;
  /** How long a read waits for the cache to reach a revision, milliseconds; 3 seconds by default. */
  readonly readWaitMs?: number;
  /** How many bytes of objects' Protobuf messages are kept; 64 MB by default. */
  readonly messageBytes?: number;
  /** How long a page may come from memory after its version was compacted, milliseconds; 100 by default. */
  readonly compactionBelievedMs?: number;
  /** Whether cached bytes are in shared memory. */
  readonly sharedSlabs?: boolean;
}

/** An object store with its beginning and end. */
export interface RunningObjectStore extends ObjectStore {
  /**
   * Checks that the store is of our naming profile, and starts to load `resources`. Others are loaded when they are
   * first asked for. @throws ProfileMismatchError, ApiError when the store can't be reached.
   */
  start(resources: readonly ResourceDefinition[]): Promise<void>;
  /** Resources in use whose cache is not, or not yet, following the store. */
  notReady(): string[];
  /** Resolves when every resource in use is ready. */
  whenReady(): Promise<void>;
  statistics(): ResourceStatistics[];
  /**
   * Bytes of the cached objects, of the memory that they are in, of their messages and of their encodings in other
   * versions, and how many own writes the watch has yet to show.
   */
  memory(): {
    readonly live: number;
    readonly held: number;
    readonly messages: number;
    readonly encodings: number;
    readonly claims: number;
  };
  /** Ends all watches. The storage is closed by whoever opened it. */
  close(): void;
}

/**
 * 4 MB of what was replaced or deleted in the last 90 seconds, a resource; the Go API server aims for 75. A watch that
 * goes on where another ended does so from a bookmark, of which there is one a minute. One that comes back later, to a
 * resource that has changed since, reads the storage's own history.
 */
const DEFAULT_HISTORY: HistoryLimits = { bytes: 4 << 20, ms: 90_000 };

const READ_WAIT_MS = 3000;
/** Many pages of many lists share a question; nobody can tell that one came so much too late. */
const COMPACTION_BELIEVED_MS = 100;

/** Puts the parts of an object store together. */
export function createObjectStore(options: ObjectStoreOptions): RunningObjectStore {
  const { codec, clock, observer = {}, transform } = options;
  const snapshots = new Snapshots(() => clock.monotonic());
  const encodings = new Encodings(codec);
  const messages = new Messages(codec, encodings, options.messageBytes);
  const partitions = makePartitions(options, () => {
    snapshots.trim();
    encodings.tick();
    messages.tick(clock.monotonic());
  });
  const timer = new StorageTimer(clock, observer);
  const resources = new Resources({
    codec,
    storeAs: options.storeAs ?? 'json',
    transform,
    storedVersion: options.storedVersion,
    partitionOf: (resource) => partitions.of(resource),
    makeFeed: (partition, reader, always) => makeFeed(options, partition, { reader, always }),
  });
  const freshness = new Freshness({ time: clock, observer, waitMs: options.readWaitMs ?? READ_WAIT_MS });
  const store = new StoreReads(timer);
  const gets = new Gets({ resources, freshness, store });
  const lists = new Lists({ resources, freshness, store, snapshots, tokenVersion: options.tokenVersion });
  const watches = new Watches(resources, new InitialStates({ freshness, store }));
  const writes = new Writes({
    resources,
    store,
    transform,
    timer,
    leasesOf: leasesBy(clock),
    turns: new Turns(clock),
  });
  const unread = new UnreadRemoval({ resources, timer });
  const counts = new StoredCounts({ resources, timer, time: clock });
  return {
    get: (request) => gets.get(request),
    list: (request) => lists.list(request),
    watch: (request, sink) => watches.watch(request, sink),
    create: (request) => writes.create(request),
    write: (request) => writes.write(request),
    removeUnread: (request) => unread.remove(request),
    encoding: (entry, resource) => encodings.encoding(entry, resource),
    message: (entry, resource) => messages.of(entry, resource),
    messageLength: (entry, resource) => messages.lengthOf(entry, resource),
    decode: (entry, resource) => encodings.decode(entry, resource),
    currentRevision(resource) {
      const { query } = resource === undefined ? partitions.main : resources.of(resource).partition;
      return translated(query.newest());
    },
    async start(preload) {
      for (const { storage, root } of partitions.all) {
        await translated(claimProfile(storage, root, options.profile));
      }
      for (const partition of partitions.all) await translated(partition.start());
      for (const resource of preload) resources.of(resource);
      counts.start();
    },
    notReady: () => [...resources.all()].filter(isWaiting).map(({ kind }) => kind.label),
    async whenReady() {
      for (const { cache } of resources.all()) await cache?.whenLive(partitions.main.signal);
    },
    statistics: () => [...resources.all()].map((resource) => statisticsOf(resource, counts)),
    memory() {
      const sum = { live: 0, held: 0, messages: messages.usage.live, encodings: encodings.usage, claims: 0 };
      for (const { slabs, claims } of partitions.all) {
        sum.live += slabs.usage.live;
        sum.held += slabs.usage.held;
        sum.claims += claims.size;
      }
      return sum;
    },
    close() {
      counts.stop();
      for (const partition of partitions.all) partition.close();
      for (const { source } of resources.all()) source.close(undefined);
    },
  };
}

function makePartitions(
  options: ObjectStoreOptions,
  onTick: () => void,
): {
  readonly main: Partition;
  readonly all: readonly Partition[];
  of(resource: ResourceDefinition): Partition;
} {
  const make = (name: string, storage: Storage): Partition =>
    new Partition({
      name,
      storage,
      root: options.root,
      time: options.clock,
      history: options.history ?? DEFAULT_HISTORY,
      sharedSlabs: options.sharedSlabs ?? false,
      compactionBelievedMs: options.compactionBelievedMs ?? COMPACTION_BELIEVED_MS,
      observer: options.observer ?? {},
      onTick,
    });
  const main = make('', options.storage);
  const others = new Map(
    Object.entries(options.partitions ?? {}).map(([name, storage]) => [name, make(name, storage)]),
  );
  return {
    main,
    all: [main, ...others.values()],
    of: (resource) => others.get(options.partitionOf?.(resource) ?? '') ?? main,
  };
}

function makeFeed(
  { clock, history = DEFAULT_HISTORY, observer = {} }: ObjectStoreOptions,
  partition: Partition,
  { reader, always }: Pick<ConstructorParameters<typeof Feed>[0], 'reader' | 'always'>,
): Feed {
  return new Feed({
    reader,
    always,
    storage: partition.storage,
    history: new History(partition.clock.revision, history, () => clock.monotonic()),
    slabs: partition.slabs,
    time: clock,
    observer,
  });
}

function leasesBy(clock: Clock): (resource: StoredResource) => Leases {
  const leases = new WeakMap<Partition, Leases>();
  return ({ partition }) => {
    let own = leases.get(partition);
    if (own === undefined) leases.set(partition, (own = new Leases(partition.storage, clock)));
    return own;
  };
}

function isWaiting({ cache }: StoredResource): boolean {
  return cache !== undefined && !cache.live;
}

function statisticsOf({ kind, cache, source }: StoredResource, counts: StoredCounts): ResourceStatistics {
  const { history, watcherCount, revision } = source;
  const cached = cache?.loaded === true ? cache.entries.size + cache.unreadable.size : undefined;
  return {
    resource: kind.label,
    objects: cache === undefined ? counts.of(kind.label) : cached,
    history: { changes: history.length, bytes: history.bytes, since: history.since },
    watchers: watcherCount,
    revision,
  };
}
