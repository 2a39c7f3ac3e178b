import type { ApiObject } from '../../meta/object.ts';
import { addQuantities, compareQuantities, subtractQuantities } from '../../meta/quantity-amounts.ts';
import { formatQuantity, type Quantity } from '../../meta/quantity.ts';
import type { ResourceList } from '../../meta/resource-list.ts';
import type { QuotaEvaluator } from './evaluators/evaluator.ts';
import { isInScopes, measured, type Quota } from './quota.ts';
import type { ScopeRequirement } from './scopes.ts';

/** Something that nobody may have unless a quota covers it, by the configuration of the plugin. */
export interface LimitedResource {
  readonly group: string;
  readonly resource: string;
  /** Parts of the names of amounts. */
  readonly matchContains: readonly string[];
  readonly matchScopes: readonly ScopeRequirement[];
}

/** What a request is about, as far as quotas go. */
export interface Claimed {
  readonly evaluator: QuotaEvaluator;
  readonly object: ApiObject;
  /** What the object uses as it is to be, and how much that is more than before; only what is more than nothing. */
  readonly usage: ResourceList;
  readonly increase: ResourceList;
  /** Of its resource. */
  readonly limited: readonly LimitedResource[];
  /** Of any resource. */
  readonly limitedScopes: readonly ScopeRequirement[];
}

/** What is to be charged, by the names of quotas; or why it may not be. */
export type Verdict = { readonly charges: ReadonlyMap<string, ResourceList> } | { readonly refusal: string };

const NO_CHARGES: Verdict = { charges: new Map() };

/** How much more an object uses. */
export function increaseOf(usage: ResourceList, before: ResourceList | undefined): ResourceList {
  const increase = new Map<string, Quantity>();
  for (const [name, amount] of usage) {
    const old = before?.get(name);
    const more = old === undefined ? amount : subtractQuantities(amount, old);
    if (more.unscaled > 0n) increase.set(name, more);
  }
  return increase;
}

/**
 * Whether a claim fits into all quotas that have to do with it.
 *
 * @param quotas of its namespace
 * @param left those that are still to be charged: the others have been. Absent: all of them.
 */
export function check(claimed: Claimed, quotas: readonly Quota[], left?: ReadonlySet<string>): Verdict {
  const { evaluator, object, increase } = claimed;
  const counting: Quota[] = [];
  const covered = new Set<string>();
  for (const quota of quotas) {
    const names = measured(evaluator, quota.hard.keys());
    if (names.length === 0 || !isInScopes(evaluator, object, quota.scopes)) continue;
    const problem = evaluator.problem?.(object, names);
    if (problem !== undefined) return { refusal: `failed quota: ${quota.name}: ${problem}` };
    if (names.some((name) => !quota.used.has(name)))
      return { refusal: `status unknown for quota: ${quota.name}, resources: ${names.sort().join(',')}` };
    counting.push(quota);
    for (const name of names) covered.add(name);
  }
  if (increase.size === 0) return NO_CHARGES;
  const refusal = uncovered(claimed, covered, quotas);
  if (refusal !== undefined) return { refusal };
  return chargeAll(left === undefined ? counting : counting.filter(({ name }) => left.has(name)), increase);
}

function chargeAll(quotas: readonly Quota[], increase: ResourceList): Verdict {
  if (quotas.length === 0) return NO_CHARGES;
  const charges = new Map<string, ResourceList>();
  for (const quota of quotas) {
    const asked = new Map([...increase].filter(([name]) => quota.hard.has(name)));
    const exceeded = [...asked]
      .filter(([name, amount]) => exceeds(quota, name, amount))
      .map(([name]) => name);
    if (exceeded.length > 0) return { refusal: exceededText(quota, asked, exceeded.sort()) };
    if (asked.size > 0) charges.set(quota.name, asked);
  }
  return { charges };
}

function exceeds({ hard, used }: Quota, name: string, amount: Quantity): boolean {
  const limit = hard.get(name);
  const now = used.get(name);
  const then = now === undefined ? amount : addQuantities(now, amount);
  return limit !== undefined && compareQuantities(then, limit) > 0;
}

function exceededText(
  { name: quota, hard, used }: Quota,
  asked: ResourceList,
  names: readonly string[],
): string {
  const show = (list: ResourceList): string =>
    names
      .flatMap((name) => {
        const amount = list.get(name);
        return amount === undefined ? [] : [`${name}=${formatQuantity(amount)}`];
      })
      .join(',');
  return `exceeded quota: ${quota}, requested: ${show(asked)}, used: ${show(used)}, limited: ${show(hard)}`;
}

/** What would have to be covered by some quota, and is not. */
function uncovered(
  { evaluator, object, usage, limited, limitedScopes }: Claimed,
  covered: ReadonlySet<string>,
  quotas: readonly Quota[],
): string | undefined {
  const needed = [...usage]
    .filter(([name, amount]) => amount.unscaled > 0n && limited.some((one) => mentions(one, name)))
    .map(([name]) => name);
  const missing = needed.filter((name) => !covered.has(name));
  if (missing.length > 0) return `insufficient quota to consume: ${missing.sort().join(',')}`;
  const isIn = (scope: ScopeRequirement): boolean => isInScopes(evaluator, object, [scope]);
  const scopes = limitedScopes.filter(isIn);
  if (scopes.length === 0) return undefined;
  const had = new Set(quotas.flatMap((quota) => quota.scopes.filter(isIn).map(({ scope }) => scope)));
  const without = scopes.filter(({ scope }) => !had.has(scope)).map(({ scope }) => scope);
  return without.length === 0 ? undefined : `insufficient quota to match these scopes: ${without.join(',')}`;
}

function mentions({ matchContains }: LimitedResource, name: string): boolean {
  return matchContains.some((part) => name.includes(part));
}
