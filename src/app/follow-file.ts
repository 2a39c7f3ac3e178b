import { watch, type FSWatcher } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../lib/clock.ts';

export interface FollowFileOptions {
  readonly path: string;
  /** What it held when it was read last. */
  readonly text: string;
  readonly clock: Clock;
  /**
   * Takes what the file holds now, which is something else than before; one call at a time.
   *
   * @returns whether that is settled, for good or ill; otherwise the same is offered again a minute later.
   */
  readonly onText: (text: string) => Promise<boolean>;
  /** Told where the file can't be read: it may be again. */
  readonly onError: (error: unknown) => void;
}

const READ_EVERY_MS = 60_000;
/** Files are written in pieces. */
const SETTLE_MS = 100;

/**
 * Reads a file whenever the system tells that something in its folder has changed, which is how mounted volumes change,
 * and every minute.
 *
 * @returns what ends it.
 */
export function followFile(options: FollowFileOptions): () => void {
  const { path, clock } = options;
  let cancelNext = (): void => undefined;
  let reading = false;
  let again = false;
  let ended = false;
  let { text } = options;

  const look = async (): Promise<void> => {
    try {
      const now = await readFile(path, 'utf8');
      if (!ended && now !== text && (await options.onText(now))) text = now;
    } catch (error) {
      if (!ended) options.onError(error);
    }
  };
  const read = async (): Promise<void> => {
    again = reading;
    if (reading) return;
    reading = true;
    cancelNext();
    await look();
    reading = false;
    if (!ended) plan(again ? SETTLE_MS : READ_EVERY_MS);
  };
  const plan = (ms: number): void => {
    cancelNext();
    cancelNext = clock.after(ms, () => void read());
  };
  const watcher = watchFolder(dirname(path), () => {
    if (reading) again = true;
    else plan(SETTLE_MS);
  });
  plan(READ_EVERY_MS);
  return () => {
    ended = true;
    cancelNext();
    watcher?.close();
  };
}

/** Where the system can't tell of changes, the minute has to do. */
function watchFolder(folder: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, onChange);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
