import assert from 'node:assert/strict';
import { reviewWebhook, type ReviewWebhook, type Wire } from '../../../src/outbound/review-webhook.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const REVIEW = { kind: 'TokenReview', spec: { token: 'a-secret-token' } };

interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | AsyncIterable<Uint8Array>;
}

describe('review webhook', () => {
  it('posts the review and returns the one that is answered', async () => {
    const { call, requests } = answering([{ body: '{"status":{"authenticated":true}}' }]);
    assert.deepEqual(await call(REVIEW), { status: { authenticated: true } });
    assert.deepEqual(requests, [
      {
        method: 'POST',
        path: '/authn',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify(REVIEW),
      },
    ]);
  });

  it('tries again, each time later, while the answer may be another the next time', async () => {
    const { call, requests, pauses, statuses } = answering([
      { status: 500 },
      { status: 429 },
      { status: 504 },
      { status: 503, headers: { 'retry-after': '1' } },
      { body: '{}' },
    ]);
    assert.deepEqual(await call(REVIEW), {});
    assert.equal(requests.length, 5);
    assert.deepEqual(pauses, [550, 825, 1238, 1856]);
    assert.deepEqual(statuses, ['500', '429', '504', '503', '200']);
  });

  it('gives up after five attempts', async () => {
    const { call, requests } = answering([{ status: 500 }]);
    await assert.rejects(call(REVIEW), { message: 'the webhook answered 500' });
    assert.equal(requests.length, 5);
  });

  const refused: readonly (readonly [string, Answer, RegExp])[] = [
    ['a refusal', { status: 403 }, /^the webhook answered 403$/],
    ['a redirect', { status: 302, headers: { location: 'https://elsewhere' } }, /^the webhook answered 302$/],
    ['what is no JSON', { body: '<html>' }, /not JSON$/],
    ['half of a JSON', { body: '{"status":' }, /not JSON$/],
    ['a list', { body: '[]' }, /not a review$/],
    ['nothing', { body: '' }, /not JSON$/],
    ['an endless answer', { body: endless() }, /larger than \d+ bytes$/],
  ];
  for (const [name, answer, message] of refused) {
    it(`takes ${name} for an error, at once`, async () => {
      const { call, requests } = answering([answer]);
      await assert.rejects(call(REVIEW), (error: Error) => {
        assert.match(error.message, message);
        assert.doesNotMatch(inspectAll(error), /a-secret-token/);
        return true;
      });
      assert.equal(requests.length, 1);
    });
  }

  it('waits no longer than it may, whether or not the webhook notices', async () => {
    const clock = new ManualClock();
    let aborted = false;
    const wire: Wire = {
      send: ({ signal }) => {
        signal.addEventListener('abort', () => (aborted = true));
        return new Promise(() => undefined);
      },
    };
    const call = reviewWebhook({ wire, path: '/', timeoutMs: 3000, clock, random: () => 0 });
    const called = call(REVIEW);
    clock.advance(3000);
    await assert.rejects(called, { message: 'the webhook failed: no answer within 3 s' });
    assert.ok(aborted);
  });

  it('has one deadline for all attempts', async () => {
    const clock = new ManualClock();
    const wire: Wire = { send: () => Promise.resolve(wired({ status: 500 })) };
    const call = reviewWebhook({ wire, path: '/', timeoutMs: 600, clock, random: () => 0 });
    const called = call(REVIEW);
    called.catch(() => undefined);
    await untilPending(clock, 2);
    clock.advance(500);
    await untilPending(clock, 2);
    clock.advance(100);
    await assert.rejects(called, /no answer within 0.6 s/);
  });
});

/** A webhook that gives these answers in turn, the last for good, and whose pauses take no time. */
function answering(answers: readonly Answer[]) {
  const requests: object[] = [];
  const pauses: number[] = [];
  const statuses: string[] = [];
  const wire: Wire = {
    send: ({ signal: _signal, ...request }) => {
      const answer = answers[Math.min(requests.length, answers.length - 1)] ?? {};
      requests.push(request);
      return Promise.resolve(wired(answer));
    },
  };
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    after: (ms: number, callback: () => void) => {
      if (ms < 10_000) {
        pauses.push(ms);
        queueMicrotask(callback);
      }
      return () => undefined;
    },
  };
  const call: ReviewWebhook = reviewWebhook({
    ...{ wire, path: '/authn', timeoutMs: 30_000, clock, random: () => 0.5 },
    observe: (status) => statuses.push(status),
  });
  return { call, requests, pauses, statuses };
}

function wired({ status = 200, headers = {}, body = '' }: Answer): Awaited<ReturnType<Wire['send']>> {
  return { status, headers, body: typeof body === 'string' ? once(body) : body };
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield await Promise.resolve(Buffer.alloc(1 << 20, 0x20));
}

async function untilPending(clock: ManualClock, timers: number): Promise<void> {
  while (clock.pending.length < timers) await new Promise((resolve) => setImmediate(resolve));
}

function inspectAll(error: Error): string {
  return `${error.stack} ${JSON.stringify(error.cause instanceof Error ? error.cause.message : '')}`;
}
