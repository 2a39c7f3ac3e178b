import type { Clock } from '../lib/clock.ts';
import type { ErrorRenderer } from './errors.ts';
import { Exchange, type ExchangeSource } from './exchange.ts';
import { runPipeline, type Endpoint, type Filter } from './pipeline.ts';

/** What every request runs through. */
export interface ServeParts {
  readonly clock: Clock;
  readonly filters: readonly Filter[];
  readonly endpoint: Endpoint;
  readonly errors: ErrorRenderer;
}

/** Takes requests of any transport. `onClosed` registers what to call once nothing more can be sent. */
export type Serve = (source: ExchangeSource, onClosed: (callback: () => void) => void) => void;

/**
 * Makes the function that every request goes through: walk down the filters, answer, render what was thrown. It never
 * throws: one request's fault ends one request.
 */
export function createServe({ clock, filters, endpoint, errors }: ServeParts): Serve {
  async function run(exchange: Exchange): Promise<void> {
    try {
      await runPipeline(exchange, filters, endpoint);
    } catch (error) {
      errors.render(exchange, error);
    }
  }
  return function serve(source, onClosed) {
    const exchange = new Exchange(source, clock.monotonic());
    onClosed(() => {
      if (!exchange.reply.ended) exchange.cancel(new Error('the client is gone'));
      exchange.finish();
    });
    void run(exchange);
  };
}
