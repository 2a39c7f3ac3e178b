import { milliQuantity } from '../../../meta/quantity-amounts.ts';
import { parseQuantity } from '../../../meta/quantity.ts';

const LARGEST = 1n << 63n;

/** Whether an amount of bytes is no whole number, or has more digits than anybody counts. */
export function isFractional(amount: string): boolean {
  if (amount === '' || /^[1-9]\d{0,17}([kMGTPE]i?)?$/.test(amount)) return false;
  const quantity = parseQuantity(amount);
  if (quantity === undefined) return false;
  return quantity.unscaled >= LARGEST || milliQuantity(quantity) % 1000n !== 0n;
}
