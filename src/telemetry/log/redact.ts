/** What stands in place of a secret. */
export const REDACTED = '[redacted]';

/** Keys whose values are nobody's business, in lower case. */
const SECRET_KEYS: ReadonlySet<string> = new Set([
  'authorization',
  'client-key-data',
  'cookie',
  'password',
  'proxy-authorization',
  'set-cookie',
  'token',
]);

/** Beyond this depth values are left out: a log line is no place for documents. */
const MAX_DEPTH = 6;

/**
 * A copy of what a log line tells without secrets: credentials by the name of their field, and the data of Secrets.
 * Errors become their messages with those of their causes.
 */
export function redact(value: unknown): unknown {
  return redactAt(value, 0);
}

function redactAt(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Error) return describeError(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((item) => redactAt(item, depth + 1));
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  const secret = 'kind' in value && value.kind === 'Secret';
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const hidden =
        SECRET_KEYS.has(key.toLowerCase()) || (secret && (key === 'data' || key === 'stringData'));
      return [key, hidden ? REDACTED : redactAt(item, depth + 1)];
    }),
  );
}

/** An error's message and, behind it, what caused it. */
export function describeError(error: Error, depth = 0): string {
  const { message, cause } = error;
  return cause instanceof Error && depth < MAX_DEPTH
    ? `${message}: ${describeError(cause, depth + 1)}`
    : message;
}
