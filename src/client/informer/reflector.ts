import type { Clock } from '../../lib/clock.ts';
import type { KubeObject, WatchEvent } from '../kinds.ts';
import { wait } from '../request/wait.ts';
import type { ListOptions, WatchOptions } from '../resource/options.ts';
import type { ListPiece } from '../resource/read-list.ts';
import { hasReason, isExpired } from '../status-error.ts';
import { Backoff } from './backoff.ts';

/** What can be listed and watched; a ResourceClient is. */
export interface ListWatch<T> {
  pages(options: ListOptions): AsyncIterable<ListPiece<T>>;
  watch(options: WatchOptions): AsyncIterable<WatchEvent<T>>;
}

/** Who is told what there is, and what happens. */
export interface ReflectorSink<T> {
  /** Everything is told anew from here on. */
  begin(): void;
  /** An object that is there. */
  put(object: T): void;
  /** An object that is there no more, as it was at last. */
  remove(object: T): void;
  /** Everything that is there was told: what wasn't is there no more. */
  complete(): void;
  /** Lets others work, now and then during long lists. */
  rest(): Promise<void> | undefined;
}

export interface ReflectorOptions<T> {
  readonly source: ListWatch<T>;
  readonly sink: ReflectorSink<T>;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** `stream` has the initial state come as events, where the server can (KEP-3157). */
  readonly initial: 'list' | 'stream';
  readonly clock: Clock;
  readonly random: () => number;
  /** Told of everything that fails, and is tried again. */
  readonly onError: (error: unknown) => void;
  /** Whether a bookmark's annotations say that the initial state is complete. */
  readonly endsInitialEvents: (annotations: Readonly<Record<string, string>>) => boolean;
}

const PAGE = 500;
/** A watch takes this long, and up to twice as long by chance, so that those of many clients don't end at once. */
const WATCH_SECONDS = 300;
/** A watch that the server doesn't end in time has lost its connection. */
const GRACE_MS = 30_000;
/** A watch that ends sooner without an event was none. */
const SHORT_MS = 1000;

const BACKOFF = { first: 400, most: 15_000, resetAfter: 120_000 };

/** Keeps a sink told of what a collection holds: lists, watches, goes on where a watch ended, and lists again where it can't. */
export class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #backoff: Backoff;
  /** How far the sink is; undefined when it has to be told everything. */
  #version: string | undefined;
  #initial: 'list' | 'stream';
  #page: number | undefined = PAGE;

  constructor(options: ReflectorOptions<T>) {
    const { clock, random, initial } = options;
    this.#options = options;
    this.#initial = initial;
    this.#backoff = new Backoff({ clock, random, ...BACKOFF });
  }

  /** Goes on until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, onError } = this.#options;
    while (!signal.aborted) {
      try {
        if (this.#version === undefined && this.#initial === 'list') await this.#list(signal);
        await this.#watch(signal);
      } catch (error) {
        if (signal.aborted) return;
        if (this.#adapt(error)) continue;
        onError(error);
        await wait(this.#backoff.next(), clock, signal).catch(() => undefined);
      }
    }
  }

  /** Takes another way where an error says that this one is closed. @returns whether it can be taken at once. */
  #adapt(error: unknown): boolean {
    if (isExpired(error)) {
      const listing = this.#version === undefined;
      this.#version = undefined;
      // A token may expire before the next page is asked for: then all comes in one.
      if (listing && this.#page !== undefined) {
        this.#page = undefined;
        return true;
      }
      return false;
    }
    const refused = hasReason(error, 'Invalid') || hasReason(error, 'BadRequest');
    if (refused && this.#initial === 'stream' && this.#version === undefined) {
      this.#initial = 'list';
      return true;
    }
    return false;
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { source, sink, labelSelector, fieldSelector } = this.#options;
    let version: string | undefined;
    sink.begin();
    for await (const { items, metadata } of source.pages({
      labelSelector,
      fieldSelector,
      limit: this.#page,
      signal,
    })) {
      for (const item of items) {
        sink.put(item);
        await sink.rest();
      }
      version = metadata?.resourceVersion ?? version;
    }
    sink.complete();
    this.#version = version;
    this.#page = PAGE;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { clock, random, source, labelSelector, fieldSelector } = this.#options;
    const timeoutSeconds = Math.ceil(WATCH_SECONDS * (1 + random()));
    const overdue = new AbortController();
    const started = clock.monotonic();
    const cancel = clock.after(timeoutSeconds * 1000 + GRACE_MS, () => {
      overdue.abort(new Error('the server did not end the watch in time'));
    });
    const events = source.watch({
      labelSelector,
      fieldSelector,
      timeoutSeconds,
      allowWatchBookmarks: true,
      signal: AbortSignal.any([signal, overdue.signal]),
      ...this.#start(),
    });
    try {
      const count = await this.#follow(events);
      if (count === 0 && clock.monotonic() - started < SHORT_MS)
        throw new Error('the server ended the watch at once');
    } finally {
      cancel();
    }
  }

  #start(): Pick<WatchOptions, 'resourceVersion' | 'resourceVersionMatch' | 'sendInitialEvents'> {
    if (this.#version !== undefined) return { resourceVersion: this.#version };
    this.#options.sink.begin();
    return { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
  }

  async #follow(events: AsyncIterable<WatchEvent<T>>): Promise<number> {
    const { sink, endsInitialEvents } = this.#options;
    let count = 0;
    for await (const { type, object } of events) {
      count++;
      const { resourceVersion, annotations } = object.metadata;
      if (type === 'DELETED') sink.remove(object);
      else if (type !== 'BOOKMARK') sink.put(object);
      else if (this.#version === undefined) {
        if (!endsInitialEvents(annotations ?? {})) continue;
        sink.complete();
        this.#version = resourceVersion;
      }
      // Until everything was told, no version says how far the sink is.
      if (this.#version !== undefined) this.#version = resourceVersion;
      await sink.rest();
    }
    return count;
  }
}
