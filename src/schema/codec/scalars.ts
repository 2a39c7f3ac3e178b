import type { Json } from '../../meta/object.ts';
import { canonicalQuantity } from '../../meta/quantity.ts';
import { formatDuration, parseDuration } from '../../meta/duration.ts';
import { canonicalMicroTime, canonicalTime } from '../../meta/time.ts';
import type { ScalarKind } from '../model.ts';

/** The kinds that hold a single value with a form of its own. */
export type PlainScalar = Exclude<ScalarKind, 'rawObject' | 'json' | 'fieldsV1'>;

export function isScalar(kind: string): kind is PlainScalar {
  return Object.hasOwn(DECODERS, kind);
}

const INT32_MAX = 2_147_483_647;
const INT64_MAX = 2n ** 63n - 1n;

function text(canonical: (text: string) => string | null | undefined): (value: Json) => Json | undefined {
  return (value) => (typeof value === 'string' ? canonical(value) : undefined);
}

/** null for the empty time, which stands for none. */
function time(canonical: (text: string) => string | null | undefined): (value: Json) => Json | undefined {
  return (value) => (value === '' ? null : typeof value === 'string' ? canonical(value) : undefined);
}

function isInt32(value: Json): value is number {
  return Number.isInteger(value) && Math.abs((value as number) + 0.5) <= INT32_MAX + 0.5;
}

function int64(value: Json): Json | undefined {
  if (typeof value === 'bigint') return value <= INT64_MAX && value >= -INT64_MAX - 1n ? value : undefined;
  return Number.isInteger(value) && Math.abs(value as number) < 2 ** 63 ? value : undefined;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Base64 with padding; line breaks are ignored. */
function bytes(value: string): string | undefined {
  const compact = value.includes('\n') || value.includes('\r') ? value.replace(/[\r\n]/g, '') : value;
  return compact.length % 4 === 0 && BASE64.test(compact) ? compact : undefined;
}

function canonicalDuration(value: string): string | undefined {
  const nanoseconds = parseDuration(value);
  return nanoseconds === undefined ? undefined : formatDuration(nanoseconds);
}

const DECODERS: { readonly [K in PlainScalar]: (value: Json) => Json | undefined } = {
  string: (value) => (typeof value === 'string' ? value : undefined),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  int32: (value) => (isInt32(value) ? value : undefined),
  int64,
  double: (value) =>
    typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : undefined,
  bytes: text(bytes),
  time: time(canonicalTime),
  microTime: time(canonicalMicroTime),
  duration: text(canonicalDuration),
  quantity: (value) => {
    if (typeof value === 'number' || typeof value === 'bigint') return canonicalQuantity(String(value));
    return typeof value === 'string' ? canonicalQuantity(value.trim()) : undefined;
  },
  intOrString: (value) => (typeof value === 'string' || isInt32(value) ? value : undefined),
};

/** The canonical form of a value. @returns undefined when the type can't hold it. */
export function decodeScalar(kind: PlainScalar, value: Json): Json | undefined {
  return DECODERS[kind](value);
}
