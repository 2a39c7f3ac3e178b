import { badRequestError, timeoutError } from '../../errors/status-errors.ts';
import type { CoarseTimer, TimedTask } from '../../lib/coarse-timer.ts';
import { parseDurationMs } from '../../meta/duration.ts';
import { isLongRunning } from '../../request/parse-request-info.ts';
import type { Exchange } from '../exchange.ts';
import type { Filter } from '../pipeline.ts';

/**
 * Bounds how long a request may take: by `?timeout=`, at most `maxMs`. At the deadline its signal aborts and the client
 * gets a 504, whatever the verb is doing. Long-running requests have their own ends.
 */
export function deadline(options: {
  timer: CoarseTimer;
  maxMs: number;
  render: (exchange: Exchange, error: unknown) => void;
}): Filter {
  const { timer, maxMs, render } = options;
  return {
    name: 'deadline',
    run(exchange) {
      if (isLongRunning(exchange.info)) return;
      const task = new Expiry(exchange, render);
      const slot = timer.schedule(timeoutOf(exchange, maxMs), task);
      exchange.atEnd(() => timer.cancel(slot, task));
    },
  };
}

function timeoutOf(exchange: Exchange, maxMs: number): number {
  const text = exchange.queryValue('timeout');
  if (text === null || text === '') return maxMs;
  const ms = parseDurationMs(text);
  if (ms === undefined) {
    throw badRequestError(
      `invalid timeout specified in the request URL - "${text}" is no duration such as 30s or 1m30s`,
    );
  }
  return ms > 0 ? Math.min(ms, maxMs) : maxMs;
}

class Expiry implements TimedTask {
  readonly #exchange: Exchange;
  readonly #render: (exchange: Exchange, error: unknown) => void;

  constructor(exchange: Exchange, render: (exchange: Exchange, error: unknown) => void) {
    this.#exchange = exchange;
    this.#render = render;
  }

  due(): void {
    const error = timeoutError('the request did not complete within its timeout');
    this.#exchange.cancel(error);
    this.#render(this.#exchange, error);
    this.#exchange.finish();
  }
}
