import { objectAt } from './fields.ts';
import type { JsonObject } from './object.ts';
import { addQuantities, compareQuantities } from './quantity-amounts.ts';
import { formatQuantity, parseQuantity, type Quantity } from './quantity.ts';

/** Amounts by the names of what they are of: `cpu`, `memory`, `pods`, … */
export type ResourceList = ReadonlyMap<string, Quantity>;

const NOTHING: ResourceList = new Map();

/** The amounts in a field of an object; what is no amount is left out. */
export function readResources(object: JsonObject | undefined, field: string): ResourceList {
  const given = objectAt(object, field);
  if (given === undefined) return NOTHING;
  const list = new Map<string, Quantity>();
  for (const [name, value] of Object.entries(given)) {
    const quantity = typeof value === 'string' ? parseQuantity(value) : undefined;
    if (quantity !== undefined) list.set(name, quantity);
  }
  return list;
}

/** The amounts as objects hold them, by name. */
export function writeResources(list: ResourceList): Record<string, string> {
  const written: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const name of [...list.keys()].sort()) written[name] = formatQuantity(list.get(name) as Quantity);
  return written;
}

/** Adds amounts to those of `sums`. */
export function addResources(sums: Map<string, Quantity>, more: ResourceList): void {
  for (const [name, amount] of more) {
    const sum = sums.get(name);
    sums.set(name, sum === undefined ? amount : addQuantities(sum, amount));
  }
}

/** Raises the amounts of `largest` to those that are larger. */
export function raiseResources(largest: Map<string, Quantity>, others: ResourceList): void {
  for (const [name, amount] of others) {
    const known = largest.get(name);
    if (known === undefined || compareQuantities(amount, known) > 0) largest.set(name, amount);
  }
}
