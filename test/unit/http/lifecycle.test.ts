import assert from 'node:assert/strict';
import { ApiError } from '../../../src/errors/api-error.ts';
import { draining, goAway } from '../../../src/http/filters/retirement.ts';
import { Lifecycle, type ShutdownOptions } from '../../../src/http/lifecycle.ts';
import { memoryExchange } from '../../support/memory-exchange.ts';

/** A lifecycle whose alarms and connections the test moves. */
function stage(options: Partial<ShutdownOptions> = {}): {
  lifecycle: Lifecycle;
  steps: string[];
  ring: () => Promise<void>;
  closed: () => Promise<void>;
} {
  const steps: string[] = [];
  const alarms: (() => void)[] = [];
  let closed: () => void = () => undefined;
  const lifecycle = new Lifecycle(
    { delayMs: 0, graceMs: 60_000, sendRetryAfter: false, ...options },
    {
      now: () => 0,
      monotonic: () => 0,
      after: (ms, ring) => {
        steps.push(`wait ${ms}`);
        alarms.push(ring);
        return () => void steps.push('cancel');
      },
    },
    {
      endStreams: () => void steps.push('end watches'),
      stopListening: () => {
        steps.push('stop listening');
        return new Promise((resolve) => (closed = resolve));
      },
      cutConnections: () => {
        steps.push('cut');
        closed();
      },
    },
  );
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    lifecycle,
    steps,
    ring: () => {
      alarms.shift()?.();
      return settle();
    },
    closed: () => {
      closed();
      return settle();
    },
  };
}

describe('shutting down', () => {
  it('serves on during the delay, then ends watches, then waits for connections', async () => {
    const { lifecycle, steps, ring, closed } = stage({ delayMs: 5_000 });
    assert.equal(lifecycle.shuttingDown, false);
    const done = lifecycle.shutdown();
    assert.equal(lifecycle.shuttingDown, true);
    assert.equal(lifecycle.intake(), 'serve');
    assert.deepEqual(steps, ['wait 5000']);
    await ring();
    assert.equal(lifecycle.intake(), 'retire');
    assert.deepEqual(steps.slice(1), ['end watches', 'stop listening', 'wait 60000']);
    await closed();
    await done;
    assert.equal(steps.at(-1), 'cancel');
  });

  it('cuts what is left after the grace period', async () => {
    const { lifecycle, steps, ring } = stage();
    const done = lifecycle.shutdown();
    await ring();
    await done;
    assert.ok(steps.includes('cut'));
  });

  it('happens once', () => {
    const { lifecycle, steps } = stage();
    assert.equal(lifecycle.shutdown(), lifecycle.shutdown());
    assert.equal(steps.filter((step) => step === 'stop listening').length, 1);
  });

  it('refuses new requests where that is asked for', () => {
    const { lifecycle } = stage({ sendRetryAfter: true });
    void lifecycle.shutdown();
    assert.equal(lifecycle.intake(), 'refuse');
  });
});

describe('requests while the server drains', () => {
  const retired = (
    run: (exchange: ReturnType<typeof memoryExchange>['exchange']) => unknown,
    url = '/api',
  ): boolean => {
    let told = false;
    const { exchange } = memoryExchange({ url });
    exchange.source.retireConnection = () => (told = true);
    run(exchange);
    return told;
  };

  it('pass while it serves', () => {
    assert.equal(
      retired((exchange) => draining(() => 'serve').run(exchange)),
      false,
    );
  });

  it('retire their connection', () => {
    assert.equal(
      retired((exchange) => draining(() => 'retire').run(exchange)),
      true,
    );
  });

  it('are told to come back, but for probes', () => {
    const filter = draining(() => 'refuse');
    assert.throws(
      () => filter.run(memoryExchange({ url: '/api/v1/pods' }).exchange),
      (error: unknown) =>
        error instanceof ApiError && error.code === 503 && error.details?.retryAfterSeconds === 5,
    );
    assert.equal(
      retired((exchange) => filter.run(exchange), '/readyz?verbose'),
      true,
    );
  });

  it('are sent away by chance', () => {
    assert.equal(
      retired((exchange) => goAway(0.01, () => 0.009).run(exchange)),
      true,
    );
    assert.equal(
      retired((exchange) => goAway(0.01, () => 0.01).run(exchange)),
      false,
    );
  });
});
