/**
 * Fills a small disk with an embedded store, and goes on when there is space again: `embedded-disk-filler.ts <directory>
 * <ballast>`, where removing the file `ballast` makes space. Prints what happened as JSON.
 */
import { rmSync } from 'node:fs';
import { systemClock } from '../../src/lib/clock.ts';
import { StorageError } from '../../src/storage/errors.ts';
import { openEmbeddedStorage } from '../../src/storage/embedded/index.ts';

const [directory = '', ballast = ''] = process.argv.slice(2);
const value = Buffer.alloc(10_000, 'v');
const everything = { start: '/k', end: '/l', countOnly: true };
let storage = await openEmbeddedStorage({ directory, history: 0, clock: systemClock });
let acknowledged = 0;

/** @returns the code of the first failure among eight clients that write until there is one. */
async function fill(): Promise<string> {
  const codes = new Set<string>();
  const client = async (id: number) => {
    for (let i = 0; codes.size === 0; i++) {
      try {
        await storage.create(`/k${id}-${acknowledged}-${i}`, value);
        acknowledged++;
      } catch (error) {
        codes.add(error instanceof StorageError ? error.code : String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, id) => client(id)));
  return [...codes].join();
}

const full = await fill();
const stillFull = await fill();
const { count, revision } = await storage.range(everything);
const status = await storage.status();
await storage.close();
storage = await openEmbeddedStorage({ directory, history: 0, clock: systemClock });
const reopened = await storage.range(everything);
const fullAgain = await fill();
rmSync(ballast);
const before = acknowledged;
const next = await storage.create('/after', value);
for (let i = 0; i < 50; i++) await storage.create(`/after-${i}`, value);
const after = await storage.range(everything);
await storage.close();
console.log(
  JSON.stringify({
    codes: [full, stillFull, fullAgain],
    acknowledged: before,
    counts: [count, reopened.count, after.count],
    revisions: [revision, status.revision, reopened.revision, next.revision],
  }),
);
