/**
 * Writes to an embedded store and says on standard output, with one system call each, what was acknowledged:
 * `embedded-writer.ts <directory> <writes>`. Made to be traced.
 */
import { writeSync } from 'node:fs';
import { systemClock } from '../../src/lib/clock.ts';
import type { Revision } from '../../src/meta/revision.ts';
import { openEmbeddedStorage } from '../../src/storage/embedded/index.ts';

const CLIENTS = 6;
const KEYS = 4;

/** The value of a write, so that who reads the acknowledgements knows it. */
export function valueOf(key: string, number: number): string {
  return `${key} ${number} `.repeat(1 + ((number * 37) % 300));
}

async function run(directory: string, writes: number): Promise<void> {
  const storage = await openEmbeddedStorage({ directory, history: 0, clock: systemClock });
  let begun = 0;
  const client = async (id: number) => {
    const revisions = new Map<string, Revision>();
    while (begun < writes) {
      const number = ++begun;
      const key = `/registry/${id}-${number % KEYS}`;
      const expected = revisions.get(key) ?? (0 as Revision);
      const removes = expected > 0 && number % 7 === 0;
      const result = removes
        ? await storage.delete(key, expected)
        : await storage.replace(key, expected, Buffer.from(valueOf(key, number)));
      if (!result.ok) throw new Error(`${key} isn't at ${expected}`);
      revisions.set(key, removes ? (0 as Revision) : result.revision);
      writeSync(1, `${removes ? 'delete' : 'put'} ${key} ${number} ${result.revision}\n`);
      if (number % 50 === 0) await storage.compact((result.revision - 20) as Revision);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, id) => client(id)));
  await storage.close();
}

if (import.meta.main) await run(process.argv[2] ?? '', Number(process.argv[3]));
