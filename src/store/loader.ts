import { Pacer } from '../lib/pacer.ts';
import type { Revision } from '../meta/revision.ts';
import { ZERO_REVISION } from '../meta/revision.ts';
import { StorageError } from '../storage/errors.ts';
import type { KeyValue } from '../storage/port.ts';
import { readPages, type ReadRange } from './pages.ts';
import type { PreparedEvent, ResourceCache } from './resource-cache.ts';
import { Tree } from './tree.ts';

/** What loading a resource needs of its partition. */
export interface LoaderParts {
  readonly read: ReadRange;
  /** Set while a batch of the watch is half applied: what is shown then would not be one revision. */
  readonly busy: () => Promise<void> | undefined;
  readonly signal: AbortSignal;
}

/**
 * Reads all objects of a resource, catches up with what the watch brought meanwhile, and shows the result. The first time
 * most of them are not decoded yet: {@link ResourceCache.readAll} does that. Later they are compared with the old tree,
 * and those that it has in the same version are not decoded again. Starts anew when the watch or the revision is lost.
 *
 * @throws StorageError other than `compacted`.
 */
export async function loadResource(cache: ResourceCache, parts: LoaderParts): Promise<void> {
  while (!(await tryLoad(cache, parts)));
}

async function tryLoad(cache: ResourceCache, parts: LoaderParts): Promise<boolean> {
  const tree = new Tree();
  const { epoch } = cache;
  let shown = false;
  try {
    if (cache.loaded) await cache.readPart('', undefined, parts.signal);
    const revision = await readTree(cache, tree, parts);
    await catchUp(cache, tree, {
      parts,
      revision,
      done() {
        shown = cache.epoch === epoch;
        if (shown) cache.install(tree, revision);
      },
    });
  } catch (error) {
    if (!(error instanceof StorageError && error.code === 'compacted')) throw error;
  } finally {
    if (!shown) tree.release();
  }
  return shown;
}

async function readTree(cache: ResourceCache, tree: Tree, { read, signal }: LoaderParts): Promise<Revision> {
  const pacer = new Pacer();
  let revision = ZERO_REVISION;
  for await (const page of readPages(read, { prefix: cache.reader.keyPrefix, ahead: true })) {
    revision = page.at;
    for (const item of page.items) {
      if (pacer.due()) await pacer.rest();
      const loaded = prepareItem(cache, item);
      if (loaded !== undefined) cache.fill(tree, loaded);
    }
    signal.throwIfAborted();
  }
  return revision;
}

function prepareItem(cache: ResourceCache, item: KeyValue): PreparedEvent | undefined {
  const { reader } = cache;
  const sortKey = reader.sortKey(item.key);
  const result = cache.loaded ? readAgain(cache, sortKey, item) : reader.readLater(item);
  return result && { sortKey, revision: item.modRevision, result };
}

function readAgain(cache: ResourceCache, sortKey: string, item: KeyValue): PreparedEvent['result'] {
  const known = cache.entries.get(sortKey);
  return known?.revision === item.modRevision ? known : cache.reader.read(item);
}

/** Calls `done` in the same turn in which nothing is left to do, so that the tree is that of the watch's clock. */
async function catchUp(
  cache: ResourceCache,
  tree: Tree,
  { parts, revision, done }: { parts: LoaderParts; revision: Revision; done: () => void },
): Promise<void> {
  const pacer = new Pacer();
  for (;;) {
    for (let busy = parts.busy(); busy !== undefined; busy = parts.busy()) await busy;
    parts.signal.throwIfAborted();
    const events = cache.takePostponed();
    if (events.length === 0) {
      done();
      return;
    }
    for (const event of events) {
      if (event.modRevision <= revision) continue;
      if (pacer.due()) await pacer.rest();
      const prepared = cache.prepare(event);
      if (prepared !== undefined) cache.fill(tree, prepared);
    }
  }
}
