import { divideUp, isPlainQuantity, parseQuantity, UNITS, type Quantity } from './quantity.ts';

/** What a unit stands for, as far as doubles tell. */
const FACTORS: ReadonlyMap<string, number> = new Map(
  [...UNITS].map(([unit, { base, exponent }]) => [unit, base ** exponent]),
);

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
  if (isPlainQuantity(a) && isPlainQuantity(b)) return plainAmount(a) - plainAmount(b);
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  return left === undefined || right === undefined ? undefined : compareQuantities(left, right);
}

/** Whether an amount, rounded up, is so many of a size, which has to be whole. Texts that are no amounts are not. */
export function isMultipleOf(amount: string, size: string): boolean {
  if (isPlainQuantity(amount) && isPlainQuantity(size)) {
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
  return isPlainQuantity(text) && !'num'.includes(text.charAt(text.length - 1));
}
