import { WorkQueue } from '../client/queue/work-queue.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../telemetry/log/log.ts';

export interface KeyedWorkOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Makes what a key stands for as it should be. A failure is logged, and tried again later. */
  readonly work: (key: string, signal: AbortSignal) => Promise<void>;
  /** Keys worked on at a time; 1 by default. */
  readonly concurrency?: number;
  /** Whether a failure is a matter of course, e.g. a conflict with somebody else's write: not logged as an error. */
  readonly expects?: (error: unknown) => boolean;
}

/** Keys that a controller has to look at. */
export interface KeyedWork {
  /** Looks at a key soon, once however often it is said. */
  add(key: string): void;
  /** Looks at a key after some milliseconds. */
  addAfter(key: string, ms: number): void;
  close(): void;
}

/** Runs a controller's work on keys, each by one at a time, with growing delays after failures. */
export function keyedWork({ clock, log, work, concurrency = 1, expects }: KeyedWorkOptions): KeyedWork {
  const queue = new WorkQueue({ clock });
  const ended = new AbortController();
  const onError = (error: unknown, key: string): void => {
    if (expects?.(error) === true) log.v(4, () => ['a change is tried again', { key, error }]);
    else log.error('a change failed, and is tried again', error, { key });
  };
  void queue.run({ work, concurrency, onError, signal: ended.signal });
  return {
    add: (key) => queue.add(key),
    addAfter: (key, ms) => queue.addAfter(key, ms),
    close: () => ended.abort(),
  };
}

const OUTDATED = new Set<string>(['NotFound', 'Conflict', 'AlreadyExists']);

/** Whether a write failed because somebody else was faster: the event of that is on its way. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && OUTDATED.has(error.reason);
}
