import type { Endpoint } from '../pipeline.ts';
import { sendBytes } from '../respond/bytes.ts';

/** Where metrics come from. */
export interface MetricsSource {
  /** The exposition, complete. */
  text(): string | Promise<string>;
  readonly contentType: string;
}

/** `/metrics`: everything that is counted, in the text format of Prometheus. */
export function metricsEndpoint(source: MetricsSource): Endpoint {
  return async function serveMetrics(exchange) {
    return sendBytes(exchange, 200, { 'content-type': source.contentType }, Buffer.from(await source.text()));
  };
}
