import assert from 'node:assert/strict';
import { ApiError } from '../../../src/errors/api-error.ts';
import type { ResourceDefinition } from '../../../src/schema/model.ts';
import type { RunningObjectStore } from '../../../src/store/create.ts';
import type { WatchRequest } from '../../../src/store/object-store.ts';
import { MemoryStorage } from '../../support/memory-storage.ts';
import { EVENTS, openObjectStore, PODS, RecordingSink, thing } from '../../support/object-store.ts';

const OBJECTS = 3_500;

/** A sink that has room when the test says so. */
class SlowSink extends RecordingSink {
  #open: () => void = () => undefined;

  constructor() {
    super();
    this.close();
  }

  close(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.full = promise;
    this.#open = resolve;
  }

  open(): void {
    this.full = undefined;
    this.#open();
  }
}

/** Everything that is scheduled has run. */
async function settle(): Promise<void> {
  for (let i = 0; i < 500; i++) await new Promise((resolve) => setImmediate(resolve));
}

async function filled(
  storage: MemoryStorage,
  resource: ResourceDefinition,
  options: Parameters<typeof openObjectStore>[1] = {},
): Promise<RunningObjectStore> {
  const store = openObjectStore(storage, options);
  await store.start([resource]);
  await store.whenReady();
  const creations = Array.from({ length: OBJECTS }, (_, i) => {
    const name = `o-${String(i).padStart(4, '0')}`;
    return store.create({ resource, object: thing(resource, name, { v: 1 }) });
  });
  await Promise.all(creations);
  return store;
}

function fromState(resource: ResourceDefinition): WatchRequest {
  return {
    resource,
    namespace: '',
    start: { from: 'state', at: { at: 'latest' } },
    markInitialEvents: true,
  };
}

const write = (store: RunningObjectStore, resource: ResourceDefinition, name: string, v: number) =>
  store.write({
    resource,
    namespace: 'default',
    name,
    attempt: () => Promise.resolve({ action: 'put', object: thing(resource, name, { v }) }),
  });

for (const resource of [PODS, EVENTS]) {
  describe(`the state that a watch of ${resource.resource} begins with`, () => {
    it('is delivered as far as there is room, and stays what it was', async () => {
      const store = await filled(new MemoryStorage(), resource);
      const sink = new SlowSink();
      const subscription = await store.watch(fromState(resource), sink);
      await sink.until(() => sink.batches.length > 0);
      await settle();
      assert.ok(sink.events.length <= 1_000, `${sink.events.length} events without room`);
      await write(store, resource, 'o-3499', 2);
      await store.create({ resource, object: thing(resource, 'o-9999') });
      await settle();
      assert.equal(subscription.revision, 0, 'no bookmark could be true');
      sink.open();
      await sink.until(() => sink.kinds.length >= OBJECTS + 2);
      assert.equal(new Set(sink.kinds.slice(0, OBJECTS)).size, OBJECTS);
      assert.deepEqual(sink.kinds.slice(OBJECTS - 1), ['ADDED o-3499', 'MODIFIED o-3499', 'ADDED o-9999']);
      const end = sink.batches.findIndex(({ initialEventsEnd }) => initialEventsEnd === true);
      const upToEnd = sink.batches.slice(0, end + 1).flatMap(({ events }) => events);
      assert.equal(upToEnd.length, OBJECTS);
      subscription.close();
      store.close();
    });

    it('is read no further once the watch is closed', async () => {
      const store = await filled(new MemoryStorage(), resource);
      const sink = new SlowSink();
      const subscription = await store.watch(fromState(resource), sink);
      await sink.until(() => sink.batches.length > 0);
      subscription.close();
      sink.open();
      await settle();
      assert.ok(sink.events.length <= 1_000);
      store.close();
    });
  });
}

describe('the past that a watch begins with', () => {
  it('is read from the store as far as there is room', async () => {
    const storage = new MemoryStorage();
    const store = await filled(storage, PODS, { history: { bytes: 0, ms: 0 } });
    const sink = new SlowSink();
    const start = {
      from: 'after',
      revision: (await store.currentRevision()) - OBJECTS,
    } as WatchRequest['start'];
    const subscription = await store.watch({ ...fromState(PODS), start, markInitialEvents: false }, sink);
    await sink.until(() => sink.batches.length > 0);
    await settle();
    const before = sink.events.length;
    assert.ok(before < OBJECTS, `${before} events without room`);
    sink.open();
    await sink.until(() => sink.events.length === OBJECTS);
    subscription.close();
    store.close();
  });
});

describe('a state that is not cached', () => {
  it('must be new enough', async () => {
    const store = await filled(new MemoryStorage(), EVENTS);
    const revision = ((await store.currentRevision()) + 100) as never;
    const request = { ...fromState(EVENTS), start: { from: 'state', at: { at: 'notOlderThan', revision } } };
    await assert.rejects(
      store.watch(request as WatchRequest, new RecordingSink()),
      (error) => error instanceof ApiError && error.code === 504,
    );
    store.close();
  });
});
