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
const UNITS: ReadonlyMap<string, Unit> = new Map([
  ...DECIMAL_UNITS.map((unit, i): [string, Unit] => [
    unit,
    { base: 10, exponent: 3 * i + FINEST, format: 'decimal' },
  ]),
  ...BINARY_UNITS.slice(1).map((unit, i): [string, Unit] => [
    unit,
    { base: 2, exponent: 10 * (i + 1), format: 'binary' },
  ]),
]);

/** What a unit stands for, as far as doubles tell. */
const FACTORS: ReadonlyMap<string, number> = new Map(
  [...UNITS].map(([unit, { base, exponent }]) => [unit, base ** exponent]),
);

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
  if (isPlain(text)) return text;
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
  if (isPlain(text) && !/[nu]$/.test(text)) return text;
  const quantity = parseQuantity(text);
  if (quantity === undefined || quantity.exponent >= exponent) return text;
  const unscaled = divideUp(quantity.unscaled, 10n ** BigInt(exponent - quantity.exponent));
  return unscaled * 10n ** BigInt(exponent - quantity.exponent) === quantity.unscaled
    ? text
    : formatQuantity({ unscaled, exponent, format: quantity.format });
}

/** Compares amounts, whatever their units: negative, zero or positive. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  const exponent = Math.min(a.exponent, b.exponent);
  const left = a.unscaled * 10n ** BigInt(a.exponent - exponent);
  const right = b.unscaled * 10n ** BigInt(b.exponent - exponent);
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * Compares amounts by their texts, most of them without reading them.
 *
 * @returns negative, zero or positive; undefined where one is no amount.
 */
export function compareQuantityTexts(a: string, b: string): number | undefined {
  // Below 1000 and of a unit, two amounts are equal or differ by far more than a double's precision.
  if (isPlain(a) && isPlain(b)) return plainAmount(a) - plainAmount(b);
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  return left === undefined || right === undefined ? undefined : compareQuantities(left, right);
}

/** Whether an amount, rounded up, is so many of a size, which has to be whole. Texts that are no amounts are not. */
export function isMultipleOf(amount: string, size: string): boolean {
  if (isPlain(amount) && isPlain(size)) {
    // Whole numbers below 1000 of a unit are exact in a double; a size in fractions leaves a rest.
    const unit = plainAmount(size);
    return Number.isInteger(unit) && Math.ceil(plainAmount(amount)) % unit === 0;
  }
  const [whole, unit] = [parseQuantity(amount), parseQuantity(size)];
  if (whole === undefined || unit === undefined || unit.unscaled <= 0n) return false;
  const units = wholeQuantity(unit);
  const isWhole = compareQuantities(unit, { ...unit, unscaled: units, exponent: 0 }) === 0;
  return isWhole && wholeQuantity(whole) % units === 0n;
}

/** The amount that a plain text is. */
function plainAmount(text: string): number {
  const value = parseInt(text, 10);
  const digits = value < 10 ? 1 : value < 100 ? 2 : 3;
  return text.length === digits ? value : value * (FACTORS.get(text.slice(digits)) ?? NaN);
}

/** The amount rounded up to a whole number. */
export function wholeQuantity(quantity: Quantity): bigint {
  return inUnitsOf(quantity, 0);
}

/** The amount in thousandths, rounded up. */
export function milliQuantity(quantity: Quantity): bigint {
  return inUnitsOf(quantity, -3);
}

/** No amount: the start of a sum. */
export const ZERO_QUANTITY: Quantity = { unscaled: 0n, exponent: 0, format: 'decimal' };

/** The sum, in the units of the first amount that isn't 0. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const exponent = Math.min(a.exponent, b.exponent);
  const left = a.unscaled * 10n ** BigInt(a.exponent - exponent);
  const right = b.unscaled * 10n ** BigInt(b.exponent - exponent);
  return { unscaled: left + right, exponent, format: a.unscaled === 0n ? b.format : a.format };
}

/** The difference, in the units of the first amount that isn't 0. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, { ...b, unscaled: -b.unscaled });
}

/** How many of 10^`unit` the amount is, rounded up. */
function inUnitsOf({ unscaled, exponent }: Quantity, unit: number): bigint {
  const digits = exponent - unit;
  return digits >= 0 ? unscaled * 10n ** BigInt(digits) : divideUp(unscaled, 10n ** BigInt(-digits));
}

/** Whether a text says a whole number that is not negative, in the way in which nearly all do; others may as well. */
export function isPlainCount(text: string): boolean {
  return isPlain(text) && !'num'.includes(text.charAt(text.length - 1));
}

/** Whether a text is a small number with or without unit that is canonical already: nearly all there are. */
function isPlain(text: string): boolean {
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
function divideUp(dividend: bigint, divisor: bigint): bigint {
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
