/**
 * Amounts of resources, such as `1500m`, `2Gi` or `1e3`: a decimal number with a unit. The unit's family is kept, so
 * that an amount given in binary units is shown in binary units.
 */
export interface Quantity {
  /** The amount is `unscaled` × 10^`exponent`. */
  readonly unscaled: bigint;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

/** Units of 1000 (`m`, `k`, `M`), units of 1024 (`Ki`, `Mi`), or exponents (`e3`). */
export type QuantityFormat = 'decimal' | 'binary' | 'exponent';

interface Unit {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

/** Nothing is finer than a billionth. */
const FINEST = -9;
/** Where amounts in binary units end. */
const LARGEST_BINARY = (1n << 63n) - 1n;
/** Digits and exponents beyond this are no amount of anything; they would only cost time. */
const LONGEST = 256;
const LARGEST_EXPONENT = 1000;

const DECIMAL_UNITS = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY_UNITS = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
/** What may stand behind the digits. */
export const UNITS: ReadonlyMap<string, Unit> = new Map([
  ...DECIMAL_UNITS.map((unit, i): [string, Unit] => [
    unit,
    { base: 10, exponent: 3 * i + FINEST, format: 'decimal' },
  ]),
  ...BINARY_UNITS.slice(1).map((unit, i): [string, Unit] => [
    unit,
    { base: 2, exponent: 10 * (i + 1), format: 'binary' },
  ]),
]);

const SYNTAX = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[+-]?\d*)$/;

/** A quantity's text in its parts. */
interface Parts {
  readonly negative: boolean;
  /** Without leading zeros, but never empty. */
  readonly whole: string;
  readonly fraction: string;
  readonly unit: Unit;
}

/** Reads an amount. @returns undefined when the text is none. */
export function parseQuantity(text: string): Quantity | undefined {
  const parts = split(text);
  return parts === undefined ? undefined : evaluate(parts);
}

/**
 * The one text that the interface shows for an amount: no fraction, the largest unit that needs none; `1000m` is `1`,
 * `0.5` is `500m`, `1024Mi` is `1Gi`. Texts that are exact as they stand stay as they are, even with a redundant sign.
 *
 * @returns undefined when the text is no amount.
 */
export function canonicalQuantity(text: string): string | undefined {
  if (isPlainQuantity(text)) return text;
  const parts = split(text);
  if (parts === undefined) return undefined;
  return staysAsIs(parts) ? text : formatQuantity(evaluate(parts));
}

/** An amount's canonical text. */
export function formatQuantity(quantity: Quantity): string {
  const { unscaled, exponent, format } = quantity;
  if (unscaled === 0n) return '0';
  if (format === 'binary') {
    const whole = exponent >= 0 ? unscaled * 10n ** BigInt(exponent) : wholeOf(unscaled, -exponent);
    if (whole !== undefined && (whole <= -1024n || whole >= 1024n)) return binaryText(whole);
  }
  return decimalText(unscaled, exponent, format === 'exponent');
}

/**
 * The canonical text of an amount no finer than 10^`exponent`, rounded away from zero.
 *
 * @param text canonical.
 */
export function roundUpQuantity(text: string, exponent: number): string {
  if (isPlainQuantity(text) && !/[nu]$/.test(text)) return text;
  const quantity = parseQuantity(text);
  if (quantity === undefined || quantity.exponent >= exponent) return text;
  const unscaled = divideUp(quantity.unscaled, 10n ** BigInt(exponent - quantity.exponent));
  return unscaled * 10n ** BigInt(exponent - quantity.exponent) === quantity.unscaled
    ? text
    : formatQuantity({ unscaled, exponent, format: quantity.format });
}

/** Whether a text is a small number with or without unit that is canonical already: nearly all there are. */
export function isPlainQuantity(text: string): boolean {
  const { length } = text;
  let i = 0;
  let value = 0;
  for (; i < length && i < 4; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  if (i === 0 || value === 0 || value >= 1000 || text.charCodeAt(0) === 48) return text === '0';
  if (i === length) return true;
  if (length - i === 1) return 'numkMGTP'.includes(text.charAt(i));
  return length - i === 2 && text.charCodeAt(i + 1) === 105 && 'KMGTP'.includes(text.charAt(i));
}

function split(text: string): Parts | undefined {
  if (text.length > LONGEST) return undefined;
  const match = SYNTAX.exec(text);
  if (match === null) return undefined;
  const [, sign = '', digits = '', fraction = '', suffix = ''] = match;
  if (text === '') return undefined; // but a unit alone is none of it: zero
  const unit = unitOf(suffix);
  if (unit === undefined) return undefined;
  const whole = digits.replace(/^0+/, '');
  return { negative: sign === '-', whole: whole === '' ? '0' : whole, fraction, unit };
}

function unitOf(suffix: string): Unit | undefined {
  const unit = UNITS.get(suffix);
  if (unit !== undefined || !/^[eE][+-]?\d+$/.test(suffix)) return unit;
  const exponent = Number(suffix.slice(1));
  if (Math.abs(exponent) > LARGEST_EXPONENT) return undefined;
  return { base: 10, exponent, format: 'exponent' };
}

/** Amounts whose text is kept: few digits, a unit that divides them evenly, and no needless zeros. */
function staysAsIs({ whole, fraction, unit }: Parts): boolean {
  const digits = whole === '0' && fraction === '' ? '' : whole + fraction;
  if (unit.base === 2) {
    if (fraction !== '' || whole.length > 14 - Math.trunc((unit.exponent * 3) / 10)) return false;
    return (Number(whole) & 7) !== 0;
  }
  const exponent = unit.exponent - fraction.length;
  if (exponent < FINEST || whole.length + fraction.length > 18) return false;
  return exponent % 3 === 0 && digits !== '' && !digits.startsWith('0') && !digits.endsWith('000');
}

function evaluate({ negative, whole, fraction, unit }: Parts): Quantity {
  let unscaled = BigInt(whole + fraction);
  let exponent = -fraction.length;
  let { format } = unit;
  if (unit.base === 2) unscaled <<= BigInt(unit.exponent);
  else exponent += unit.exponent;
  if (exponent < FINEST) {
    unscaled = divideUp(unscaled, 10n ** BigInt(FINEST - exponent));
    exponent = FINEST;
  }
  if (format === 'binary') {
    const one = 10n ** BigInt(-exponent);
    if (unscaled > LARGEST_BINARY * one) {
      unscaled = LARGEST_BINARY;
      exponent = 0;
    } else if (unscaled < one && unscaled > 0n) format = 'decimal';
  }
  return { unscaled: negative ? -unscaled : unscaled, exponent, format };
}

/** Away from zero. */
export function divideUp(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  if (quotient * divisor === dividend) return quotient;
  return dividend < 0n ? quotient - 1n : quotient + 1n;
}

/** `unscaled` / 10^`digits` where that is whole. */
function wholeOf(unscaled: bigint, digits: number): bigint | undefined {
  const divisor = 10n ** BigInt(digits);
  return unscaled % divisor === 0n ? unscaled / divisor : undefined;
}

function binaryText(whole: bigint): string {
  let unit = 0;
  while (whole % 1024n === 0n && unit < BINARY_UNITS.length - 1) {
    whole /= 1024n;
    unit++;
  }
  return `${whole}${BINARY_UNITS[unit] ?? ''}`;
}

function decimalText(unscaled: bigint, exponent: number, asExponent: boolean): string {
  while (unscaled % 10n === 0n) {
    unscaled /= 10n;
    exponent++;
  }
  const highest = asExponent ? Infinity : 18;
  while (exponent % 3 !== 0 || exponent > highest) {
    unscaled *= 10n;
    exponent--;
  }
  const unit = asExponent ? (exponent === 0 ? '' : `e${exponent}`) : DECIMAL_UNITS[(exponent - FINEST) / 3];
  return `${unscaled}${unit ?? ''}`;
}
