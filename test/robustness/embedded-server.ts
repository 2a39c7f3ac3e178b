/** The embedded store as a process that can be killed: `embedded-server.ts <directory> <history ms>`, with an IPC channel. */
import { systemClock } from '../../src/lib/clock.ts';
import type { Revision } from '../../src/meta/revision.ts';
import { openEmbeddedStorage } from '../../src/storage/embedded/index.ts';
import { prefixEnd } from '../../src/storage/port.ts';
import type { Answer, Request } from './embedded-victim.ts';

const PREFIX = '/registry/';
const [directory = '', history = '0'] = process.argv.slice(2);
const storage = await openEmbeddedStorage({ directory, history: Number(history), clock: systemClock });

async function answer(request: Request): Promise<unknown> {
  switch (request.do) {
    case 'write': {
      const { key, expected, value } = request.write;
      const path = PREFIX + key;
      const result =
        value === undefined
          ? await storage.delete(path, expected as Revision)
          : await storage.replace(path, expected as Revision, Buffer.from(value));
      if (!result.ok) throw new Error(`${key} isn't at ${expected}`);
      return result.revision;
    }
    case 'read': {
      const range = await storage.range({ start: PREFIX, end: prefixEnd(PREFIX) });
      return {
        revision: range.revision,
        objects: range.items.map(({ key, value, modRevision }) => [
          key.slice(PREFIX.length),
          { value: value.toString(), revision: modRevision },
        ]),
      };
    }
    case 'history':
      return historyFrom(request.from as Revision);
  }
}

/** What a watch from there tells; undefined where that has been compacted away. */
async function historyFrom(from: Revision): Promise<[number, { key: string; value?: string }][] | undefined> {
  const events: [number, { key: string; value?: string }][] = [];
  const watch = storage.watch({ prefix: PREFIX, from, previous: false });
  watch.requestProgress();
  try {
    for await (const batch of watch) {
      for (const { type, key, value, modRevision } of batch.events) {
        const name = key.slice(PREFIX.length);
        events.push([modRevision, type === 'put' ? { key: name, value: value.toString() } : { key: name }]);
      }
      if (batch.events.length === 0) return events;
    }
  } catch (error) {
    if ((error as { code?: string }).code !== 'compacted') throw error;
  }
  return undefined;
}

process.on('message', (request: Request) => {
  answer(request).then(
    (result) => process.send?.({ id: request.id, ok: true, answer: result } satisfies Answer),
    (error: unknown) =>
      process.send?.({ id: request.id, ok: false, message: String(error) } satisfies Answer),
  );
});
process.send?.('ready');
