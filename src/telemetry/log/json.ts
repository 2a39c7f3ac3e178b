import type { DestinationStream } from 'pino';
import type { Sink } from './log.ts';
import { redact } from './redact.ts';

/**
 * Lines of JSON with the fields that collectors of the interface's logs know: `ts` (seconds), `v`, `msg`, `err`. The
 * library is loaded only by servers that log so.
 */
export async function jsonSink(destination: DestinationStream, now: () => number): Promise<Sink> {
  const { pino } = await import('pino');
  const logger = pino(
    {
      base: null,
      level: 'info',
      messageKey: 'msg',
      timestamp: () => `,"ts":${(now() / 1000).toFixed(6)}`,
      formatters: { level: (label) => ({ severity: label === 'warn' ? 'warning' : label }) },
    },
    destination,
  );
  const methods = { info: 'info', warning: 'warn', error: 'error' } as const;
  return ({ severity, v, part, message, fields }) => {
    const known = redact(fields) as Record<string, unknown>;
    const where = part === '' ? {} : { logger: part };
    logger[methods[severity]]({ ...(severity === 'info' ? { v } : {}), ...where, ...known }, message);
  };
}
