import assert from 'node:assert/strict';
import type { Revision } from '../../../src/meta/revision.ts';
import { StorageError } from '../../../src/storage/errors.ts';
import type { RangeResult } from '../../../src/storage/port.ts';
import { readPages, type PageRequest, type ReadRange } from '../../../src/store/pages.ts';
import { MemoryStorage } from '../../support/memory-storage.ts';

const PREFIX = '/registry/pods/';
const KEYS = Array.from({ length: 250 }, (_, i) => `${PREFIX}${String(i).padStart(3, '0')}`);

describe('reading a range in pages', () => {
  let storage: MemoryStorage;
  /** Where pages that were read begin. */
  let starts: string[];
  let read: ReadRange;

  before(async () => {
    storage = new MemoryStorage();
    for (const key of KEYS) await storage.create(key, Buffer.from(key));
  });
  after(() => storage.close());
  beforeEach(() => {
    starts = [];
    read = (request): Promise<RangeResult> => {
      starts.push(request.start.slice(PREFIX.length));
      return storage.range(request);
    };
  });

  async function keysOf(request: Omit<PageRequest, 'prefix'>): Promise<string[]> {
    const keys: string[] = [];
    for await (const page of readPages(read, { prefix: PREFIX, ...request })) {
      keys.push(...page.items.map(({ key }) => key));
    }
    return keys;
  }

  for (const ahead of [false, true]) {
    it(`gives every key once, as of one revision${ahead ? ', also when it reads ahead' : ''}`, async () => {
      const revision = await storage.currentRevision();
      const later = await storage.create(`${PREFIX}after`, Buffer.from('x'));
      assert.deepEqual(await keysOf({ revision, ahead }), KEYS);
      assert.deepEqual(starts, ['', '099\0']);
      await storage.delete(`${PREFIX}after`, later.revision);
    });
  }

  it('reads on only when somebody goes on, unless it is to read ahead', async () => {
    for (const [ahead, expected] of [
      [false, ['']],
      [true, ['', '099\0']],
    ] as const) {
      starts = [];
      for await (const page of readPages(read, { prefix: PREFIX, ahead })) {
        assert.equal(page.items.length, 100);
        break;
      }
      assert.deepEqual(starts, expected);
    }
  });

  it('fails where the page is asked for, and nowhere else, when one that was read ahead fails', async () => {
    const failing: ReadRange = (request) =>
      request.start === PREFIX
        ? storage.range(request)
        : Promise.reject(new StorageError('unavailable', 'gone'));
    const pages = readPages(failing, { prefix: PREFIX, ahead: true });
    const first = await pages.next();
    assert.equal(first.value?.items.length, 100);
    await new Promise((resolve) => setImmediate(resolve));
    await assert.rejects(pages.next(), (error) => error instanceof StorageError);
  });

  it('is at the revision of its first page from then on', async () => {
    const at: (Revision | undefined)[] = [];
    read = (request) => {
      at.push(request.revision);
      return storage.range(request);
    };
    await keysOf({ ahead: true });
    assert.deepEqual(at, [undefined, await storage.currentRevision()]);
  });
});
