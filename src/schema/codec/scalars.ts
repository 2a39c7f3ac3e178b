import { formatDuration, parseDuration } from '../../meta/duration.ts';
import type { Json } from '../../meta/object.ts';
import { canonicalQuantity } from '../../meta/quantity.ts';
import { canonicalMicroTime, canonicalTime } from '../../meta/time.ts';
import type { ScalarKind } from '../model.ts';

const INT64_LIMIT = 1n << 63n;

/** What a value of a kind looks like, for users. */
export const EXPECTED: Readonly<Record<ScalarKind, string>> = {
  string: 'a string',
  boolean: 'a boolean',
  int32: 'a 32-bit integer',
  int64: 'a 64-bit integer',
  double: 'a number',
  bytes: 'base64 text',
  time: 'a time such as 2006-01-02T15:04:05Z',
  microTime: 'a time such as 2006-01-02T15:04:05.000000Z',
  duration: 'a duration such as 1h30m',
  quantity: 'a quantity such as 500m or 2Gi',
  intOrString: 'an integer or a string',
  rawObject: 'an object',
  json: 'a value',
  fieldsV1: 'an object',
};

/**
 * The canonical form of a value that isn't null.
 *
 * @returns null for times that stand for none; undefined when the kind can't hold the value.
 */
export function decodeScalar(kind: ScalarKind, value: NonNullable<Json>): Json | undefined {
  switch (kind) {
    case 'string':
      return typeof value === 'string' ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'int32':
      return int32(value);
    case 'int64':
      return int64(value);
    case 'double':
      return typeof value === 'bigint' ? Number(value) : typeof value === 'number' ? value : undefined;
    case 'bytes':
      return bytes(value);
    case 'time':
      return typeof value === 'string' ? canonicalTime(value) : undefined;
    case 'microTime':
      return typeof value === 'string' ? canonicalMicroTime(value) : undefined;
    case 'duration':
      return duration(value);
    case 'quantity':
      return quantity(value);
    case 'intOrString':
      return typeof value === 'string' ? value : int32(value);
    case 'rawObject':
    case 'json':
    case 'fieldsV1': // Whether it is a set, is seen when it is used: a record that makes no sense is no error.
      return value;
  }
}

function int32(value: Json): number | undefined {
  return typeof value === 'number' && (value | 0) === value ? value | 0 : undefined;
}

function int64(value: Json): number | bigint | undefined {
  if (typeof value === 'bigint') return value >= -INT64_LIMIT && value < INT64_LIMIT ? value : undefined;
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

function duration(value: Json): string | undefined {
  const nanoseconds = typeof value === 'string' ? parseDuration(value) : undefined;
  return nanoseconds === undefined ? undefined : formatDuration(nanoseconds);
}

function quantity(value: Json): string | undefined {
  if (typeof value === 'string') return canonicalQuantity(value) ?? canonicalQuantity(value.trim());
  return typeof value === 'number' || typeof value === 'bigint'
    ? canonicalQuantity(String(value))
    : undefined;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Base64, in which line breaks are allowed; or, as Go reads it, a list of the bytes. */
function bytes(value: Json): string | undefined {
  if (typeof value !== 'string') return Array.isArray(value) ? byteList(value) : undefined;
  const canonical = Buffer.from(value, 'base64').toString('base64');
  if (canonical === value) return value;
  const compact = value.replace(/[\r\n]/g, '');
  // What is left out in decoding are surplus bits, if the text is base64 at all.
  return compact.length === canonical.length && BASE64.test(compact) ? canonical : undefined;
}

function byteList(values: readonly Json[]): string | undefined {
  const octets = new Uint8Array(values.length);
  for (const [i, value] of values.entries()) {
    const octet = value ?? 0;
    if (typeof octet !== 'number' || (octet & 0xff) !== octet) return undefined;
    octets[i] = octet;
  }
  return Buffer.from(octets).toString('base64');
}
