import assert from 'node:assert/strict';
import type { EntryFilter } from '../../../src/store/object-store.ts';
import { after, fielded, Gateway, labelled } from '../../contract/object-store-support.ts';
import { MemoryStorage } from '../../support/memory-storage.ts';
import { PODS, thing, type RecordingSink } from '../../support/object-store.ts';

/** A filter that counts how often it is asked. */
function counted(filter: EntryFilter): EntryFilter & { asked: number } {
  const own = {
    ...filter,
    asked: 0,
    matches(entry: Parameters<EntryFilter['matches']>[0]) {
      own.asked++;
      return filter.matches(entry);
    },
  };
  return own;
}

describe('live watches', () => {
  let storage: MemoryStorage;
  let gateway: Gateway;

  beforeEach(async () => {
    storage = new MemoryStorage();
    gateway = await Gateway.start({ storage, root: '/registry', close: () => storage.close() }, [PODS]);
  });
  afterEach(() => gateway.close());

  async function live(...requests: Parameters<Gateway['watch']>[1][]): Promise<RecordingSink[]> {
    const watches = await Promise.all(
      requests.map((request) => gateway.watch(PODS, { start: after(storage.revision), ...request })),
    );
    for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
    return watches.map(({ sink }) => sink);
  }

  /** Writes pods at one revision. */
  async function together(
    ...pods: { name: string; namespace: string; x?: string; node?: string }[]
  ): Promise<void> {
    await storage.transact({
      conditions: [],
      operations: pods.map(({ name, namespace, x = '', node = '' }) => ({
        op: 'put',
        key: `/registry/pods/${namespace}/${name}`,
        value: Buffer.from(
          JSON.stringify(thing(PODS, name, { namespace, labels: { x }, spec: { nodeName: node } })),
        ),
      })),
    });
    await gateway.list(PODS);
  }

  it('that see the same events get the same arrays and events', async () => {
    const one = { namespace: 'one' };
    const all = await live({}, {}, one, one, { filter: labelled('x', '1') }, { filter: labelled('x', '1') });
    await together({ name: 'a', namespace: 'one', x: '1' });
    const [first, ...others] = all.map(({ batches }) => batches[0]!.events);
    for (const events of others) assert.equal(events, first);
  });

  it('share also when several objects change at once', async () => {
    const all = await live(
      {},
      {},
      { namespace: 'one' },
      { namespace: 'one' },
      { filter: labelled('x', '1') },
    );
    await together({ name: 'a', namespace: 'one', x: '1' }, { name: 'b', namespace: 'two', x: '1' });
    const [everything, same, inOne, alsoInOne, chosen] = all.map(({ batches }) => batches[0]!.events);
    assert.equal(everything!.length, 2);
    assert.equal(same, everything);
    assert.equal(chosen, everything, 'a filter that lets everything through');
    assert.equal(inOne!.length, 1);
    assert.equal(alsoInOne, inOne);
    assert.equal(inOne![0], everything![0], 'the same event object');
  });

  it('of other namespaces, names and nodes are not asked', async () => {
    const other = {
      node: counted(fielded('spec.nodeName', 'n2')),
      name: counted({ matches: ({ name }) => name === 'b', name: 'b' }),
      namespace: counted({ matches: ({ namespace }) => namespace === 'two', namespace: 'two' }),
    };
    const own = {
      node: counted(fielded('spec.nodeName', 'n1')),
      name: counted({ matches: ({ name }) => name === 'a', name: 'a' }),
      namespace: counted({ matches: ({ namespace }) => namespace === 'one', namespace: 'one' }),
    };
    const filters = [...Object.values(other), ...Object.values(own)];
    const sinks = await live(...filters.map((filter) => ({ filter })));
    await together({ name: 'a', namespace: 'one', node: 'n1' });
    assert.deepEqual(
      sinks.map(({ events }) => events.length),
      [0, 0, 0, 1, 1, 1],
    );
    for (const filter of Object.values(other)) assert.equal(filter.asked, 0);
    for (const filter of Object.values(own)) assert.equal(filter.asked, 1);
  });

  it('of a node are asked when an object leaves it', async () => {
    const [n1, n2] = await live(
      { filter: fielded('spec.nodeName', 'n1') },
      { filter: fielded('spec.nodeName', 'n2') },
    );
    await together({ name: 'a', namespace: 'one', node: 'n1' });
    await together({ name: 'a', namespace: 'one', node: 'n2' });
    await together({ name: 'a', namespace: 'one' });
    assert.deepEqual(n1!.kinds, ['ADDED a', 'DELETED a']);
    assert.deepEqual(n2!.kinds, ['ADDED a', 'DELETED a']);
  });

  it('are told whole revisions, with the revision up to which that is all', async () => {
    const [sink] = await live({ namespace: 'one' });
    storage.withhold();
    const names = ['a', 'b', 'c'];
    const writes = names.map((name) => gateway.create(PODS, name, { namespace: 'one' }));
    await Promise.all([...writes, gateway.create(PODS, 'd', { namespace: 'two' })]);
    storage.release(true);
    await sink!.until(() => sink!.batches.length > 0);
    assert.equal(sink!.batches.length, 1);
    assert.deepEqual([sink!.kinds.length, sink!.batches[0]!.revision], [3, storage.revision]);
  });

  it('may close themselves and others while they are told', async () => {
    const [first, second] = [await gateway.watch(PODS), await gateway.watch(PODS)];
    await together({ name: 'a', namespace: 'one' });
    await second.sink.until(() => second.sink.events.length === 1);
    first.sink.deliver = () => {
      first.subscription.close();
      second.subscription.close();
    };
    await together({ name: 'b', namespace: 'one' });
    assert.equal(second.sink.events.length, 1);
    const [statistics] = gateway.store.statistics();
    assert.equal(statistics!.watchers, 0);
  });

  it('leave nothing behind when they end', async () => {
    const watches = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        gateway.watch(PODS, { filter: fielded('spec.nodeName', `n${i}`), start: after(storage.revision) }),
      ),
    );
    await new Promise((resolve) => setImmediate(resolve));
    for (const { subscription } of watches) subscription.close();
    const [statistics] = gateway.store.statistics();
    assert.equal(statistics!.watchers, 0);
  });

  it('a large initial state comes in slices, and nothing is lost between them', async () => {
    for (let i = 0; i < 2500; i++) await gateway.create(PODS, `p${String(i).padStart(5, '0')}`);
    const { sink, subscription } = await gateway.watch(PODS, { markInitialEvents: true });
    await sink.until(() => sink.batches.length === 1);
    assert.equal(subscription.revision, 0, 'a bookmark could not say anything yet');
    assert.equal(sink.batches[0]!.revision, 0);
    await gateway.create(PODS, 'q');
    await gateway.remove(PODS, 'p00000');
    await sink.until(() => sink.kinds.includes('DELETED p00000'));
    assert.equal(new Set(sink.kinds).size, 2502);
    assert.equal(sink.batches.filter(({ initialEventsEnd }) => initialEventsEnd === true).length, 1);
    assert.deepEqual(sink.kinds.slice(-2), ['ADDED q', 'DELETED p00000']);
  });

  it('a watch that starts far back in the history gets it in pieces', async () => {
    const { revision } = await gateway.create(PODS, 'a', { v: 0 });
    for (let i = 1; i <= 1200; i++) await gateway.update(PODS, 'a', { v: i });
    const { sink } = await gateway.watch(PODS, { start: after(revision) });
    await sink.until(() => sink.events.length === 1200);
    assert.ok(sink.batches.length > 1);
    const values = sink.batches.flatMap(({ events }) => events.map(({ entry }) => entry.object()['v']));
    assert.deepEqual(
      values,
      Array.from({ length: 1200 }, (_, i) => i + 1),
    );
  });
});
