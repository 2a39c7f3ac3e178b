import assert from 'node:assert/strict';
import { ApiError } from '../../../src/errors/api-error.ts';
import {
  badRequestError,
  expiredError,
  timeoutError,
  unavailableError,
} from '../../../src/errors/status-errors.ts';
import { resourceEndpoint } from '../../../src/http/endpoints/resources.ts';
import { Negotiator } from '../../../src/http/negotiate/negotiator.ts';
import type { FormSources } from '../../../src/http/respond/forms.ts';
import { PiecePool } from '../../../src/http/respond/piece-writer.ts';
import { Responder } from '../../../src/http/respond/responder.ts';
import { FlushScheduler } from '../../../src/http/watch/flush-scheduler.ts';
import { WatchServer } from '../../../src/http/watch/server.ts';
import { WebSocketAcceptor } from '../../../src/http/websocket/acceptor.ts';
import { CoarseTimer } from '../../../src/lib/coarse-timer.ts';
import { toRevision } from '../../../src/meta/revision.ts';
import type { VerbHandler, WatchResult } from '../../../src/verbs/result.ts';
import { CONFIG_MAPS, Feed, configMapEntry } from '../../support/http-gateway.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryExchange, type MemoryReply } from '../../support/memory-exchange.ts';

const META = 'meta.orch.io';
const TABLE = `application/json;as=Table;g=${META};v=v1`;

/** Watches of config maps, whose times the test moves. */
class Bench {
  readonly clock = new ManualClock();
  readonly feed = new Feed();
  readonly #sources: FormSources = {
    metaGroup: META,
    encoding: (entry) => entry.bytes(),
    encodeObject: (object) => Buffer.from(JSON.stringify(object)),
    row: () => ({ cells: [''] }),
  };
  readonly #pool = new PiecePool();
  readonly watches = new WatchServer({
    sources: this.#sources,
    names: { initialEventsEnd: 'end', initialEventsListBlueprint: 'blueprint' },
    timer: new CoarseTimer(this.clock),
    tools: {
      scheduler: new FlushScheduler(this.clock),
      pool: this.#pool,
      now: () => this.clock.monotonic(),
    },
    webSockets: new WebSocketAcceptor('token.'),
  });

  /** Asks for a watch; the verb finds nothing wrong with it, or `refusal`. @throws what the endpoint throws. */
  async watch(
    asked: Partial<WatchResult> | { refusal: Error } = {},
    accept = 'application/json',
  ): Promise<MemoryReply> {
    const { exchange, reply } = memoryExchange({
      url: '/api/v1/configmaps?watch=1',
      headers: { accept },
    });
    const watch: VerbHandler = ({ resource }) => {
      if ('refusal' in asked) return Promise.reject(asked.refusal);
      return Promise.resolve({
        kind: 'watch',
        resource,
        bookmarks: false,
        timeoutSeconds: 600,
        initialEventsBookmark: false,
        subscribe: this.feed.subscribe,
        ...asked,
      });
    };
    const serve = resourceEndpoint({
      find: () => CONFIG_MAPS,
      verbs: { watch },
      negotiator: new Negotiator(META),
      responder: new Responder(this.#sources, this.#pool),
      watches: this.watches,
      release: '1.32',
    });
    await serve(exchange);
    return reply;
  }
}

function events(reply: MemoryReply): { type: string; object: Record<string, unknown> }[] {
  const lines = reply.text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as { type: string; object: Record<string, unknown> });
}

describe('a watch that can not begin', () => {
  for (const error of [expiredError('gone'), timeoutError('not yet', 1)]) {
    it(`because of its version tells ${error.code} as an event`, async () => {
      const reply = await new Bench().watch({ subscribe: () => Promise.reject(error) });
      assert.equal(reply.status, 200);
      assert.deepEqual(events(reply), [{ type: 'ERROR', object: { ...error.toStatus() } }]);
      assert.equal(reply.ended, true);
    });
  }

  it('for another reason is answered with that', async () => {
    const bench = new Bench();
    const refused = bench.watch({ subscribe: () => Promise.reject(unavailableError('no store')) });
    await assert.rejects(refused, (error) => error instanceof ApiError && error.code === 503);
  });
});

describe('the form of a watch', () => {
  it('may be a Table', async () => {
    const bench = new Bench();
    const reply = await bench.watch({ bookmarks: true }, TABLE);
    assert.equal(reply.status, 200);
  });

  it('is no Table where the watch streams a list', async () => {
    const bench = new Bench();
    const streamed = { initialEventsBookmark: true };
    await assert.rejects(
      bench.watch(streamed, TABLE),
      (error) => error instanceof ApiError && error.code === 406,
    );
    const reply = await bench.watch(streamed, `${TABLE},application/json`);
    bench.feed.send([], { initialEventsEnd: true });
    bench.feed.end();
    assert.equal(events(reply)[0]?.object['kind'], 'ConfigMap');
  });

  it('is looked at after what the watch asks for', async () => {
    const bench = new Bench();
    const refusal = badRequestError('what the verb says');
    await assert.rejects(bench.watch({ refusal }, 'application/yaml'), refusal);
    await assert.rejects(
      bench.watch({}, 'application/yaml'),
      (error) => error instanceof ApiError && error.code === 406,
    );
  });
});

describe('the times of a watch', () => {
  it('are a bookmark every minute, one before the end, and the end', async () => {
    const bench = new Bench();
    bench.feed.revision = toRevision(5);
    const reply = await bench.watch({ bookmarks: true, timeoutSeconds: 150 });
    const seen = (): number => events(reply).filter(({ type }) => type === 'BOOKMARK').length;
    const wanted = [
      [59, 0],
      [61, 1],
      [121, 2],
      [146, 2],
      [149, 3],
    ] as const;
    let now = 0;
    for (const [second, bookmarks] of wanted) {
      for (; now < second; now++) bench.clock.advance(1000);
      assert.equal(seen(), bookmarks, `after ${second} s`);
    }
    assert.equal(reply.ended, false);
    for (; now < 151; now++) bench.clock.advance(1000);
    assert.equal(reply.ended, true);
    assert.equal(bench.feed.closed, 1);
  });

  it('end early, with a last bookmark, when the server goes', async () => {
    const bench = new Bench();
    bench.feed.revision = toRevision(9);
    const asked = await bench.watch({ bookmarks: true });
    const silent = await bench.watch();
    bench.watches.endAll();
    assert.deepEqual([asked.ended, silent.ended, silent.text], [true, true, '']);
    const [last, ...others] = events(asked);
    assert.deepEqual([last?.type, others.length], ['BOOKMARK', 0]);
    assert.equal((last?.object['metadata'] as { resourceVersion: string }).resourceVersion, '9');
    assert.equal(bench.watches.size, 2, 'until the connection is done');
  });

  it('have no bookmarks that nobody asked for', async () => {
    const bench = new Bench();
    const reply = await bench.watch({ timeoutSeconds: 90 });
    bench.feed.send([{ type: 'ADDED', entry: configMapEntry('a', 6) }]);
    for (let now = 0; now < 92; now++) bench.clock.advance(1000);
    assert.equal(reply.ended, true);
    assert.deepEqual(
      events(reply).map(({ type }) => type),
      ['ADDED'],
    );
  });
});
