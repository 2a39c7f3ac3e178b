import assert from 'node:assert/strict';
import { followResource } from '../../../src/store/follow.ts';
import type { ObjectStore } from '../../../src/store/object-store.ts';
import type { Following } from '../../../src/store/following.ts';
import { Gateway } from '../../contract/object-store-support.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { MemoryStorage } from '../../support/memory-storage.ts';
import { EVENTS } from '../../support/object-store.ts';

/** Resources that aren't cached: their watches end when the store's does. */
describe('following a resource', () => {
  let storage: MemoryStorage;
  let time: ManualClock;
  let gateway: Gateway;
  let following: Following;
  let told: string[];
  let wake: () => void;

  const until = async (count: number): Promise<void> => {
    while (told.length < count) await new Promise<void>((resolve) => (wake = resolve));
  };

  beforeEach(async () => {
    storage = new MemoryStorage();
    time = new ManualClock();
    told = [];
    wake = () => undefined;
    const subject = { storage, root: '/registry', close: () => storage.close() };
    gateway = await Gateway.start(subject, [EVENTS], { clock: time });
    await gateway.create(EVENTS, 'a');
    await gateway.create(EVENTS, 'b');
    const tell = (text: string): void => {
      told.push(text);
      wake();
    };
    following = followResource({ store: gateway.store, clock: time }, EVENTS, {
      set: ({ name }) => tell(`set ${name}`),
      remove: (_, name) => tell(`remove ${name}`),
    });
    await following.ready;
  });
  afterEach(() => gateway.close());

  it('tells what there is, and what becomes of it', async () => {
    assert.deepEqual(told, ['set a', 'set b']);
    await gateway.create(EVENTS, 'c');
    await until(3);
    assert.deepEqual(told.slice(2), ['set c']);
  });

  it('goes on after its watch has ended, and tells of what went meanwhile', async () => {
    storage.loseWatches();
    await gateway.store.write({
      ...{ resource: EVENTS, namespace: 'default', name: 'a' },
      attempt: () => Promise.resolve({ action: 'delete' }),
    });
    time.advance(50);
    await until(4);
    assert.deepEqual(told.slice(2), ['set b', 'remove a']);
    await gateway.create(EVENTS, 'c');
    await until(5);
    assert.equal(told.at(-1), 'set c');
  });

  it('tells nothing more once it is closed', async () => {
    following.close();
    await gateway.create(EVENTS, 'c');
    storage.loseWatches();
    time.advance(1000);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(told, ['set a', 'set b']);
  });

  it('waits no longer once the store is closed', async () => {
    const late = followResource({ store: gateway.store, clock: time }, EVENTS, {
      set: () => undefined,
      remove: () => undefined,
    });
    await storage.close();
    time.advance(1000);
    late.close();
    await late.ready;
  });

  it('asks ever more rarely for a state that can not be read', async () => {
    const clock = new ManualClock();
    const watch = (): Promise<never> =>
      Promise.reject(new Error('there is something in it that nobody can read'));
    const store: ObjectStore = Object.assign(Object.create(gateway.store) as ObjectStore, { watch });
    const late = followResource({ store, clock }, EVENTS, {
      set: () => assert.fail(),
      remove: () => assert.fail(),
    });
    const delays: (number | undefined)[] = [];
    while (delays.length < 9) {
      await new Promise((resolve) => setImmediate(resolve));
      const [delay = 0] = clock.pending;
      delays.push(delay);
      clock.advance(delay);
    }
    late.close();
    assert.deepEqual(delays, [50, 100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  });
});
