import assert from 'node:assert/strict';
import type { ResourceDefinition } from '../../src/schema/model.ts';
import {
  after,
  ANY,
  fielded,
  labelled,
  notOlderThan,
  refusedWith,
  type Declare,
} from './object-store-support.ts';

/** Nothing is remembered beside the store. */
const NO_HISTORY = { history: { bytes: 0, ms: 0 } };

export function declareWatches(it: Declare, resource: ResourceDefinition): void {
  declareStarts(it, resource);
  declareChoices(it, resource);
  declareEnds(it, resource);
}

function declareStarts(it: Declare, resource: ResourceDefinition): void {
  it('a watch from a state begins with what there is, then goes on', async (g) => {
    await g.create(resource, 'a');
    await g.create(resource, 'b', { namespace: 'other' });
    const { sink } = await g.watch(resource);
    await g.update(resource, 'a', { v: 2 });
    await g.create(resource, 'c');
    await g.remove(resource, 'b', 'other');
    await sink.until(() => sink.events.length === 5);
    assert.deepEqual(sink.kinds, ['ADDED a', 'ADDED b', 'MODIFIED a', 'ADDED c', 'DELETED b']);
  });

  it('nothing is delivered before the watch returns', async (g) => {
    await g.create(resource, 'a');
    const { sink } = await g.watch(resource);
    assert.equal(sink.batches.length, 0);
    await sink.until(() => sink.batches.length === 1);
  });

  it('the end of the initial events is marked when asked for, also of none', async (g) => {
    const none = await g.watch(resource, { markInitialEvents: true });
    await none.sink.until(() => none.sink.batches.length === 1);
    const [empty] = none.sink.batches;
    assert.deepEqual([empty!.events.length, empty!.initialEventsEnd], [0, true]);
    const { revision } = await g.create(resource, 'a');
    const some = await g.watch(resource, {
      markInitialEvents: true,
      start: { from: 'state', at: notOlderThan(revision) },
    });
    await some.sink.until(() => some.sink.batches.some(({ initialEventsEnd }) => initialEventsEnd === true));
    const last = some.sink.batches.at(-1)!;
    assert.deepEqual([some.sink.kinds, last.initialEventsEnd], [['ADDED a'], true]);
    assert.ok(last.revision >= revision);
    assert.ok(some.subscription.revision >= revision);
  });

  it('a watch after a revision begins with what came next', async (g) => {
    const { revision } = await g.create(resource, 'a');
    await g.update(resource, 'a', { v: 2 });
    await g.create(resource, 'b');
    const { sink } = await g.watch(resource, { start: after(revision) });
    await sink.until(() => sink.events.length === 2);
    await g.remove(resource, 'a');
    await sink.until(() => sink.events.length === 3);
    assert.deepEqual(sink.kinds, ['MODIFIED a', 'ADDED b', 'DELETED a']);
    const revisions = sink.batches.flatMap(({ events }) => events.map(({ entry }) => entry.revision));
    assert.deepEqual(
      revisions,
      revisions.toSorted((a, b) => a - b),
    );
  });

  it('a watch begins in the past of the store, also where no gateway remembers it', async (g) => {
    const first = await g.create(resource, 'a', { v: 1, labels: { x: '1' } });
    await g.update(resource, 'a', { v: 2, labels: { x: '2' } });
    await g.remove(resource, 'a');
    await g.create(resource, 'b', { labels: { x: '1' } });
    const other = await g.another([resource], NO_HISTORY);
    const all = await other.watch(resource, { start: after(first.revision) });
    const some = await other.watch(resource, { start: after(first.revision), filter: labelled('x', '1') });
    await all.sink.until(() => all.sink.events.length === 3);
    await g.create(resource, 'c');
    await g.create(resource, 'd', { labels: { x: '1' } });
    await all.sink.until(() => all.sink.events.length === 5);
    await some.sink.until(() => some.sink.events.length === 3);
    assert.deepEqual(all.sink.kinds, ['MODIFIED a', 'DELETED a', 'ADDED b', 'ADDED c', 'ADDED d']);
    assert.deepEqual(some.sink.kinds, ['DELETED a', 'ADDED b', 'ADDED d']);
    const deleted = all.sink.batches.flatMap(({ events }) => events).find(({ type }) => type === 'DELETED')!;
    assert.equal(deleted.entry.object()['v'], 2);
  });

  it('a watch from the future begins there', async (g) => {
    const { revision } = await g.create(resource, 'a');
    const { sink } = await g.watch(resource, { start: after(revision + 2) });
    await g.create(resource, 'b');
    await g.create(resource, 'c');
    await g.create(resource, 'd');
    await sink.until(() => sink.events.length === 1);
    assert.deepEqual(sink.kinds, ['ADDED d']);
  });

  it("a watch shows other gateways' changes", async (g) => {
    const other = await g.another([resource]);
    const { sink } = await other.watch(resource, { start: { from: 'state', at: ANY } });
    await g.create(resource, 'a');
    await g.update(resource, 'a', { v: 2 });
    await g.remove(resource, 'a');
    await sink.until(() => sink.events.length === 3);
    assert.deepEqual(sink.kinds, ['ADDED a', 'MODIFIED a', 'DELETED a']);
  });

  it('a watch tells how far it has got', async (g) => {
    const { subscription, sink } = await g.watch(resource);
    const { revision } = await g.create(resource, 'a');
    await sink.until(() => sink.events.length === 1);
    await g.list(resource);
    assert.ok(sink.batches.at(-1)!.revision >= revision);
    assert.ok(subscription.revision >= revision);
  });
}

function declareChoices(it: Declare, resource: ResourceDefinition): void {
  it('a watch sees its namespace only', async (g) => {
    const { sink } = await g.watch(resource, { namespace: 'a' });
    await g.create(resource, 'x', { namespace: 'a' });
    await g.create(resource, 'x', { namespace: 'b' });
    await g.create(resource, 'y', { namespace: 'a' });
    await sink.until(() => sink.events.length === 2);
    assert.deepEqual(sink.kinds, ['ADDED x', 'ADDED y']);
  });

  it('objects come into view and leave it as they change', async (g) => {
    const { sink } = await g.watch(resource, { filter: labelled('x', '1') });
    await g.create(resource, 'a', { labels: { x: '2' } });
    await g.update(resource, 'a', { labels: { x: '1' } });
    await g.update(resource, 'a', { v: 1 });
    const left = await g.update(resource, 'a', { labels: { x: '2' }, v: 2 });
    await g.update(resource, 'a', { labels: { x: '1' } });
    await g.remove(resource, 'a');
    await sink.until(() => sink.events.length === 5);
    assert.deepEqual(sink.kinds, ['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED a', 'DELETED a']);
    const events = sink.batches.flatMap((batch) => batch.events);
    // What left is shown as it was last seen, at the revision at which it left.
    assert.equal(events[2]!.entry.revision, left.entry!.revision);
    const shown = events[2]!.entry.object();
    assert.deepEqual([shown.metadata.labels, shown['v']], [{ x: '1' }, 1]);
    assert.equal(shown.metadata.resourceVersion, String(left.entry!.revision));
  });

  it('a watch of one name sees that name', async (g) => {
    const filter = { matches: ({ name }: { name: string }) => name === 'b', name: 'b' };
    const { sink } = await g.watch(resource, { filter });
    const { sink: inA } = await g.watch(resource, { filter, namespace: 'a' });
    for (const namespace of ['a', 'b']) {
      for (const name of ['a', 'b', 'c']) await g.create(resource, name, { namespace });
    }
    await g.remove(resource, 'b', 'a');
    await sink.until(() => sink.events.length === 3);
    await inA.until(() => inA.events.length === 2);
    assert.deepEqual(sink.kinds, ['ADDED b', 'ADDED b', 'DELETED b']);
    assert.deepEqual(inA.kinds, ['ADDED b', 'DELETED b']);
  });

  it('a watch of a field that is indexed sees objects come and go', async (g) => {
    if (!resource.selectableFields.includes('spec.nodeName')) return;
    const watches = await Promise.all(
      ['n1', 'n2'].map((value) => g.watch(resource, { filter: fielded('spec.nodeName', value) })),
    );
    const [n1, n2] = watches.map(({ sink }) => sink) as [
      (typeof watches)[0]['sink'],
      (typeof watches)[0]['sink'],
    ];
    await g.create(resource, 'a');
    await g.update(resource, 'a', { spec: { nodeName: 'n1' } });
    await g.update(resource, 'a', { v: 1 });
    await g.update(resource, 'a', { spec: { nodeName: 'n2' } });
    await g.remove(resource, 'a');
    await n2.until(() => n2.events.length === 2);
    assert.deepEqual(n1.kinds, ['ADDED a', 'MODIFIED a', 'DELETED a']);
    assert.deepEqual(n2.kinds, ['ADDED a', 'DELETED a']);
  });
}

function declareEnds(it: Declare, resource: ResourceDefinition): void {
  it('a watch from what is compacted is refused as expired', async (g) => {
    const { revision } = await g.create(resource, 'a');
    await g.update(resource, 'a', { v: 2 });
    const { entry } = await g.update(resource, 'a', { v: 3 });
    await g.storage.compact(entry!.revision);
    const other = await g.another([resource], NO_HISTORY);
    const error = await refusedWith('Expired', other.watch(resource, { start: after(revision) }));
    assert.equal(error.code, 410);
    const { sink } = await other.watch(resource, { start: after(entry!.revision) });
    await g.create(resource, 'b');
    await sink.until(() => sink.events.length === 1);
  });

  it('a closed watch is told nothing more', async (g) => {
    const { sink, subscription } = await g.watch(resource);
    const { sink: open } = await g.watch(resource);
    const abort = new AbortController();
    const { sink: aborted } = await g.watch(resource, { signal: abort.signal });
    await g.create(resource, 'a');
    await Promise.all([sink, open, aborted].map((one) => one.until(() => one.events.length === 1)));
    subscription.close();
    subscription.close();
    abort.abort();
    await g.create(resource, 'b');
    await open.until(() => open.events.length === 2);
    assert.deepEqual([sink.events.length, aborted.events.length], [1, 1]);
    assert.deepEqual([sink.ended, aborted.ended], [undefined, undefined]);
  });

  it('when the store closes its watches end, without an error', async (g) => {
    const other = await g.another([resource]);
    const { sink } = await other.watch(resource);
    await g.create(resource, 'a');
    await sink.until(() => sink.events.length === 1);
    const { sink: starting } = await other.watch(resource);
    other.close();
    assert.deepEqual([sink.ended, starting.ended], [{ error: undefined }, { error: undefined }]);
    await g.create(resource, 'b');
    assert.equal(sink.events.length, 1);
  });
}
