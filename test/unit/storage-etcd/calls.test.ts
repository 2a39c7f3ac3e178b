import assert from 'node:assert/strict';
import { status } from '@grpc/grpc-js';
import { systemClock } from '../../../src/lib/clock.ts';
import type { Revision } from '../../../src/meta/revision.ts';
import { openEtcdStorage } from '../../../src/storage/etcd/index.ts';
import type { EtcdOptions } from '../../../src/storage/etcd/index.ts';
import type { Storage } from '../../../src/storage/port.ts';
import { refusedWith } from '../../contract/storage-support.ts';
import { freePort } from '../../support/free-ports.ts';
import { FakeEtcd, GrpcFailure } from '../../support/fake-etcd.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';

const VALUE = Buffer.from('1');

/** Calls to etcds that fail in every way: what is sent again, what isn't, and what the caller is told. */
describe('etcd calls', () => {
  describe('through grpc-js, as they begin', () => callsTo(() => Promise.resolve()));
  describe('on a connection for unary calls alone, once it is up', () => callsTo(untilQuick));
});

/** Waits until calls come without what grpc-js says of itself, and forgets how. */
async function untilQuick(storage: Storage, fakes: readonly FakeEtcd[]): Promise<void> {
  let quick = false;
  const handlers = fakes.map((fake) => fake.handlers.get('Range')!);
  for (const fake of fakes) {
    fake.handlers.set('Range', (_request, metadata) => {
      quick = metadata.get('user-agent').length === 0;
      return { header: { revision: '10' } };
    });
  }
  while (!quick) await storage.currentRevision();
  for (const [i, fake] of fakes.entries()) {
    fake.handlers.set('Range', handlers[i]!);
    fake.calls.splice(0, Infinity, ...fake.calls.filter((name) => name !== 'Range'));
  }
}

function callsTo(opened: typeof untilQuick): void {
  const cleanups: (() => unknown)[] = [];
  const fakes: FakeEtcd[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
    fakes.splice(0);
  });

  const fakeEtcd = async () => {
    const fake = await FakeEtcd.start();
    fakes.push(fake);
    cleanups.push(() => fake.stop());
    fake.handlers.set('Txn', () => ({ header: { revision: '11' }, succeeded: true }));
    return fake;
  };
  const proxyTo = async (fake: FakeEtcd) => {
    const proxy = await TcpProxy.start(fake.endpoint);
    cleanups.push(() => proxy.stop());
    return proxy;
  };
  const open = async (endpoints: readonly string[], options: Partial<EtcdOptions> = {}): Promise<Storage> => {
    const storage = await openEtcdStorage({ endpoints, clock: systemClock, ...options });
    cleanups.push(() => storage.close());
    await opened(storage, fakes);
    return storage;
  };
  /** A port where nobody listens. */
  const deadEndpoint = async () => `http://127.0.0.1:${await freePort()}`;

  it('a write whose connection breaks before the answer is ambiguous, and is not sent again', async () => {
    const [first, second] = [await fakeEtcd(), await fakeEtcd()];
    const proxy = await proxyTo(first);
    const storage = await open([proxy.endpoint, second.endpoint]);
    first.handlers.set('Txn', () => {
      proxy.cut();
      return new Promise(() => undefined);
    });
    await refusedWith('ambiguous', storage.create('/a', VALUE));
    assert.deepEqual([first.count('Txn'), second.count('Txn')], [1, 0]);
  });

  const afterwards: [status, string][] = [
    [status.UNAVAILABLE, 'etcdserver: leader changed'],
    [status.UNAVAILABLE, 'etcdserver: request timed out'],
    [status.UNKNOWN, 'context canceled'],
    [status.INTERNAL, 'something'],
  ];
  for (const [code, details] of afterwards) {
    it(`a write answered "${details}" is ambiguous, and is not sent again`, async () => {
      const [first, second] = [await fakeEtcd(), await fakeEtcd()];
      const storage = await open([first.endpoint, second.endpoint]);
      first.handlers.set('Txn', () => {
        throw new GrpcFailure(code, details);
      });
      await refusedWith('ambiguous', storage.delete('/a', 5 as Revision));
      assert.deepEqual([first.count('Txn'), second.count('Txn')], [1, 0]);
    });
  }

  it('a write that runs into its deadline is ambiguous', async () => {
    const fake = await fakeEtcd();
    fake.handlers.set('Txn', () => new Promise(() => undefined));
    const storage = await open([fake.endpoint], { deadlines: { write: 30 } });
    await refusedWith('ambiguous', storage.create('/a', VALUE));
    assert.equal(fake.count('Txn'), 1);
  });

  it('a write that a member without a leader refuses goes to another one', async () => {
    const [first, second] = [await fakeEtcd(), await fakeEtcd()];
    first.handlers.set('Txn', (_request, metadata) => {
      assert.deepEqual(metadata.get('hasleader'), ['true']);
      throw new GrpcFailure(status.UNAVAILABLE, 'etcdserver: no leader');
    });
    const storage = await open([first.endpoint, second.endpoint]);
    for (let i = 0; i < 3; i++) {
      const result = await storage.create('/a', VALUE);
      assert.ok(result.ok);
    }
    assert.deepEqual([first.count('Txn'), second.count('Txn')], [1, 3]);
  });

  it('a write that every member refuses is unavailable, after an attempt or two each', async () => {
    const fakes = [await fakeEtcd(), await fakeEtcd()];
    for (const fake of fakes) {
      fake.handlers.set('Txn', () => {
        throw new GrpcFailure(status.UNAVAILABLE, 'etcdserver: no leader');
      });
    }
    const storage = await open(fakes.map((fake) => fake.endpoint));
    await refusedWith('unavailable', storage.create('/a', VALUE));
    for (const fake of fakes) assert.ok(fake.count('Txn') >= 1 && fake.count('Txn') <= 2);
  });

  it('a read whose connection breaks is asked of another member', async () => {
    const [first, second] = [await fakeEtcd(), await fakeEtcd()];
    const proxy = await proxyTo(first);
    const storage = await open([proxy.endpoint, second.endpoint]);
    first.handlers.set('Range', () => {
      proxy.cut();
      return new Promise(() => undefined);
    });
    assert.equal((await storage.range({ start: '/a' })).revision, 10);
    assert.deepEqual([first.count('Range'), second.count('Range')], [1, 1]);
  });

  it('a read whose connection breaks is asked again where there is only one member', async () => {
    const fake = await fakeEtcd();
    const proxy = await proxyTo(fake);
    const storage = await open([proxy.endpoint]);
    fake.handlers.set('Range', () => {
      if (fake.count('Range') > 1) return { header: { revision: '12' } };
      proxy.cut();
      return new Promise(() => undefined);
    });
    assert.equal(await storage.currentRevision(), 12);
    assert.equal(fake.count('Range'), 2);
  });

  it('a read that never works is unavailable, after a few attempts', async () => {
    const fake = await fakeEtcd();
    fake.handlers.set('Range', () => {
      throw new GrpcFailure(status.UNAVAILABLE, 'etcdserver: leader changed');
    });
    const storage = await open([fake.endpoint]);
    const error = await refusedWith('unavailable', storage.range({ start: '/a' }));
    assert.match(error.message, /leader changed/);
    assert.equal(fake.count('Range'), 3);
  });

  it('a dead first endpoint is passed over at once', async () => {
    const fake = await fakeEtcd();
    const storage = await open([await deadEndpoint(), fake.endpoint], { deadlines: { connect: 60_000 } });
    assert.ok((await storage.create('/a', VALUE)).ok);
    assert.equal(await storage.currentRevision(), 10);
  });

  it('a first endpoint that takes connections and never answers is passed over in a moment', async () => {
    const fake = await fakeEtcd();
    const silent = await proxyTo(fake);
    silent.freeze();
    const storage = await open([silent.endpoint, fake.endpoint], { deadlines: { connect: 60_000 } });
    assert.ok((await storage.create('/a', VALUE)).ok);
    assert.equal(fake.count('Txn'), 1);
  });

  it('without any endpoint opening fails as unavailable, with the reason and the addresses', async () => {
    const endpoints = [await deadEndpoint(), await deadEndpoint()];
    const opening = openEtcdStorage({ endpoints, clock: systemClock, deadlines: { connect: 200 } });
    const error = await refusedWith('unavailable', opening);
    assert.match(error.message, /ECONNREFUSED/);
    for (const endpoint of endpoints) assert.ok(error.message.includes(endpoint), error.message);
  });

  for (const [when, asked] of [
    ['while a call waits', true],
    ['when a call is made', false],
  ] as const) {
    it(`a half-open connection is found out ${when}, and calls go to a new one`, async () => {
      const fake = await fakeEtcd();
      const proxy = await proxyTo(fake);
      const deadlines = { keepaliveAfter: 50, keepaliveTimeout: 50, read: 10_000 };
      const storage = await open([proxy.endpoint], { deadlines });
      const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
      if (asked)
        fake.handlers.set('Range', () => {
          if (fake.count('Range') > 1) return { header: { revision: '10' } };
          // Longer than without a call there would be a sign of life.
          systemClock.after(200, arrive);
          return new Promise(() => undefined);
        });
      else arrive();
      const early = asked ? storage.range({ start: '/a' }) : undefined;
      await arrived;
      proxy.freeze();
      const reading = early ?? storage.range({ start: '/a' });
      proxy.thaw();
      assert.equal((await reading).revision, 10);
      assert.ok(proxy.connections >= 2);
    });
  }

  it('answers beyond 4 MB and requests beyond it pass', async () => {
    const fake = await fakeEtcd();
    const value = Buffer.alloc(6 * 1024 * 1024, 'x');
    fake.handlers.set('Range', () => ({
      header: { revision: '10' },
      kvs: [{ key: Buffer.from('/a'), value, create_revision: '1', mod_revision: '2' }],
      count: '1',
    }));
    const storage = await open([fake.endpoint], { maxRequestBytes: 8 * 1024 * 1024 });
    const { items } = await storage.range({ start: '/a' });
    assert.ok(items[0]?.value.equals(value));
    assert.ok((await storage.create('/a', value)).ok);
  });

  it('an answer that is no message is corrupt, and the process stays up', async () => {
    const fake = await fakeEtcd();
    fake.handlers.set('Range', () => ({ header: { revision: String(2n ** 60n) } }));
    const storage = await open([fake.endpoint]);
    await refusedWith('corrupt', storage.range({ start: '/a' }));
    fake.handlers.set('Range', () => ({ header: { revision: '3' } }));
    assert.equal(await storage.currentRevision(), 3);
  });

  it('an abort ends a read as aborted, and leaves a write ambiguous', async () => {
    const fake = await fakeEtcd();
    const storage = await open([fake.endpoint]);
    for (const [method, code, call] of [
      ['Range', 'aborted', (signal: AbortSignal) => storage.range({ start: '/a', signal })],
      ['Txn', 'ambiguous', (signal: AbortSignal) => storage.create('/a', VALUE, { signal })],
    ] as const) {
      const controller = new AbortController();
      fake.handlers.set(method, () => {
        controller.abort();
        return new Promise(() => undefined);
      });
      await refusedWith(code, call(controller.signal));
      assert.equal(fake.count(method), 1);
    }
  });

  it('closing lets writes under way be answered', async () => {
    const fake = await fakeEtcd();
    const storage = await open([fake.endpoint]);
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const { promise: answer, resolve: release } = Promise.withResolvers<object>();
    fake.handlers.set('Txn', () => {
      arrive();
      return answer as Promise<Record<string, unknown>>;
    });
    const writing = storage.create('/a', VALUE);
    await arrived;
    const closing = storage.close();
    await refusedWith('closed', storage.create('/b', VALUE));
    release({ header: { revision: '11' }, succeeded: true });
    assert.deepEqual(await writing, { ok: true, revision: 11 });
    await closing;
  });

  it('a lease that is no int64 is invalid, and one that ended is not found', async () => {
    const fake = await fakeEtcd();
    const storage = await open([fake.endpoint]);
    await refusedWith('invalid', storage.create('/a', VALUE, { lease: 'x' as never }));
    await refusedWith('invalid', storage.grantLease(0));
    fake.handlers.set('Txn', () => {
      throw new GrpcFailure(status.NOT_FOUND, 'etcdserver: requested lease not found');
    });
    await refusedWith('leaseNotFound', storage.create('/a', VALUE, { lease: '7' as never }));
  });

  describe('with a user', () => {
    const user = { username: 'root', password: 'secret' };

    it('every call carries a token, which is fetched once', async () => {
      const fake = await fakeEtcd();
      fake.handlers.set('Authenticate', ({ name, password }) => {
        assert.deepEqual([name, password], ['root', 'secret']);
        return { token: 'token-1' };
      });
      fake.handlers.set('Range', (_request, metadata) => {
        assert.deepEqual(metadata.get('token'), ['token-1']);
        return { header: { revision: '10' } };
      });
      const storage = await open([fake.endpoint], user);
      await Promise.all([storage.currentRevision(), storage.range({ start: '/a' })]);
      assert.equal(fake.count('Authenticate'), 1);
    });

    it('a refused token is replaced once, and the call sent again, also a write', async () => {
      const fake = await fakeEtcd();
      fake.handlers.set('Authenticate', () => ({ token: `token-${fake.count('Authenticate')}` }));
      fake.handlers.set('Txn', (_request, metadata) => {
        if (metadata.get('token')[0] === 'token-1') {
          throw new GrpcFailure(status.UNAUTHENTICATED, 'etcdserver: invalid auth token');
        }
        return { header: { revision: '11' }, succeeded: true };
      });
      const storage = await open([fake.endpoint], user);
      const results = await Promise.all([storage.create('/a', VALUE), storage.create('/b', VALUE)]);
      assert.ok(results.every((result) => result.ok));
      assert.equal(fake.count('Authenticate'), 2);
    });

    it('a token is replaced also after a server has been away for as many attempts as there are', async () => {
      const fake = await fakeEtcd();
      fake.handlers.set('Authenticate', () => ({ token: `token-${fake.count('Authenticate')}` }));
      const storage = await open([fake.endpoint], user);
      await storage.currentRevision();
      let away = 2;
      fake.handlers.set('Range', (_request, metadata) => {
        if (away-- > 0) throw new GrpcFailure(status.UNAVAILABLE, 'etcdserver: not ready');
        if (metadata.get('token')[0] === 'token-1')
          throw new GrpcFailure(status.UNAUTHENTICATED, 'etcdserver: invalid auth token');
        return { header: { revision: '10' } };
      });
      assert.equal(await storage.currentRevision(), 10);
    });

    it('a token that is refused for ever ends as unauthenticated', async () => {
      const fake = await fakeEtcd();
      fake.handlers.set('Authenticate', () => ({ token: 'token' }));
      fake.handlers.set('Range', () => {
        throw new GrpcFailure(status.UNAUTHENTICATED, 'etcdserver: invalid auth token');
      });
      const storage = await open([fake.endpoint], user);
      await refusedWith('unauthenticated', storage.currentRevision());
      assert.ok(fake.count('Range') <= 3);
    });

    it('a wrong password fails as unauthenticated', async () => {
      const fake = await fakeEtcd();
      fake.handlers.set('Authenticate', () => {
        const text = 'etcdserver: authentication failed, invalid user ID or password';
        throw new GrpcFailure(status.INVALID_ARGUMENT, text);
      });
      const opening = openEtcdStorage({ endpoints: [fake.endpoint], clock: systemClock, ...user });
      const error = await refusedWith('unauthenticated', opening);
      assert.doesNotMatch(error.message, /secret/);
    });

    it('a cluster without users is used without a token', async () => {
      const fake = await fakeEtcd();
      fake.handlers.set('Authenticate', () => {
        throw new GrpcFailure(status.FAILED_PRECONDITION, 'etcdserver: authentication is not enabled');
      });
      fake.handlers.set('Range', (_request, metadata) => {
        assert.deepEqual(metadata.get('token'), []);
        return { header: { revision: '10' } };
      });
      const storage = await open([fake.endpoint], user);
      assert.equal(await storage.currentRevision(), 10);
    });
  });
}
