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
/** Folders that never rest, as those that logs are in, are not waited for any longer. */
const SETTLED_MS = 1000;

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
  /** What was seen last, unless that is settled: other changes in the folder are no reason to tell of it again. */
  let unsettled: string | undefined;
  let dueAt = clock.monotonic() + READ_EVERY_MS;
  /** Since when the folder has not rested. */
  let restlessFrom: number | undefined;

  const look = async (): Promise<void> => {
    const known = clock.monotonic() < dueAt ? unsettled : undefined;
    let seen: string | undefined;
    try {
      const now = await readFile(path, 'utf8');
      seen = `holds ${now}`;
      if (ended || seen === known) return;
      unsettled = now === text || (await options.onText(now)) ? undefined : seen;
      if (unsettled === undefined) text = now;
    } catch (error) {
      seen ??= `fails: ${(error as Error).message}`;
      if (ended || seen === known) return;
      unsettled = seen;
      options.onError(error);
    }
    dueAt = clock.monotonic() + READ_EVERY_MS;
  };
  const read = async (): Promise<void> => {
    reading = true;
    again = false;
    restlessFrom = undefined;
    cancelNext();
    await look();
    reading = false;
    if (ended) return;
    if (again) changed();
    else plan(dueAt - clock.monotonic());
  };
  const plan = (ms: number): void => {
    cancelNext();
    cancelNext = clock.after(Math.max(0, ms), () => void read());
  };
  const changed = (): void => {
    again = reading;
    if (reading) return;
    const now = clock.monotonic();
    restlessFrom ??= now;
    plan(Math.min(SETTLE_MS, restlessFrom + SETTLED_MS - now));
  };
  const watcher = watchFolder(dirname(path), changed);
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
