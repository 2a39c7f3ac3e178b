import assert from 'node:assert/strict';
import { ApiError } from '../../../src/errors/api-error.ts';
import type { Revision } from '../../../src/meta/revision.ts';
import { StorageError, type StorageErrorCode } from '../../../src/storage/errors.ts';
import type { StoredEntry, WriteIntent } from '../../../src/store/object-store.ts';
import { Gateway, refusedWith } from '../../contract/object-store-support.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { MemoryStorage } from '../../support/memory-storage.ts';
import { EVENTS, PODS, thing } from '../../support/object-store.ts';

describe('the write loop', () => {
  let storage: MemoryStorage;
  let gateway: Gateway;
  let other: Gateway;

  beforeEach(async () => {
    storage = new MemoryStorage();
    const subject = { storage, root: '/registry', close: () => storage.close() };
    gateway = await Gateway.start(subject, [PODS]);
    other = await Gateway.start(subject, []);
  });
  afterEach(() => {
    gateway.close();
    other.close();
  });

  /** A pod that the gateway's cache has in an older version than the storage. */
  async function stale(): Promise<void> {
    await other.create(PODS, 'a', { v: 1 });
    await gateway.list(PODS);
    storage.withhold();
    await other.update(PODS, 'a', { v: 2 });
  }

  /** Writes 'a', and tells which versions the attempts saw. */
  async function write(attempt: (v: unknown, current: StoredEntry | undefined) => WriteIntent): Promise<{
    seen: unknown[];
    result: PromiseSettledResult<Awaited<ReturnType<Gateway['store']['write']>>>;
  }> {
    const seen: unknown[] = [];
    const [result] = await Promise.allSettled([
      gateway.store.write({
        resource: PODS,
        namespace: 'default',
        name: 'a',
        attempt(current) {
          const v = current?.object()['v'];
          seen.push(v);
          return Promise.resolve().then(() => attempt(v, current));
        },
      }),
    ]);
    return { seen, result };
  }

  function put(current: StoredEntry | undefined, v: number): WriteIntent {
    return { action: 'put', object: { ...(current?.object() ?? thing(PODS, 'a')), v } };
  }

  it('starts from the cache, and needs no read when that was right', async () => {
    await gateway.create(PODS, 'a', { v: 1 });
    await gateway.list(PODS);
    const before = { ...storage.requests };
    const { seen, result } = await write((_, current) => put(current, 2));
    assert.deepEqual([seen, result.status], [[1], 'fulfilled']);
    assert.equal(storage.requests['range'], before['range']);
    assert.equal(storage.requests['replace'], (before['replace'] ?? 0) + 1);
  });

  it('creates what the cache does not have without a read before', async () => {
    await gateway.list(PODS);
    const before = { ...storage.requests };
    const { seen, result } = await write((_, current) => put(current, 1));
    assert.deepEqual([seen, result.status], [[undefined], 'fulfilled']);
    assert.equal(storage.requests['range'], before['range']);
    assert.equal(storage.requests['create'], (before['create'] ?? 0) + 1);
  });

  it('runs again on what the cache does not have yet', async () => {
    await gateway.list(PODS);
    storage.withhold();
    await other.create(PODS, 'a', { v: 1 });
    const { seen, result } = await write((_, current) => put(current, 2));
    assert.deepEqual([seen, result.status], [[undefined, 1], 'fulfilled']);
    const refusal = new ApiError('Conflict', 'not this one');
    const refused = await write((v) => {
      if (v === undefined) throw refusal;
      return { action: 'keep' };
    });
    assert.equal(refused.result.status, 'fulfilled');
  });

  it('runs again on what is there when the cache was behind', async () => {
    await stale();
    const { seen, result } = await write((_, current) => put(current, 3));
    assert.deepEqual([seen, result.status], [[1, 2], 'fulfilled']);
    storage.release();
    assert.equal((await gateway.get(PODS, 'a')).object()['v'], 3);
  });

  for (const [what, attempt] of [
    [
      'a refusal',
      () => {
        throw new ApiError('Conflict', 'no');
      },
    ],
    ['a no-op', (v) => (v === 1 ? { action: 'keep' } : put(undefined, 9))],
    ['an unchanged object', (v, current) => put(current, v === 1 ? 1 : 9)],
  ] as const satisfies readonly (readonly [
    string,
    (v: unknown, current: StoredEntry | undefined) => WriteIntent,
  ])[]) {
    it(`does not believe ${what} that came from the cache`, async () => {
      await stale();
      const { seen } = await write(attempt);
      assert.deepEqual(seen, [1, 2]);
      storage.release();
    });
  }

  it('believes a refusal once the storage has the same version', async () => {
    await gateway.create(PODS, 'a', { v: 1 });
    await gateway.list(PODS);
    const refusal = new ApiError('Invalid', 'no');
    const { seen, result } = await write(() => {
      throw refusal;
    });
    assert.deepEqual(seen, [1]);
    assert.ok(result.status === 'rejected' && result.reason === refusal);
  });

  it('sees what was deleted behind the cache, and what was created anew', async () => {
    await other.create(PODS, 'a', { v: 1 });
    await gateway.list(PODS);
    storage.withhold();
    await other.remove(PODS, 'a');
    const gone = await write((v, current) => (v === 1 ? put(current, 2) : { action: 'keep' }));
    assert.deepEqual(gone.seen, [1, undefined]);
    await other.create(PODS, 'a', { v: 5 });
    const deleted = await write(() => ({ action: 'delete' }));
    assert.deepEqual(deleted.seen, [1, 5]);
    storage.release();
    await refusedWith('NotFound', gateway.get(PODS, 'a'));
  });

  it('needs no more than two rounds for each of many at once, on the whole', async () => {
    await gateway.create(PODS, 'a', { v: 0 });
    await gateway.list(PODS);
    const many = 50;
    let attempts = 0;
    const increment = (): Promise<unknown> =>
      gateway.store.write({
        resource: PODS,
        namespace: 'default',
        name: 'a',
        attempt(current) {
          attempts++;
          return Promise.resolve(put(current, Number(current?.object()['v']) + 1));
        },
      });
    await Promise.all(Array.from({ length: many }, increment));
    assert.equal((await gateway.get(PODS, 'a')).object()['v'], many);
    assert.ok(attempts < 2 * many, String(attempts));
  });

  it('goes on when an attempt writes the same object', async () => {
    await gateway.create(PODS, 'a', { v: 0 });
    await gateway.list(PODS);
    let attempts = 0;
    const writeA = (attempt: (current: StoredEntry | undefined) => Promise<WriteIntent>): Promise<unknown> =>
      gateway.store.write({ resource: PODS, namespace: 'default', name: 'a', attempt });
    await writeA(async (current) => {
      if (++attempts < 4) await writeA((inner) => Promise.resolve(put(inner, attempts)));
      return put(current, 100);
    });
    assert.equal(attempts, 4);
    assert.equal((await gateway.get(PODS, 'a')).object()['v'], 100);
  });

  it('ends when its request does', async () => {
    await gateway.create(PODS, 'a', { v: 0 });
    const abort = new AbortController();
    let attempts = 0;
    const write = gateway.store.write({
      resource: PODS,
      namespace: 'default',
      name: 'a',
      signal: abort.signal,
      async attempt(current) {
        if (++attempts === 5) abort.abort();
        // Somebody else is always faster.
        await other.update(PODS, 'a', { v: attempts });
        return { action: 'put', object: { ...current!.object(), mine: true } };
      },
    });
    assert.equal((await refusedWith('Timeout', write)).code, 504);
    assert.equal(attempts, 5);
  });

  it('leaves nothing behind that waits for the watch', async () => {
    for (let i = 0; i < 50; i++) await gateway.create(PODS, `p${i}`);
    await Promise.allSettled(Array.from({ length: 20 }, () => gateway.create(PODS, 'p0')));
    await Promise.all(Array.from({ length: 20 }, (_, i) => gateway.update(PODS, 'p1', { v: i })));
    await gateway.remove(PODS, 'p2');
    await gateway.list(PODS);
    assert.equal(gateway.store.memory().claims, 0);
  });
});

describe('a write that fails in the storage', () => {
  let storage: MemoryStorage;
  let gateway: Gateway;

  beforeEach(async () => {
    storage = new MemoryStorage();
    gateway = await Gateway.start({ storage, root: '/registry', close: () => storage.close() }, [PODS]);
  });
  afterEach(() => gateway.close());

  const CASES: readonly [StorageErrorCode, number, string][] = [
    ['ambiguous', 504, 'Timeout'],
    ['deadline', 504, 'Timeout'],
    ['unavailable', 503, 'ServiceUnavailable'],
    ['closed', 503, 'ServiceUnavailable'],
    ['noSpace', 507, 'InternalError'],
    ['tooLarge', 413, 'RequestEntityTooLarge'],
    ['corrupt', 500, 'StorageReadError'],
    ['unauthenticated', 500, 'InternalError'],
    ['invalid', 500, 'InternalError'],
  ];
  for (const [code, status, reason] of CASES) {
    it(`as ${code} is answered with ${status} ${reason}`, async () => {
      await gateway.create(PODS, 'old');
      storage.interceptor = (method) =>
        ['create', 'replace', 'delete'].includes(method)
          ? Promise.reject(new StorageError(code, 'inside'))
          : undefined;
      for (const write of [
        () => gateway.create(PODS, 'new'),
        () => gateway.update(PODS, 'old', { v: 1 }),
        () => gateway.remove(PODS, 'old'),
      ]) {
        const error = await write().then(
          () => assert.fail('it was written'),
          (thrown: unknown) => thrown,
        );
        assert.ok(error instanceof ApiError);
        assert.deepEqual([error.code, error.reason], [status, reason]);
        assert.ok(error.cause instanceof StorageError && error.cause.code === code, 'the cause is kept');
      }
      assert.equal(gateway.store.memory().claims, 0);
    });
  }

  it('though it was made, is never taken for somebody else’s', async () => {
    let lose = true;
    storage.interceptor = (method, key) => {
      if (method !== 'create' || !lose) return undefined;
      lose = false;
      // The write is made, its answer lost.
      return storage
        .create(key, Buffer.from('{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}'))
        .then(() => {
          throw new StorageError('ambiguous', 'no answer');
        });
    };
    const error = await refusedWith('Timeout', gateway.create(PODS, 'a'));
    assert.match(error.message, /may or may not/);
    assert.equal((await gateway.get(PODS, 'a')).name, 'a');
  });
});

describe('objects that expire', () => {
  let storage: MemoryStorage;
  let time: ManualClock;
  let gateway: Gateway;

  beforeEach(async () => {
    time = new ManualClock();
    storage = new MemoryStorage({ clock: time });
    const subject = { storage, root: '/registry', close: () => storage.close() };
    gateway = await Gateway.start(subject, [EVENTS], { clock: time });
  });
  afterEach(() => gateway.close());

  async function leaseOf(name: string): Promise<string | undefined> {
    return (await storage.range({ start: `/registry/events/default/${name}` })).items[0]?.lease;
  }

  it('share a lease for a minute, and go with it', async () => {
    const { sink } = await gateway.watch(EVENTS);
    await gateway.create(EVENTS, 'a', { ttl: 3600 });
    time.advance(59_000);
    await gateway.create(EVENTS, 'b', { ttl: 3600 });
    time.advance(2000);
    await gateway.create(EVENTS, 'c', { ttl: 3600 });
    assert.equal(await leaseOf('a'), await leaseOf('b'));
    assert.notEqual(await leaseOf('a'), await leaseOf('c'));
    await sink.until(() => sink.events.length === 3);
    time.advance(3600_000);
    await sink.until(() => sink.events.length === 5);
    assert.deepEqual(sink.kinds.slice(3), ['DELETED a', 'DELETED b']);
    // None went before its time.
    time.advance(60_000);
    await sink.until(() => sink.events.length === 6);
  });

  it('of a short life share it for a part of that', async () => {
    await gateway.create(EVENTS, 'a', { ttl: 100 });
    time.advance(4000);
    await gateway.create(EVENTS, 'b', { ttl: 100 });
    time.advance(2000);
    await gateway.create(EVENTS, 'c', { ttl: 100 });
    assert.equal(await leaseOf('a'), await leaseOf('b'));
    assert.notEqual(await leaseOf('a'), await leaseOf('c'));
  });

  it('are at most a thousand to a lease', async () => {
    await Promise.all(Array.from({ length: 1001 }, (_, i) => gateway.create(EVENTS, `e${i}`, { ttl: 3600 })));
    const leases = new Set(await Promise.all(Array.from({ length: 1001 }, (_, i) => leaseOf(`e${i}`))));
    assert.equal(leases.size, 2);
  });

  it('get another lease when theirs has ended', async () => {
    await gateway.create(EVENTS, 'a', { ttl: 3600 });
    await storage.revokeLease((await leaseOf('a')) as Parameters<typeof storage.revokeLease>[0]);
    await gateway.create(EVENTS, 'b', { ttl: 3600 });
    assert.notEqual(await leaseOf('b'), undefined);
  });

  it('can not be created when there is no lease to have', async () => {
    storage.interceptor = (method) =>
      method === 'grantLease' ? Promise.reject(new StorageError('unavailable', 'away')) : undefined;
    await refusedWith('ServiceUnavailable', gateway.create(EVENTS, 'a', { ttl: 3600 }));
    storage.interceptor = undefined;
    await gateway.create(EVENTS, 'a', { ttl: 3600 });
  });

  it('live on when they are written without a lifetime', async () => {
    await gateway.create(EVENTS, 'a', { ttl: 3600 });
    await gateway.update(EVENTS, 'a', { v: 1 });
    time.advance(4000_000);
    assert.ok((await gateway.get(EVENTS, 'a')).revision > (0 as Revision));
  });
});
