import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/lib/clock.ts';
import { openEmbeddedStorage } from '../../src/storage/embedded/index.ts';
import { prefixEnd } from '../../src/storage/port.ts';
import { checkStore } from './embedded-check.ts';
import { DiskImage } from './embedded-disk-image.ts';
import { readTrace, traced, whyNoTrace } from './embedded-trace.ts';
import type { TraceEvent } from './embedded-trace.ts';
import { valueOf } from './embedded-writer.ts';
import { seededRandom } from './kill-driver.ts';

const WRITES = 160;
const RANDOM_CUTS = 40;

/** A write as the traced program acknowledged it. */
interface Acknowledged {
  readonly key: string;
  readonly revision: number;
  /** undefined: deleted. */
  readonly value: string | undefined;
}

/** What a program did to its store, seen from the system calls. */
interface Story {
  readonly start: Buffer;
  readonly events: readonly TraceEvent[];
  /** Every write: the program was answered all of them in the end. */
  readonly writes: readonly Acknowledged[];
}

describe('embedded store, power cut', () => {
  const seed = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000);
  let directory: string;
  let story: Story;

  before(async function () {
    this.timeout(60_000);
    const why = whyNoTrace();
    if (why !== undefined) {
      if (this.test?.parent !== undefined) this.test.parent.title += ` (skipped: ${why})`;
      this.skip();
    }
    directory = await realpath(await mkdtemp(join(tmpdir(), 'orch-power-')));
    story = await traceWriter(directory);
  });

  after(async () => {
    if (directory !== undefined) await rm(directory, { recursive: true });
  });

  it('syncs the pages of a transaction before the one that makes it valid, and writes that one through', () => {
    let unsynced = 0;
    let transactions = 0;
    for (const event of story.events) {
      if (event.kind === 'sync') unsynced = 0;
      else if (event.kind === 'write' && !event.durable) unsynced++;
      else if (event.kind === 'write') {
        assert.equal(unsynced, 0, 'made valid before its pages were synced');
        transactions++;
      }
    }
    assert.ok(transactions > WRITES / 10, `${transactions} transactions`);
  });

  it('has a write on disk before it acknowledges it', async function () {
    this.timeout(120_000);
    const image = new DiskImage(story.start);
    let highest = 0;
    let isNew = false;
    for (const [index, event] of story.events.entries()) {
      image.apply(event);
      if (event.kind !== 'line') continue;
      const { revision } = parse(event.text);
      isNew ||= revision > highest;
      highest = Math.max(highest, revision);
      // Acknowledgements of one transaction come together: one look is enough for them.
      if (!isNew || story.events[index + 1]?.kind === 'line') continue;
      isNew = false;
      await compare(join(directory, 'cut'), image.durable(), story, highest);
    }
    assert.equal(highest, Math.max(...story.writes.map(({ revision }) => revision)));
  });

  it(`loses nothing acknowledged, whatever else was on its way to the disk (SOAK_SEED=${seed})`, async function () {
    this.timeout(120_000);
    const random = seededRandom(seed);
    const cuts = new Set(
      Array.from({ length: RANDOM_CUTS }, () => Math.floor(random() * story.events.length)),
    );
    const image = new DiskImage(story.start);
    let highest = 0;
    for (const [index, event] of story.events.entries()) {
      image.apply(event);
      if (event.kind === 'line') highest = Math.max(highest, parse(event.text).revision);
      if (!cuts.has(index)) continue;
      const next = story.events[index + 1];
      const bytes = image.durableAndSome(random, next?.kind === 'write' ? [next] : []);
      await compare(join(directory, 'cut'), bytes, story, highest);
    }
  });
});

async function traceWriter(directory: string): Promise<Story> {
  const store = join(directory, 'store');
  // A new store's file is put in place whole: what happens to it afterwards is of interest.
  await (await openEmbeddedStorage({ directory: store, history: 0, clock: systemClock })).close();
  const start = await readFile(join(store, 'data.mdb'));
  const trace = join(directory, 'trace');
  const program = new URL('embedded-writer.ts', import.meta.url).pathname;
  const [command = '', ...args] = traced(trace, [process.execPath, program, store, `${WRITES}`]);
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const events = await readTrace(trace, join(store, 'data.mdb'));
  const writes = events.filter((event) => event.kind === 'line').map(({ text }) => parse(text));
  assert.equal(writes.length, WRITES);
  return { start, events, writes };
}

function parse(text: string): Acknowledged {
  const [what = '', key = '', number = '', revision = ''] = text.trim().split(' ');
  const value = what === 'put' ? valueOf(key, Number(number)) : undefined;
  return { key, revision: Number(revision), value };
}

/** Opens what a cut left: it must be the state at one revision, and that not older than the last acknowledged one. */
async function compare(directory: string, bytes: Buffer, { writes }: Story, highest: number): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory);
  await writeFile(join(directory, 'data.mdb'), bytes);
  await checkStore(directory);
  const storage = await openEmbeddedStorage({ directory, history: 0, clock: systemClock, sync: 'none' });
  try {
    const { items, revision } = await storage.range({ start: '/', end: prefixEnd('/') });
    assert.ok(revision >= highest, `acknowledged ${highest}, left ${revision}`);
    const expected = new Map<string, string>();
    for (const write of writes.toSorted((a, b) => a.revision - b.revision)) {
      if (write.revision > revision) break;
      if (write.value === undefined) expected.delete(write.key);
      else expected.set(write.key, write.value);
    }
    const found = new Map(items.map(({ key, value }) => [key, value.toString()]));
    assert.deepEqual([...found.keys()].sort(), [...expected.keys()].sort());
    for (const [key, value] of found) assert.ok(value === expected.get(key), `${key} at ${revision}`);
  } finally {
    await storage.close();
  }
}
