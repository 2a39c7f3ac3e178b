import { unavailableError } from '../../errors/status-errors.ts';
import type { Filter } from '../pipeline.ts';

/**
 * Spreads long-lived HTTP/2 connections over several gateways: with this chance a request's connection is told to go
 * away, and its client comes back through the load balancer.
 */
export function goAway(chance: number, random: () => number): Filter {
  return {
    name: 'go-away',
    run(exchange) {
      if (exchange.source.protocol === 'HTTP/2.0' && random() < chance) exchange.source.retireConnection();
    },
  };
}

const RETRY_AFTER_SECONDS = 5;
const PROBES = ['/healthz', '/livez', '/readyz', '/metrics'];

/** While the server drains, connections are retired; where configured, new requests are told to come back. */
export function draining(intake: () => 'serve' | 'retire' | 'refuse'): Filter {
  return {
    name: 'draining',
    run(exchange) {
      const now = intake();
      if (now === 'serve') return;
      exchange.source.retireConnection();
      if (now === 'refuse' && !isProbe(exchange.source.url)) {
        throw unavailableError('the server is shutting down', RETRY_AFTER_SECONDS);
      }
    },
  };
}

function isProbe(url: string): boolean {
  return PROBES.some((path) => url.startsWith(path));
}
