import assert from 'node:assert/strict';
import type { StorageEvent } from '../../src/storage/port.ts';
import { after, bytes, refusedWith, skipBecause } from './storage-support.ts';
import type { Declare, Subject } from './storage-support.ts';

/** Watches: what they deliver, in what pieces, and how they end. */
export function declareWatch(it: Declare): void {
  declareDelivery(it);
  declareBatches(it);
  declareProgress(it);
  declareEnds(it);
}

function declareDelivery(it: Declare): void {
  it('a watch from a past revision delivers every change since, in order', async (s) => {
    await s.put('early', '0');
    const a1 = await s.put('a', '1');
    const a2 = await s.replace('a', a1, '2');
    const a3 = await s.remove('a', a2);
    const a4 = await s.put('a', '4');
    const watch = s.watch(a1);
    const events = await watch.events(4);
    assert.deepEqual(s.plainEvents(events), ['put a=1', 'put a=2', 'delete a', 'put a=4']);
    assert.deepEqual(
      events.map((event) => [event.modRevision, event.createRevision]),
      [
        [a1, a1],
        [a2, a1],
        [a3, 0],
        [a4, a4],
      ],
    );
    assert.equal(events[2]?.value.length, 0);
    assert.ok(events.every((event) => event.previous === undefined));
    await watch.end();
  });

  it('a watch goes on from the past into the present', async (s) => {
    let revision = await s.put('a', '0');
    const watch = s.watch(revision);
    await watch.events(1);
    for (let i = 1; i <= 20; i++) {
      revision = await s.replace('a', revision, `${i}`);
      const [event] = await watch.events(1);
      assert.deepEqual([event?.value.toString(), event?.modRevision], [`${i}`, revision]);
    }
    await watch.end();
  });

  it('a watch from the next revision delivers nothing of the past', async (s) => {
    const a1 = await s.put('a', '1');
    const watch = s.watch(after(a1));
    await s.replace('a', a1, '2');
    assert.deepEqual(s.plainEvents(await watch.events(1)), ['put a=2']);
    await watch.end();
  });

  it('a watch from a future revision skips what comes before it', async (s) => {
    let revision = await s.put('a', '0');
    const watch = s.watch(after(revision, 3));
    const pending = watch.events(2);
    for (let i = 1; i <= 4; i++) revision = await s.replace('a', revision, `${i}`);
    assert.deepEqual(s.plainEvents(await pending), ['put a=3', 'put a=4']);
    await watch.end();
  });

  it('events carry the value before the change when asked for', async (s) => {
    const a1 = await s.put('a', '1');
    const a2 = await s.replace('a', a1, '2');
    const past = s.watch(a1, { previous: true });
    const live = s.watch(after(a2), { previous: true });
    await s.remove('a', a2);
    await s.put('a', '4');
    const describeEvent = (event: StorageEvent) => [
      ...s.plainEvents([event]),
      event.previous?.value.toString(),
      event.previous?.modRevision,
      event.previous?.createRevision,
    ];
    const expected = [
      ['put a=1', undefined, undefined, undefined],
      ['put a=2', '1', a1, a1],
      ['delete a', '2', a2, a1],
      ['put a=4', undefined, undefined, undefined],
    ];
    assert.deepEqual((await past.events(4)).map(describeEvent), expected);
    assert.deepEqual((await live.events(2)).map(describeEvent), expected.slice(2));
    await past.end();
    await live.end();
  });

  it('a watch sees its prefix only', async (s) => {
    const start = await s.storage.currentRevision();
    const past = await s.put('pods/a', '1');
    await s.put('podsx', '1');
    await s.put('pod', '1');
    const watch = s.watch(after(start), { under: 'pods/' });
    assert.equal((await watch.events(1))[0]?.modRevision, past);
    await s.put('services/a', '1');
    await s.put('pods0', '1');
    await s.put('pods/b', '1');
    assert.deepEqual(s.plainEvents(await watch.events(1)), ['put pods/b=1']);
    await watch.end();
  });

  it('a failed write is no event', async (s) => {
    const a1 = await s.put('a', '1');
    const watch = s.watch(after(a1));
    await s.storage.create(s.key('a'), bytes('2'));
    await s.storage.delete(s.key('b'), a1);
    await s.put('c', '1');
    assert.deepEqual(s.plainEvents(await watch.events(1)), ['put c=1']);
    await watch.end();
  });

  it('a large value comes through a watch, live and from the past', async (s) => {
    const value = Buffer.alloc(Math.min(s.storage.capabilities.maxValueBytes, 1024 * 1024), 'orch');
    const start = await s.storage.currentRevision();
    const live = s.watch(after(start));
    const first = live.events(1);
    await s.storage.create(s.key('a'), value);
    assert.ok((await first)[0]?.value.equals(value));
    const past = s.watch(after(start));
    assert.ok((await past.events(1))[0]?.value.equals(value));
    await live.end();
    await past.end();
  });

  it('many concurrent watches, live and from the past, all see every change', async (s) => {
    const start = await s.storage.currentRevision();
    const watches = Array.from({ length: 30 }, () => s.watch(after(start)));
    const pending = watches.map((watch) => watch.events(60));
    await Promise.all(Array.from({ length: 30 }, (_, i) => s.put(`a${i}`, `${i}`)));
    const late = Array.from({ length: 10 }, () => s.watch(after(start)));
    const latePending = late.map((watch) => watch.events(60));
    await Promise.all(Array.from({ length: 30 }, (_, i) => s.put(`b${i}`, `${i}`)));
    const all = await Promise.all([...pending, ...latePending]);
    const expected = s.plainEvents(all[0]!);
    assert.equal(new Set(expected).size, 60);
    for (const events of all) assert.deepEqual(s.plainEvents(events), expected);
    for (const watch of [...watches, ...late]) await watch.end();
  });

  it('a reader that falls behind loses nothing', async (s) => {
    const start = await s.storage.currentRevision();
    const watch = s.watch(after(start));
    const first = watch.events(1);
    let revision = await s.put('a', '0');
    await first;
    for (let i = 1; i <= 300; i++) revision = await s.replace('a', revision, `${i}`);
    const values = (await watch.events(300)).map((event) => Number(event.value.toString()));
    assert.deepEqual(
      values,
      Array.from({ length: 300 }, (_, i) => i + 1),
    );
    await watch.end();
  });
}

function declareBatches(it: Declare): void {
  it('all events of a revision are in one batch, in the order of the operations', async (s) => {
    const start = await s.storage.currentRevision();
    const live = s.watch(after(start));
    const liveEvents = live.events(24);
    for (let i = 0; i < 8; i++) {
      const names = ['z', 'a', 'm'];
      await s.storage.transact({
        conditions: [],
        operations: names.map((name) => ({ op: 'put', key: s.key(name), value: bytes(`${i}`) })),
      });
    }
    const past = s.watch(after(start));
    for (const [watch, events] of [
      [live, await liveEvents],
      [past, await past.events(24)],
    ] as const) {
      const expected = Array.from({ length: 8 }, (_, i) => [`put z=${i}`, `put a=${i}`, `put m=${i}`]);
      assert.deepEqual(s.plainEvents(events), expected.flat());
      for (const batch of watch.batches) assertWholeRevisions(batch.events, 3);
      await watch.end();
    }
  });

  it('a batch names its last revision, and batches never go back', async (s) => {
    const start = await s.storage.currentRevision();
    await Promise.all(Array.from({ length: 50 }, (_, i) => s.put(`a${i}`, '1')));
    const watch = s.watch(after(start));
    await watch.events(50);
    let last = start;
    for (const batch of watch.batches) {
      for (const event of batch.events) {
        assert.ok(event.modRevision > last || event.modRevision === batch.events[0]?.modRevision);
        assert.ok(event.modRevision <= batch.revision);
      }
      assert.ok(batch.revision >= last);
      last = batch.revision;
    }
    await watch.end();
  });
}

function assertWholeRevisions(events: readonly StorageEvent[], size: number): void {
  const counts = new Map<number, number>();
  for (const { modRevision } of events) counts.set(modRevision, (counts.get(modRevision) ?? 0) + 1);
  for (const [revision, count] of counts) assert.equal(count, size, `events of revision ${revision}`);
}

function declareProgress(it: Declare): void {
  const needProgress = (s: Subject, test: Mocha.Context) => {
    if (!s.storage.capabilities.progressRequests) skipBecause(test, 'the store answers no progress requests');
  };

  it('a progress request is answered with a revision that changes elsewhere have reached', async (s, test) => {
    needProgress(s, test);
    const start = await s.put('watched/a', '1');
    const watch = s.watch(after(start), { under: 'watched/' });
    const outside = await s.put('elsewhere', '1');
    await progressTo(watch, outside);
    assert.ok(watch.batches.every((batch) => batch.events.length === 0));
    await watch.end();
  });

  it('a watch from a revision that was about something else is told so when it asks', async (s, test) => {
    needProgress(s, test);
    const elsewhere = await s.put('elsewhere', '1');
    const watch = s.watch(elsewhere, { under: 'watched/' });
    await progressTo(watch, elsewhere);
    assert.ok(watch.batches.every((batch) => batch.events.length === 0));
    await watch.end();
  });

  it('progress is never told ahead of events', async (s, test) => {
    needProgress(s, test);
    const start = await s.storage.currentRevision();
    let last = start;
    for (let i = 0; i < 60; i++) last = await s.put(`a${i}`, 'x'.repeat(1000));
    const watch = s.watch(after(start));
    await progressTo(watch, last);
    let delivered = 0;
    for (const batch of watch.batches) {
      delivered += batch.events.length;
      assert.equal(delivered, batch.revision - start, `events delivered at revision ${batch.revision}`);
    }
    await watch.end();
  });

  it('progress of a watch from the future never passes over its start', async (s, test) => {
    needProgress(s, test);
    const start = await s.put('a', '1');
    const from = after(start, 3);
    const watch = s.watch(from);
    const events = watch.events(1);
    watch.requestProgress();
    let revision = start;
    for (let i = 2; i <= 4; i++) {
      revision = await s.replace('a', revision, `${i}`);
      watch.requestProgress();
    }
    assert.deepEqual(s.plainEvents(await events), ['put a=4']);
    for (const batch of watch.batches) {
      if (batch.events.length === 0) assert.ok(batch.revision < from, `progress ${batch.revision}`);
    }
    await watch.end();
  });
}

/** Asks for progress until the watch has got to `revision`. */
async function progressTo(watch: ReturnType<Subject['watch']>, revision: number): Promise<void> {
  for (;;) {
    watch.requestProgress();
    const batch = await watch.next();
    assert.ok(batch !== undefined, 'the watch ended');
    if (batch.events.length === 0 && batch.revision >= revision) return;
  }
}

function declareEnds(it: Declare): void {
  it('a watch ends without an error when its signal aborts', async (s) => {
    const controller = new AbortController();
    const start = await s.put('a', '1');
    const idle = s.watch(after(start), { signal: controller.signal });
    const waiting = idle.next();
    controller.abort();
    assert.equal(await waiting, undefined);
    assert.equal(await idle.next(), undefined);
    const aborted = s.watch(start, { signal: controller.signal });
    assert.equal(await aborted.next(), undefined);
  });

  it('a watch ends when its iterator is returned, and a pending read with it', async (s) => {
    const start = await s.put('a', '1');
    const watch = s.watch(start);
    await watch.events(1);
    const waiting = watch.next();
    await watch.end();
    assert.equal(await waiting, undefined);
    assert.equal(await watch.next(), undefined);
    await s.replace('a', start, '2');
  });

  it('a watch read with for await can be left at any time', async (s) => {
    const start = await s.put('a', '1');
    await s.put('b', '1');
    let batches = 0;
    for await (const batch of s.storage.watch({ prefix: s.prefix, from: start, previous: false })) {
      batches += batch.events.length > 0 ? 1 : 0;
      break;
    }
    assert.equal(batches, 1);
    await s.put('c', '1');
  });

  it('a watch from below the compaction point ends as compacted', async (s) => {
    const a1 = await s.put('a', '1');
    const a2 = await s.replace('a', a1, '2');
    const a3 = await s.replace('a', a2, '3');
    await s.storage.compact(a3);
    const error = await refusedWith('compacted', s.watch(a1).next());
    assert.equal(error.compactRevision, a3);
    await refusedWith('compacted', s.watch(a2).next());
  });

  it('a watch begins after the compaction point: what was deleted at it may be gone', async (s) => {
    const a1 = await s.put('a', '1');
    const b2 = await s.put('b', '1');
    const { revision } = await s.storage.delete(s.key('a'), a1);
    await s.storage.compact(revision);
    const error = await refusedWith('compacted', s.watch(revision).next());
    assert.equal(error.compactRevision, revision);
    const watch = s.watch(after(revision));
    await s.replace('b', b2, '2');
    assert.deepEqual(s.plainEvents(await watch.events(1)), ['put b=2']);
    await watch.end();
  });

  it('a watch that has read up to the present survives a compaction', async (s) => {
    const a1 = await s.put('a', '1');
    const watch = s.watch(a1);
    await watch.events(1);
    const a2 = await s.replace('a', a1, '2');
    await watch.events(1);
    await s.storage.compact(a2);
    await s.replace('a', a2, '3');
    assert.deepEqual(s.plainEvents(await watch.events(1)), ['put a=3']);
    await watch.end();
  });
}
