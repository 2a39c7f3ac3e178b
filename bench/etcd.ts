/**
 * Measures the etcd adapter alone, on an etcd of its own (writes unsynced, so that the disk isn't what is measured):
 *
 *     node bench/etcd.ts [http://127.0.0.1:2379]
 *
 * Prints one line a figure. CPU is this process's; etcd's own comes on top, on the same machine.
 */
import { systemClock } from '../src/lib/clock.ts';
import type { Revision } from '../src/meta/revision.ts';
import { openEtcdStorage } from '../src/storage/etcd/index.ts';
import type { Storage } from '../src/storage/port.ts';
import { prefixEnd } from '../src/storage/port.ts';
import { startEtcd } from '../test/support/etcd.ts';

const KEYS = 10_000;
const VALUE = Buffer.alloc(2048, 'x');
const RUN = `/bench-${process.pid}`;

const keyOf = (group: string, i: number) => `${RUN}/${group}/${String(i).padStart(6, '0')}`;

interface Figure {
  readonly name: string;
  readonly count: number;
  readonly unit: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

async function measure(name: string, unit: string, run: () => Promise<number>): Promise<void> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const count = await run();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  print({ name, count, unit, seconds, cpuSeconds: (user + system) / 1e6 });
}

function print({ name, count, unit, seconds, cpuSeconds }: Figure): void {
  const rate = `${Math.round(count / seconds).toLocaleString('en')} ${unit}/s`;
  const each = ((cpuSeconds / count) * 1e6).toFixed(0);
  console.log(`${name.padEnd(34)} ${rate.padStart(18)} ${each.padStart(8)} us CPU each`);
}

/** Runs `count` calls with `parallel` of them under way. */
async function inFlight(
  parallel: number,
  count: number,
  call: (i: number) => Promise<unknown>,
): Promise<number> {
  let started = 0;
  const worker = async () => {
    while (started < count) await call(started++);
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return count;
}

async function watchEvents(storage: Storage, from: number, count: number): Promise<number> {
  let seen = 0;
  for await (const batch of storage.watch({ prefix: `${RUN}/`, from: from as Revision, previous: true })) {
    seen += batch.events.length;
    if (seen >= count) break;
  }
  return seen;
}

async function run(storage: Storage): Promise<void> {
  const create = (group: string) => (i: number) => storage.create(keyOf(group, i), VALUE);
  const range = (group: string) => ({ start: `${RUN}/${group}/`, end: prefixEnd(`${RUN}/${group}/`) });
  const start = await storage.currentRevision();
  await inFlight(32, 2_000, create('warm'));
  await measure('create, 1 in flight', 'op', () => inFlight(1, 3_000, create('one')));
  await measure('create, 32 in flight', 'op', () => inFlight(32, KEYS, create('many')));
  await measure('get, linearizable, 1 in flight', 'op', () =>
    inFlight(1, 3_000, (i) => storage.range({ start: keyOf('many', i) })),
  );
  await measure('get, linearizable, 32 in flight', 'op', () =>
    inFlight(32, 2 * KEYS, (i) => storage.range({ start: keyOf('many', i % KEYS) })),
  );
  await measure('current revision, 32 in flight', 'op', () =>
    inFlight(32, KEYS, () => storage.currentRevision()),
  );
  await measure(`range of ${KEYS} keys of 2 KB`, 'range', () =>
    inFlight(1, 20, () => storage.range(range('many'))),
  );
  await measure('the same in pages of 500', 'range', () =>
    inFlight(1, 10, () => pages(storage, range('many'))),
  );
  await measure('watch, from the past', 'event', () => watchEvents(storage, start + 1, KEYS));
  const now = await storage.currentRevision();
  const watching = watchEvents(storage, now + 1, KEYS);
  await measure('create, watched, 32 in flight', 'op', async () => {
    await inFlight(32, KEYS, create('live'));
    return watching;
  });
}

async function pages(storage: Storage, { start, end }: { start: string; end: string }): Promise<void> {
  for (let from = start; ;) {
    const page = await storage.range({ start: from, end, limit: 500 });
    if (!page.more) return;
    from = `${page.items[page.items.length - 1]!.key}\0`;
  }
}

const given = process.argv[2];
const etcd = given === undefined ? await startEtcd() : undefined;
const opening = performance.now();
const bench = await openEtcdStorage({ endpoints: [given ?? etcd!.endpoint], clock: systemClock });
console.log(`opened in ${Math.round(performance.now() - opening)} ms, driver included`);
try {
  await run(bench);
} finally {
  await bench.close();
  await etcd?.stop();
}
