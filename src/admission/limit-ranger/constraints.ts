import { compareQuantities, milliQuantity } from '../../meta/quantity-amounts.ts';
import { formatQuantity, type Quantity } from '../../meta/quantity.ts';
import type { ResourceList } from '../../meta/resource-list.ts';
import type { Limit } from './limit-range.ts';

/** What something asks for and may use. */
export interface Usage {
  readonly requests: ResourceList;
  /** Absent where there is no such thing: the storage of claims. */
  readonly limits?: ResourceList;
}

/** What breaks an item of a LimitRange, a sentence each. @param who whose resources they are. */
export function problems(limit: Limit, usage: Usage, who: string): string[] {
  const found: (string | undefined)[] = [];
  for (const [name, min] of limit.min) found.push(belowMin(name, min, usage));
  for (const [name, max] of limit.max) found.push(aboveMax(name, max, usage));
  if (usage.limits !== undefined)
    for (const [name, ratio] of limit.maxLimitRequestRatio) found.push(aboveRatio(name, ratio, usage));
  return found.filter((problem) => problem !== undefined).map((problem) => `${who}: ${problem}`);
}

function belowMin(name: string, min: Quantity, { requests, limits }: Usage): string | undefined {
  const rule = `at least ${formatQuantity(min)} of ${name} must be requested`;
  const request = requests.get(name);
  const limit = limits?.get(name);
  if (request === undefined) return `${rule}, and no request is specified`;
  if (isLess(request, min)) return `${rule}, and the request is ${formatQuantity(request)}`;
  if (limit !== undefined && isLess(limit, min)) return `${rule}, and the limit is ${formatQuantity(limit)}`;
  return undefined;
}

function aboveMax(name: string, max: Quantity, { requests, limits }: Usage): string | undefined {
  const rule = `at most ${formatQuantity(max)} of ${name} may be used`;
  const request = requests.get(name);
  const limit = limits?.get(name);
  if (limits === undefined && request === undefined) return `${rule}, and no request is specified`;
  if (limits !== undefined && limit === undefined) return `${rule}, and no limit is specified`;
  if (limit !== undefined && isLess(max, limit)) return `${rule}, and the limit is ${formatQuantity(limit)}`;
  if (request !== undefined && isLess(max, request))
    return `${rule}, and the request is ${formatQuantity(request)}`;
  return undefined;
}

function aboveRatio(name: string, ratio: Quantity, { requests, limits }: Usage): string | undefined {
  const rule = `the limit of ${name} may be at most ${formatQuantity(ratio)} times its request`;
  const request = requests.get(name);
  const limit = limits?.get(name);
  if (request === undefined || request.unscaled === 0n)
    return `${rule}, and the request is 0 or not specified`;
  if (limit === undefined || limit.unscaled === 0n) return `${rule}, and the limit is 0 or not specified`;
  const actual = Number(milliQuantity(limit)) / Number(milliQuantity(request));
  if (actual * 1000 <= Number(milliQuantity(ratio))) return undefined;
  return `${rule}, and it is ${Number(actual.toFixed(6))} times as much`;
}

/** Nothing finer than a thousandth counts. */
function isLess(a: Quantity, b: Quantity): boolean {
  return compareQuantities(a, b) < 0 && milliQuantity(a) < milliQuantity(b);
}
