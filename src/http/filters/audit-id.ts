import type { Filter } from '../pipeline.ts';

const MAX_LENGTH = 64;

/** Gives the request its audit ID: the client's own, if it sent a usable one, so that callers can follow a chain. */
export function auditId(newId: () => string): Filter {
  return {
    name: 'audit-id',
    run(exchange) {
      const sent = exchange.source.headers['audit-id'];
      exchange.auditId = typeof sent === 'string' && sent !== '' ? sent.slice(0, MAX_LENGTH) : newId();
    },
  };
}
