import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

/** What the driver wants written. `expected` 0 creates; without `value` it deletes. */
export interface KillWrite {
  readonly key: string;
  readonly expected: number;
  readonly value?: string;
}

/** An object as a reader finds it. */
export interface Found {
  readonly value: string;
  readonly revision: number;
}

/** A write as history tells it. */
export interface Written {
  readonly key: string;
  readonly value?: string;
}

/** A running victim: something that keeps objects, in a process of its own. */
export interface Running {
  /** @returns the revision of the write, once it is acknowledged. Rejects when it isn't, for whatever reason. */
  write(write: KillWrite): Promise<number>;
  /** Everything there is, and the store's current revision. */
  read(): Promise<{ readonly revision: number; readonly objects: ReadonlyMap<string, Found> }>;
  /** What history tells from a revision on, by revision; a deletion has no value. undefined: it's compacted. */
  history?(from: number): Promise<ReadonlyMap<number, Written> | undefined>;
  /** Whether the answer to a deletion doesn't tell its revision: then nothing is deleted. */
  readonly deletesBlindly?: boolean;
  /** Kills the process with SIGKILL and waits until it is gone. */
  kill(): Promise<void>;
}

/** Something to kill: the embedded store in a child process, or a whole server on either store. */
export interface Victim {
  /** Starts it, on what its predecessor left. */
  start(): Promise<Running>;
  /** Looks at what a killed process left, before the next one starts. */
  inspect?(): Promise<void>;
}

export interface KillOptions {
  readonly victim: Victim;
  readonly kills: number;
  /** Writes under way at any time. */
  readonly clients: number;
  /** A number below 1, as Math.random gives. */
  readonly random: () => number;
}

interface Expected {
  /** undefined: it isn't there. */
  found: Found | undefined;
  /** Sent and not acknowledged when the process was killed: it may have happened or not. */
  unsure: KillWrite | undefined;
}

const KEYS_PER_CLIENT = 5;
const MAX_VALUE = 6000;
/** The process is killed after at most this many acknowledgements. */
const MAX_WRITES_A_ROUND = 600;

/**
 * Kills a process over and over while it writes, and checks after every restart that nothing acknowledged is lost,
 * that nothing is half written, and that no revision comes back with another content.
 */
export async function killRepeatedly({ victim, kills, clients, random }: KillOptions): Promise<void> {
  const book = new Book();
  for (let round = 0; round <= kills; round++) {
    const running = await victim.start();
    try {
      await book.compare(running);
      if (round < kills) await writeUntilKilled(running, book, { clients, random, round });
    } finally {
      await running.kill();
    }
    await victim.inspect?.();
  }
}

/** A write's content, short enough to be read in a report. */
function contentOf({ key, value }: Written): string {
  if (value === undefined) return `${key} deleted`;
  return `${key}=${value.slice(0, 30)}… ${createHash('sha1').update(value).digest('hex')}`;
}

/** What must be there. */
class Book {
  readonly objects = new Map<string, Expected>();
  /** Every revision that was acknowledged or found: what it was about. */
  readonly contents = new Map<number, string>();
  highest = 0;

  expected(key: string): Expected {
    let expected = this.objects.get(key);
    if (expected === undefined) this.objects.set(key, (expected = { found: undefined, unsure: undefined }));
    return expected;
  }

  acknowledge(write: KillWrite, revision: number): void {
    const { key, value } = write;
    const content = contentOf(write);
    const expected = this.expected(key);
    assert.equal(this.contents.get(revision) ?? content, content, `revision ${revision} has two contents`);
    assert.ok(revision > (expected.found?.revision ?? 0), `revisions of ${key} go back`);
    this.contents.set(revision, content);
    this.highest = Math.max(this.highest, revision);
    expected.found = value === undefined ? undefined : { value, revision };
    expected.unsure = undefined;
  }

  async compare(running: Running): Promise<void> {
    const { revision, objects } = await running.read();
    assert.ok(revision >= this.highest, `the store is at ${revision}, ${this.highest} was acknowledged`);
    for (const [key, expected] of this.objects) this.#compareOne(key, expected, objects.get(key));
    for (const key of objects.keys()) assert.ok(this.objects.has(key), `${key} was never written`);
    await this.#compareHistory(running, revision);
  }

  #compareOne(key: string, expected: Expected, found: Found | undefined): void {
    const { unsure } = expected;
    expected.unsure = undefined;
    const last = expected.found;
    if (found?.revision === last?.revision) {
      assert.ok(found?.value === last?.value, `${key}: another value at revision ${last?.revision}`);
      return;
    }
    assert.ok(unsure !== undefined, `${key}: acknowledged at ${last?.revision}, found at ${found?.revision}`);
    assert.ok(found?.value === unsure.value, `${key}: neither what was acknowledged nor what was under way`);
    if (found === undefined) expected.found = undefined;
    else this.acknowledge(unsure, found.revision);
  }

  async #compareHistory(running: Running, revision: number): Promise<void> {
    const history = await running.history?.(Math.max(1, this.highest - 200));
    if (history === undefined) return;
    for (const [at, { key, value }] of history) {
      const content = contentOf(value === undefined ? { key } : { key, value });
      assert.equal(content, this.contents.get(at) ?? content, `history at ${at}`);
    }
    for (const at of this.contents.keys()) {
      if (at > this.highest - 200) assert.ok(history.has(at), `history lacks revision ${at} of ${revision}`);
    }
  }
}

async function writeUntilKilled(
  running: Running,
  book: Book,
  { clients, random, round }: { clients: number; random: () => number; round: number },
): Promise<void> {
  let left = Math.ceil(random() * MAX_WRITES_A_ROUND);
  let killed: Promise<void> | undefined;
  const client = async (number: number) => {
    for (let i = 0; killed === undefined; i++) {
      const key = `client-${number}-${Math.floor(random() * KEYS_PER_CLIENT)}`;
      const mayDelete = running.deletesBlindly !== true;
      const write = nextWrite(book.expected(key), { key, id: `${round}.${i}`, random, mayDelete });
      book.expected(key).unsure = write;
      let revision: number;
      try {
        revision = await running.write(write);
      } catch (error) {
        if (killed !== undefined) return;
        throw error;
      }
      book.acknowledge(write, revision);
      if (--left === 0) killed = running.kill();
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, i) => client(i)));
  await killed;
}

function nextWrite(
  { found }: Expected,
  { key, id, random, mayDelete }: { key: string; id: string; random: () => number; mayDelete: boolean },
): KillWrite {
  const expected = found?.revision ?? 0;
  if (found !== undefined && mayDelete && random() < 0.15) return { key, expected };
  const size = Math.floor(random() * MAX_VALUE);
  return { key, expected, value: `${key} ${id} ${id.repeat(Math.ceil(size / id.length))}` };
}

/** A generator of numbers below 1 that a seed decides, so that a failure can be had again. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
