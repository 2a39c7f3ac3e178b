import assert from 'node:assert/strict';
import { expiredError } from '../../../src/errors/status-errors.ts';
import { LIMITS } from '../../../src/http/limits.ts';
import { compactJson } from '../../../src/http/format/format.ts';
import type { Transform } from '../../../src/http/negotiate/negotiator.ts';
import type { FormSources } from '../../../src/http/respond/forms.ts';
import type { IncludeObject } from '../../../src/http/respond/views.ts';
import { PiecePool } from '../../../src/http/respond/piece-writer.ts';
import { FlushScheduler } from '../../../src/http/watch/flush-scheduler.ts';
import { FrameEncoder } from '../../../src/http/watch/frames.ts';
import { WatchStream } from '../../../src/http/watch/stream.ts';
import { toRevision, type Revision } from '../../../src/meta/revision.ts';
import type { StoredEntry, WatchEvent } from '../../../src/store/object-store.ts';
import { configMapEntry, CONFIG_MAPS } from '../../support/http-gateway.ts';
import { memoryExchange, type MemoryReply } from '../../support/memory-exchange.ts';

const NAMES = { initialEventsEnd: 'orch.io/end', initialEventsListBlueprint: 'orch.io/blueprint' };

/** Streams of one encoder, with counters and a clock that the test moves. */
class Bench {
  now = 0;
  encodings = 0;
  readonly scheduler = new FlushScheduler({ monotonic: () => this.now, after: () => () => undefined });
  readonly pool = new PiecePool();
  readonly sources: FormSources = {
    metaGroup: 'meta.orch.io',
    encoding: (entry) => {
      this.encodings++;
      return entry.bytes();
    },
    encodeObject: (object) => Buffer.from(JSON.stringify({ ...object, data: null })),
    row: (_resource, item) => ({
      cells: ['entry' in item ? item.entry.name : (item.object.metadata.name ?? '')],
    }),
  };

  encoder(transform?: Transform['kind'], include: IncludeObject = 'None'): FrameEncoder {
    const choice = {
      format: compactJson,
      include,
      ...(transform === undefined ? {} : { transform: { kind: transform, version: 'v1' } }),
    };
    return new FrameEncoder(CONFIG_MAPS, choice, {
      sources: this.sources,
      names: NAMES,
      turn: () => this.scheduler.turn,
    });
  }

  stream(
    encoder: FrameEncoder,
    endBookmark = false,
  ): { stream: WatchStream; reply: MemoryReply; closed: () => number } {
    const { exchange, reply } = memoryExchange();
    let closed = 0;
    const start = {
      endBookmark,
      begin: () => exchange.sendHead(200, { 'content-type': 'application/json' }),
    };
    const stream = new WatchStream(exchange, encoder, start, {
      scheduler: this.scheduler,
      pool: this.pool,
      now: () => this.now,
    });
    stream.open({ revision: toRevision(3), close: () => void closed++ });
    return { stream, reply, closed: () => closed };
  }
}

function added(entry: StoredEntry): WatchEvent {
  return { type: 'ADDED', entry };
}

function many(count: number, size: number): WatchEvent[] {
  return Array.from({ length: count }, (_, i) => added(configMapEntry(`c${i}`, i + 1, size)));
}

function frames(reply: MemoryReply): { type: string; object: Record<string, unknown> }[] {
  return reply.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { type: string; object: Record<string, unknown> });
}

function names(reply: MemoryReply): string[] {
  return frames(reply).map(({ object }) => (object['metadata'] as { name: string }).name);
}

/** Lets everything that is scheduled for this turn and the next ones run. */
async function settle(): Promise<void> {
  for (let i = 0; i < 200; i++) await new Promise((resolve) => setImmediate(resolve));
}

const REVISION = toRevision(7);
const batch = (events: readonly WatchEvent[], revision: Revision = REVISION) => ({ events, revision });

describe('watch streams', () => {
  it('send each event as a line with its type and object', async () => {
    const bench = new Bench();
    const { stream, reply } = bench.stream(bench.encoder());
    const entry = configMapEntry('a', 5);
    stream.deliver(batch([added(entry), { type: 'MODIFIED', entry }, { type: 'DELETED', entry }]));
    await settle();
    const object = JSON.parse(entry.bytes().bytes.toString()) as unknown;
    assert.deepEqual(
      frames(reply),
      ['ADDED', 'MODIFIED', 'DELETED'].map((type) => ({ type, object })),
    );
    assert.equal(reply.status, 200);
  });

  it('send what arrives in one turn as one write, in order', async () => {
    const bench = new Bench();
    const { stream, reply } = bench.stream(bench.encoder());
    for (const event of many(5, 10)) stream.deliver(batch([event]));
    await settle();
    assert.equal(reply.chunks.length, 1);
    assert.deepEqual(names(reply), ['c0', 'c1', 'c2', 'c3', 'c4']);
  });

  it('encode an event once for all that watch', async () => {
    const bench = new Bench();
    const encoder = bench.encoder();
    const streams = Array.from({ length: 100 }, () => bench.stream(encoder));
    const events = many(3, 10);
    for (const event of events) {
      const shared = [event];
      for (const { stream } of streams) stream.deliver(batch(shared));
    }
    await settle();
    assert.equal(bench.encodings, 3);
    for (const { reply } of streams) assert.deepEqual(names(reply), ['c0', 'c1', 'c2']);
  });

  it('keep apart streams that see different events of the same turn', async () => {
    const bench = new Bench();
    const encoder = bench.encoder();
    const [one, two] = [bench.stream(encoder), bench.stream(encoder)];
    const [a, b, c] = many(3, 10).map((event) => [event]) as [WatchEvent[], WatchEvent[], WatchEvent[]];
    for (const events of [a, b]) one.stream.deliver(batch(events));
    for (const events of [a, c]) two.stream.deliver(batch(events));
    one.stream.deliver(batch(c));
    await settle();
    assert.deepEqual(names(one.reply), ['c0', 'c1', 'c2']);
    assert.deepEqual(names(two.reply), ['c0', 'c2']);
    assert.equal(bench.encodings, 3);
  });

  it('share what equal selectors leave of a batch, though its arrays differ', async () => {
    const bench = new Bench();
    const encoder = bench.encoder();
    const streams = Array.from({ length: 20 }, () => bench.stream(encoder));
    const [a, b, c] = many(3, 10) as [WatchEvent, WatchEvent, WatchEvent];
    streams.forEach(({ stream }, i) => stream.deliver(batch(i % 2 === 0 ? [a, b] : [b, c])));
    const runs = new Set([encoder.extend(undefined, [a, b]), encoder.extend(undefined, [a, b])]);
    await settle();
    assert.equal(runs.size, 1);
    assert.equal(bench.encodings, 3);
    assert.deepEqual(names(streams[0]?.reply as MemoryReply), ['c0', 'c1']);
    assert.deepEqual(names(streams[19]?.reply as MemoryReply), ['c1', 'c2']);
  });

  it('write at most 256 KB at once', async () => {
    const bench = new Bench();
    const { stream, reply } = bench.stream(bench.encoder());
    stream.deliver(batch(many(100, 10_000)));
    await settle();
    assert.ok(reply.largest <= LIMITS.pieceBytes);
    assert.equal(frames(reply).length, 100);
  });

  it('send a large state as the client takes it, encoding no more than that', async () => {
    const bench = new Bench();
    const { stream, reply } = bench.stream(bench.encoder());
    reply.reading = false;
    stream.deliver(batch(many(10_000, 2_000)));
    await settle();
    assert.ok(bench.encodings < 200, `${bench.encodings} encoded ahead`);
    reply.resume();
    await settle();
    assert.equal(frames(reply).length, 10_000);
    assert.ok(reply.largest <= LIMITS.pieceBytes);
  });

  it('send a large state with events larger than a piece in it', async () => {
    const bench = new Bench();
    const { stream, reply } = bench.stream(bench.encoder());
    const events = many(200, 10);
    events[100] = added(configMapEntry('large', 101, 600_000));
    stream.deliver(batch(events));
    await settle();
    assert.equal(frames(reply).length, 200);
    assert.equal(names(reply)[100], 'large');
  });

  it('keep live events behind the state they follow', async () => {
    const bench = new Bench();
    const { stream, reply } = bench.stream(bench.encoder());
    reply.reading = false;
    stream.deliver(batch(many(1_000, 2_000)));
    stream.deliver(batch([added(configMapEntry('live', 2_000))]));
    await settle();
    reply.resume();
    await settle();
    assert.equal(names(reply).at(-1), 'live');
    assert.equal(frames(reply).length, 1_001);
  });

  it('name a Table’s columns once', async () => {
    const bench = new Bench();
    const encoder = bench.encoder('Table');
    const { stream, reply } = bench.stream(encoder);
    stream.deliver(batch(many(2, 10)));
    stream.deliver(batch(many(1, 10)));
    await settle();
    const columns = frames(reply).map(({ object }) => object['columnDefinitions'] !== null);
    assert.deepEqual(columns, [true, false, false]);
  });

  it('send a Table of one object that arrives alone', async () => {
    const bench = new Bench();
    const { stream, reply } = bench.stream(bench.encoder('Table'));
    for (const event of many(2, 10)) stream.deliver(batch([event]));
    await settle();
    const columns = frames(reply).map(({ object }) => object['columnDefinitions'] !== null);
    assert.deepEqual(columns, [true, false]);
  });

  it('send metadata only', async () => {
    const bench = new Bench();
    const { stream, reply } = bench.stream(bench.encoder('PartialObjectMetadata'));
    stream.deliver(batch([added(configMapEntry('a', 5))]));
    await settle();
    assert.deepEqual(frames(reply)[0]?.object, {
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.orch.io/v1',
      metadata: { resourceVersion: '5', name: 'a', namespace: 'default' },
    });
  });

  it('send metadata also where a list of it was asked for', async () => {
    const bench = new Bench();
    const { stream, reply } = bench.stream(bench.encoder('PartialObjectMetadataList'));
    stream.deliver(batch([added(configMapEntry('a', 5))]));
    await settle();
    assert.equal(frames(reply)[0]?.object['kind'], 'PartialObjectMetadata');
  });
});

describe('bookmarks', () => {
  it('tell how far a quiet watch has got', async () => {
    const bench = new Bench();
    const { stream, reply } = bench.stream(bench.encoder());
    stream.bookmark();
    await settle();
    assert.deepEqual(frames(reply), [
      {
        type: 'BOOKMARK',
        object: {
          kind: 'ConfigMap',
          apiVersion: 'v1',
          metadata: { resourceVersion: '3', creationTimestamp: null },
          data: null,
        },
      },
    ]);
  });

  it('are of the form that was asked for, and name a Table’s columns if they come first', async () => {
    const bench = new Bench();
    const table = bench.stream(bench.encoder('Table', 'Metadata'));
    table.stream.bookmark();
    table.stream.bookmark();
    const partial = bench.stream(bench.encoder('PartialObjectMetadata'));
    partial.stream.bookmark();
    await settle();
    const metadata = { resourceVersion: '3', creationTimestamp: null };
    const object = { kind: 'PartialObjectMetadata', apiVersion: 'meta.orch.io/v1', metadata };
    assert.deepEqual(frames(partial.reply), [{ type: 'BOOKMARK', object }]);
    const tables = frames(table.reply).map((frame) => frame.object);
    assert.deepEqual(
      tables.map(({ columnDefinitions }) => columnDefinitions === null),
      [false, true],
    );
    assert.deepEqual(tables[1]?.['rows'], [{ cells: [''], object }]);
  });

  it('are made once for all that watch', async () => {
    const bench = new Bench();
    const encoder = bench.encoder();
    const one = encoder.bookmark(REVISION);
    assert.equal(encoder.bookmark(REVISION), one);
    assert.notEqual(encoder.bookmark(toRevision(8)), one);
    await settle();
  });

  it('are left out while events are on their way', async () => {
    const bench = new Bench();
    const { stream, reply } = bench.stream(bench.encoder());
    stream.deliver(batch([added(configMapEntry('a', 5))]));
    stream.bookmark();
    await settle();
    assert.deepEqual(
      frames(reply).map(({ type }) => type),
      ['ADDED'],
    );
  });

  it('mark the end of the initial events, where asked for', async () => {
    const bench = new Bench();
    const encoder = bench.encoder();
    const [asked, other] = [bench.stream(encoder, true), bench.stream(encoder, false)];
    for (const { stream } of [asked, other]) {
      stream.deliver({ ...batch(many(2, 10)), initialEventsEnd: true });
      stream.deliver(batch([added(configMapEntry('live', 9))]));
    }
    await settle();
    assert.deepEqual(
      frames(asked.reply).map(({ type }) => type),
      ['ADDED', 'ADDED', 'BOOKMARK', 'ADDED'],
    );
    assert.deepEqual(
      frames(other.reply).map(({ type }) => type),
      ['ADDED', 'ADDED', 'ADDED'],
    );
    const { metadata } = frames(asked.reply)[2]?.object as {
      metadata: { resourceVersion: string; annotations: Record<string, string> };
    };
    assert.equal(metadata.resourceVersion, '7');
    assert.equal(metadata.annotations['orch.io/end'], 'true');
    assert.deepEqual(
      JSON.parse(Buffer.from(metadata.annotations['orch.io/blueprint'] ?? '', 'base64').toString()),
      {
        kind: 'ConfigMapList',
        apiVersion: 'v1',
        metadata: {},
        items: null,
      },
    );
  });
});

describe('the end of a watch', () => {
  it('comes after what was delivered', async () => {
    const bench = new Bench();
    const { stream, reply, closed } = bench.stream(bench.encoder());
    stream.deliver(batch([added(configMapEntry('a', 5))]));
    stream.finish();
    await settle();
    assert.deepEqual(names(reply), ['a']);
    assert.equal(reply.ended, true);
    assert.equal(closed(), 1);
  });

  it('tells an error as an event', async () => {
    const bench = new Bench();
    const { stream, reply } = bench.stream(bench.encoder());
    stream.end(expiredError('too old'));
    await settle();
    const [frame] = frames(reply);
    assert.equal(frame?.type, 'ERROR');
    assert.equal(frame?.object['code'], 410);
    assert.equal(frame?.object['reason'], 'Expired');
    assert.equal(reply.ended, true);
  });

  it('closes the subscription at once when the client is gone', () => {
    const bench = new Bench();
    const { exchange, reply } = memoryExchange();
    const start = { endBookmark: false, begin: () => exchange.sendHead(200, {}) };
    const stream = new WatchStream(exchange, bench.encoder(), start, {
      scheduler: bench.scheduler,
      pool: bench.pool,
      now: () => 0,
    });
    let closed = 0;
    stream.open({ revision: toRevision(1), close: () => void closed++ });
    reply.abort();
    exchange.finish();
    assert.equal(closed, 1);
    assert.equal(stream.over, true);
  });

  it('closes a subscription that comes too late', () => {
    const bench = new Bench();
    const { exchange } = memoryExchange();
    const start = { endBookmark: false, begin: () => exchange.sendHead(200, {}) };
    const stream = new WatchStream(exchange, bench.encoder(), start, {
      scheduler: bench.scheduler,
      pool: bench.pool,
      now: () => 0,
    });
    stream.finish();
    let closed = 0;
    stream.open({ revision: toRevision(1), close: () => void closed++ });
    assert.equal(closed, 1);
  });
});

describe('clients that do not keep up', () => {
  const megabyte = (i: number): WatchEvent[] => [added(configMapEntry(`m${i}`, i + 1, 1_000_000))];

  it('are waited for within the limit', async () => {
    const bench = new Bench();
    const { stream, reply } = bench.stream(bench.encoder());
    reply.reading = false;
    for (let i = 0; i < 10; i++) {
      stream.deliver(batch(megabyte(i)));
      await settle();
    }
    bench.now += LIMITS.watchGraceMs + 1;
    assert.equal(reply.aborted, false);
    reply.resume();
    await settle();
    assert.equal(frames(reply).length, 10);
  });

  it('are cut off when too much waits and nothing moves', async () => {
    const bench = new Bench();
    const { stream, reply, closed } = bench.stream(bench.encoder());
    reply.reading = false;
    for (let i = 0; i < 20; i++) {
      stream.deliver(batch(megabyte(i)));
      await settle();
    }
    assert.equal(reply.aborted, false, 'a moment of grace');
    bench.now += LIMITS.watchGraceMs + 1;
    stream.deliver(batch(megabyte(20)));
    await settle();
    assert.equal(reply.aborted, true);
    assert.equal(closed(), 1);
    assert.equal(stream.queuedBytes, 0);
  });

  it('are cut off at once far beyond the limit', async () => {
    const bench = new Bench();
    const { stream, reply } = bench.stream(bench.encoder());
    reply.reading = false;
    for (let i = 0; i < 80 && !reply.aborted; i++) {
      stream.deliver(batch(megabyte(i)));
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(reply.aborted, true);
  });

  it('are cut off when nothing moves for a minute, however little waits', async () => {
    const bench = new Bench();
    const { stream, reply } = bench.stream(bench.encoder());
    reply.reading = false;
    stream.deliver(batch(many(1, 300_000)));
    await settle();
    assert.equal(stream.checkProgress(), true);
    bench.now += LIMITS.watchStallMs + 1;
    assert.equal(stream.checkProgress(), false);
    assert.equal(reply.aborted, true);
  });
});

describe('room for more of the state', () => {
  it('is there when nothing waits', () => {
    const { stream } = new Bench().stream(new Bench().encoder());
    assert.equal(stream.room(), undefined);
  });

  it('comes once all of it has been handed over', async () => {
    const bench = new Bench();
    const { stream, reply } = bench.stream(bench.encoder());
    reply.reading = false;
    stream.deliver(batch(many(1_000, 2_000)));
    let asked = true;
    void stream.room()?.then(() => (asked = false));
    let sent = 0;
    while (asked) {
      await settle();
      assert.ok(reply.chunks.length > sent, 'nothing moves');
      sent = reply.chunks.length;
      reply.resume();
      reply.reading = false;
    }
    assert.equal(frames(reply).length, 1_000);
  });

  it('comes, too, when the client is gone', async () => {
    const bench = new Bench();
    const { stream, reply } = bench.stream(bench.encoder());
    reply.reading = false;
    stream.deliver(batch(many(1_000, 2_000)));
    await settle();
    const room = stream.room();
    bench.now += LIMITS.watchStallMs + 1;
    assert.equal(stream.checkProgress(), false);
    await room;
    assert.equal(stream.room(), undefined);
  });
});

describe('pacing of flushes', () => {
  it('pauses for as long as a flush took', async () => {
    let now = 0;
    const alarms: { ms: number; ring: () => void }[] = [];
    const scheduler = new FlushScheduler({
      monotonic: () => now,
      after: (ms, ring) => {
        alarms.push({ ms, ring });
        return () => undefined;
      },
    });
    const flushes: number[] = [];
    const costly = {
      flush: () => {
        flushes.push(now);
        now += 5;
      },
    };
    scheduler.add(costly);
    await settle();
    scheduler.add(costly);
    await settle();
    assert.equal(flushes.length, 1, 'the second waits');
    assert.deepEqual(
      alarms.map(({ ms }) => ms),
      [5],
    );
    alarms[0]?.ring();
    assert.equal(flushes.length, 2);
    assert.equal(scheduler.turn, 2);
  });
});
