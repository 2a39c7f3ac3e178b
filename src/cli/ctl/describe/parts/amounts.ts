import { compareQuantities, wholeQuantity } from '../../../../meta/quantity-amounts.ts';
import { formatQuantity, parseQuantity, type Quantity } from '../../../../meta/quantity.ts';
import type { Description, Level } from '../description.ts';
import type { Amounts, Resources } from '../objects.ts';

const ZERO: Quantity = { unscaled: 0n, exponent: 0, format: 'decimal' };

/** What something may have and what it asks for. */
export function writeResources(page: Description, resources: Resources | undefined, level: Level): void {
  for (const [title, amounts] of [
    ['Limits', resources?.limits],
    ['Requests', resources?.requests],
  ] as const) {
    if (amounts === undefined || Object.keys(amounts).length === 0) continue;
    page.line(`${title}:`, level);
    writeAmounts(page, amounts, level + 1);
  }
}

/** A row for each amount, in order of their names. */
export function writeAmounts(page: Description, amounts: Amounts, level: Level): void {
  for (const name of Object.keys(amounts).sort()) page.row(name, amounts[name] ?? '', level);
}

/** @returns zero for no amount, and for a text that is none. */
export function amountOf(text: string | undefined): Quantity {
  return (text === undefined ? undefined : parseQuantity(String(text))) ?? ZERO;
}

/** In the unit of the first, unless that is zero. */
export function addAmounts(a: Quantity, b: Quantity): Quantity {
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = ({ unscaled, exponent: own }: Quantity): bigint => unscaled * 10n ** BigInt(own - exponent);
  return { unscaled: scaled(a) + scaled(b), exponent, format: a.unscaled === 0n ? b.format : a.format };
}

export function sumText(amount: Quantity | undefined): string {
  return formatQuantity(amount ?? ZERO);
}

/** In thousandths, rounded up. */
export function thousandths(amount: Quantity): number {
  return Number(wholeQuantity({ ...amount, exponent: amount.exponent + 3 }));
}

/** Rounded up. */
export function units(amount: Quantity): number {
  return Number(wholeQuantity(amount));
}

export function greaterAmount(a: Quantity, b: Quantity): Quantity {
  return compareQuantities(a, b) < 0 ? b : a;
}
