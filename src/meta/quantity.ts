/** How a quantity was written, which its canonical form keeps: `1k`, `1Ki` or `1e3`. */
type Format = 'decimal' | 'binary' | 'exponent';

/** A quantity: an exact multiple of 10^-9. */
export interface Quantity {
  readonly nanos: bigint;
  readonly format: Format;
}

const NANO = 1_000_000_000n;
/** Values beyond int64 are cut to its range. */
const MAX_NANOS = (2n ** 63n - 1n) * NANO;
/** Of the number's digits, and of an exponent: more can only be a bomb. */
const MAX_DIGITS = 400;

const DECIMAL_SUFFIXES = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const DECIMAL_BY_EXPONENT = new Map([...DECIMAL_SUFFIXES].map(([suffix, exponent]) => [exponent, suffix]));
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

const SYNTAX = /^([+-]?)(\d*)(?:\.(\d*))?([numkMGTPE]?|[KMGTPE]i|[eE][+-]?\d+)$/;

/** Reads a quantity such as `100m`, `1.5Gi` or `2e3`. What is finer than 10^-9 is rounded away from zero. */
export function parseQuantity(text: string): Quantity | undefined {
  if (text.length > MAX_DIGITS) return undefined;
  const match = SYNTAX.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const digits = BigInt(whole + fraction);
  const { factor, exponent, format } = scaleOf(suffix);
  if (Math.abs(exponent) > MAX_DIGITS) return undefined;
  const magnitude = scale(digits * factor, exponent - fraction.length + 9);
  const nanos = magnitude > MAX_NANOS ? MAX_NANOS : magnitude;
  return { nanos: sign === '-' ? -nanos : nanos, format };
}

function scaleOf(suffix: string): { factor: bigint; exponent: number; format: Format } {
  const decimal = DECIMAL_SUFFIXES.get(suffix);
  if (decimal !== undefined) return { factor: 1n, exponent: decimal, format: 'decimal' };
  const binary = BINARY_SUFFIXES.indexOf(suffix);
  if (binary > 0) return { factor: 1024n ** BigInt(binary), exponent: 0, format: 'binary' };
  return { factor: 1n, exponent: Number(suffix.slice(1)), format: 'exponent' };
}

/** value × 10^exponent, rounded up. */
function scale(value: bigint, exponent: number): bigint {
  if (exponent >= 0) return value * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return (value + divisor - 1n) / divisor;
}

/**
 * The canonical text: no fraction, the largest suffix that keeps it whole, in the format it was written in (binary ones
 * that are small or have a fraction become decimal).
 */
export function formatQuantity({ nanos, format }: Quantity): string {
  if (nanos === 0n) return '0';
  const sign = nanos < 0n ? '-' : '';
  const magnitude = nanos < 0n ? -nanos : nanos;
  const binary = format === 'binary' && magnitude >= 1024n * NANO && magnitude % NANO === 0n;
  return sign + (binary ? formatBinary(magnitude / NANO) : formatDecimal(magnitude, format === 'exponent'));
}

function formatBinary(value: bigint): string {
  let power = 0;
  while (power < BINARY_SUFFIXES.length - 1 && value % 1024n === 0n) {
    value /= 1024n;
    power++;
  }
  return `${value}${BINARY_SUFFIXES[power]}`;
}

function formatDecimal(nanos: bigint, asExponent: boolean): string {
  let exponent = -9;
  let value = nanos;
  while (exponent < 18 && value % 1000n === 0n) {
    value /= 1000n;
    exponent += 3;
  }
  if (!asExponent) return `${value}${DECIMAL_BY_EXPONENT.get(exponent)}`;
  return exponent === 0 ? value.toString() : `${value}e${exponent}`;
}

/** Whether a text is already canonical in a way that needs no arithmetic: the plain numbers that most quantities are. */
const PLAIN = /^[1-9]\d{0,2}(?:m|Mi|Gi|)$/;

/** The canonical form of a quantity's text. @returns undefined when it is none. */
export function canonicalQuantity(text: string): string | undefined {
  if (PLAIN.test(text)) return text;
  const quantity = parseQuantity(text);
  return quantity === undefined ? undefined : formatQuantity(quantity);
}
