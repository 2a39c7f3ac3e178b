import type { Exchange } from './exchange.ts';

/**
 * One step of a request's walk down. It completes the exchange, or refuses by throwing (ApiError), or answers by itself
 * (the reply is then closed). What must run when the answer is complete it leaves with {@link Exchange.atEnd}.
 */
export interface Filter {
  readonly name: string;
  run(exchange: Exchange): void | Promise<void>;
}

/** What the walk ends at: finds the answer and sends it. */
export type Endpoint = (exchange: Exchange) => void | Promise<void>;

/** Runs the filters in order, then the endpoint, unless a filter has answered. */
export async function runPipeline(
  exchange: Exchange,
  filters: readonly Filter[],
  endpoint: Endpoint,
): Promise<void> {
  for (const filter of filters) {
    const waiting = filter.run(exchange);
    if (waiting !== undefined) await waiting;
    if (exchange.reply.closed) return;
  }
  await endpoint(exchange);
}
