import { ApiError } from '../errors/api-error.ts';
import { alreadyExistsError, timeoutError } from '../errors/status-errors.ts';
import type { Turn, Turns } from '../lib/turns.ts';
import { utf8SortKey } from '../lib/utf8-order.ts';
import type { ApiObject } from '../meta/object.ts';
import type { Revision } from '../meta/revision.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import { StorageError } from '../storage/errors.ts';
import type { KeyValue, PutOptions, WriteResult } from '../storage/port.ts';
import type { Draft } from './claims.ts';
import type { ValueTransform } from './codec.ts';
import { DeletedEntry, type CachedEntry } from './entry.ts';
import { objectPath } from './keys.ts';
import type { Leases } from './leases.ts';
import type { CreateRequest, StoredEntry, WriteIntent, WriteOutcome, WriteRequest } from './object-store.ts';
import type { StorageOperation } from './observer.ts';
import type { Resources, StoredResource } from './resources.ts';
import type { StorageTimer } from './storage-timer.ts';
import { translated } from './store-errors.ts';
import type { StoreReads } from './store-reads.ts';

export interface WritesParts {
  readonly resources: Resources;
  readonly store: StoreReads;
  readonly leasesOf: (resource: StoredResource) => Leases;
  readonly transform: ValueTransform | undefined;
  readonly timer: StorageTimer;
  /** Of those who write the same key and have lost to others. */
  readonly turns: Turns;
}

/** The object as a write found it: in the cache perhaps, or in the store. */
interface Found {
  readonly entry: CachedEntry | undefined;
  readonly live: boolean;
}

/** One object that is being written. */
interface Target {
  readonly resource: StoredResource;
  /** The row of the request's version. */
  readonly version: ResourceDefinition;
  readonly key: string;
  readonly path: string;
  readonly signal: AbortSignal | undefined;
}

/** What is to be stored, and for how long. */
interface Content {
  readonly draft: Draft;
  readonly ttlSeconds: number | undefined;
}

/** A round of the write loop is the last, or the next one starts from what is there now. */
type Step = { readonly outcome: WriteOutcome } | { readonly again: Found };

/** Writes: create, and the loop of read, decide, compare and write. */
export class Writes {
  readonly #parts: WritesParts;

  constructor(parts: WritesParts) {
    this.#parts = parts;
  }

  async create(request: CreateRequest): Promise<StoredEntry> {
    const { name = '', namespace = '' } = request.object.metadata;
    const target = this.#target({ ...request, namespace, name });
    const draft = this.#draft(target, request.object);
    const written = await this.#put(target, { draft, ttlSeconds: request.ttlSeconds }, undefined);
    if (written.entry === undefined) throw alreadyExistsError(request.resource, name);
    return written.entry;
  }

  async write(request: WriteRequest): Promise<WriteOutcome> {
    const target = this.#target(request);
    let found = findCached(target) ?? (await this.#findLive(target));
    let turn: Turn | undefined;
    try {
      for (;;) {
        const step = await this.#attempt(target, request, found);
        if ('outcome' in step) return step.outcome;
        found = step.again;
        if (turn === undefined) {
          // Whoever has lost once waits for the others who have: all at once, they would go on losing to each other.
          turn = await this.#parts.turns.take(target.key);
          if (turn.waited) found = await this.#findAfter(target, found);
        }
        if (request.signal?.aborted === true) throw abortError(request.signal);
      }
    } finally {
      turn?.end();
    }
  }

  async #attempt(target: Target, request: WriteRequest, found: Found): Promise<Step> {
    let intent: WriteIntent;
    try {
      intent = await request.attempt(found.entry);
    } catch (error) {
      const again = await this.#confirm(target, found);
      if (again !== undefined) return { again };
      throw error;
    }
    if (intent.action === 'delete' && found.entry !== undefined) return this.#delete(target, found.entry);
    if (intent.action === 'put') {
      const draft = this.#draft(target, intent.object);
      if (found.entry?.isStoredAs(draft.stored) !== true) {
        return this.#replace(target, { draft, ttlSeconds: intent.ttlSeconds }, found.entry);
      }
    }
    const again = await this.#confirm(target, found);
    return again === undefined ? { outcome: { action: 'unchanged', entry: found.entry } } : { again };
  }

  async #replace(target: Target, content: Content, current: CachedEntry | undefined): Promise<Step> {
    const { entry, found } = await this.#put(target, content, current);
    if (entry === undefined) return { again: { entry: found && this.#read(target, found), live: true } };
    return { outcome: { action: current === undefined ? 'created' : 'updated', entry } };
  }

  async #delete(target: Target, current: CachedEntry): Promise<Step> {
    const { key, resource } = target;
    const { storage } = resource.partition;
    const result = await this.#run('delete', target, () =>
      storage.delete(key, current.revision, signalOf(target)),
    );
    if (result.ok) {
      return { outcome: { action: 'deleted', entry: new DeletedEntry(current, result.revision) } };
    }
    return { again: { entry: result.current && this.#read(target, result.current), live: true } };
  }

  /** Stores the object if the key is as `current` says. @returns its entry, or else what is there. */
  async #put(
    target: Target,
    content: Content,
    current: CachedEntry | undefined,
  ): Promise<{ readonly entry: CachedEntry | undefined; readonly found: KeyValue | undefined }> {
    const { resource, key } = target;
    const { draft } = content;
    const { claims } = resource.partition;
    if (resource.cache !== undefined) claims.announce(key, draft);
    let result: WriteResult | undefined;
    try {
      result = await this.#send(target, content, current?.revision);
    } finally {
      if (result?.ok !== true) claims.withdraw(key, draft);
    }
    if (!result.ok) return { entry: undefined, found: result.current };
    const { revision } = result;
    const createRevision = current?.createRevision ?? revision;
    const entry = claims.acknowledge(key, revision, draft, () =>
      resource.reader.fromDraft({ key, modRevision: revision, createRevision }, draft),
    );
    return { entry, found: undefined };
  }

  async #send(
    target: Target,
    { draft, ttlSeconds }: Content,
    expected: Revision | undefined,
  ): Promise<WriteResult> {
    const { resource, key } = target;
    const { storage } = resource.partition;
    const write = (options: PutOptions): Promise<WriteResult> =>
      expected === undefined
        ? this.#run('create', target, () => storage.create(key, draft.value, options))
        : this.#run('update', target, () => storage.replace(key, expected, draft.value, options));
    if (ttlSeconds === undefined) return write(signalOf(target));
    const leases = this.#parts.leasesOf(resource);
    const lease = await translated(leases.take(ttlSeconds));
    try {
      return await write({ ...signalOf(target), lease });
    } catch (error) {
      if (!(error instanceof ApiError && isLeaseNotFound(error.cause))) throw error;
      await leases.forget(lease);
      return write({ ...signalOf(target), lease: await translated(leases.take(ttlSeconds)) });
    }
  }

  /** Looks at the store, if the round started from the cache. @returns what is there, if that is something else. */
  async #confirm(target: Target, { entry, live }: Found): Promise<Found | undefined> {
    if (live) return undefined;
    const now = await this.#findLive(target);
    return now.entry?.revision === entry?.revision ? undefined : now;
  }

  /** What is there now, from the cache unless it is behind what was found before. */
  async #findAfter(target: Target, before: Found): Promise<Found> {
    const cached = findCached(target);
    const isNew = (cached?.entry?.revision ?? -1) >= (before.entry?.revision ?? Infinity);
    return cached !== undefined && isNew ? cached : this.#findLive(target);
  }

  async #findLive({ resource, path, signal }: Target): Promise<Found> {
    const { entry } = await translated(this.#parts.store.get(resource, path, { signal }));
    return { entry, live: true };
  }

  #read(target: Target, item: KeyValue): CachedEntry | undefined {
    return this.#parts.store.entryOf(target.resource, item);
  }

  #target(request: {
    readonly resource: ResourceDefinition;
    readonly namespace: string;
    readonly name: string;
    readonly signal?: AbortSignal;
  }): Target {
    const resource = this.#parts.resources.of(request.resource);
    const path = objectPath(request.resource, request.namespace, request.name);
    const key = resource.reader.keyPrefix + path;
    return { resource, version: request.resource, path, key, signal: request.signal };
  }

  #draft({ resource: { kind }, version, key }: Target, object: ApiObject): Draft {
    const { transform } = this.#parts;
    const { group, version: storedVersion } = kind.resource;
    const same = version.version === storedVersion && version.group === group;
    const converted = same ? object : kind.codec.convert(object, version, kind.resource);
    const stored = kind.encodeStored(converted);
    const value = kind.toValue(stored);
    return {
      facts: kind.factsOf(converted),
      stored,
      value: transform === undefined ? value : transform.toStorage(value, key),
    };
  }

  #run<T>(operation: StorageOperation, { resource }: Target, request: () => Promise<T>): Promise<T> {
    return translated(this.#parts.timer.run(operation, resource.kind.label, request));
  }
}

/** What the cache has to start from, if only that there is nothing: what turns out to be old costs one more round. */
function findCached({ resource: { cache }, path }: Target): Found | undefined {
  if (cache === undefined || !cache.live) return undefined;
  const entry = cache.entries.get(utf8SortKey(path));
  // What can't be read is looked at in the store.
  return entry?.read() === undefined ? { entry, live: false } : undefined;
}

function signalOf({ signal }: Target): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

function isLeaseNotFound(cause: unknown): boolean {
  return cause instanceof StorageError && cause.code === 'leaseNotFound';
}

function abortError(signal: AbortSignal): Error {
  return signal.reason instanceof ApiError
    ? signal.reason
    : timeoutError('the object changes too often to be written in time');
}
