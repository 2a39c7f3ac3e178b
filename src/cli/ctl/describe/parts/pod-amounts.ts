import type { Quantity } from '../../../../meta/quantity.ts';
import type { Amounts, Container, Pod, Resources } from '../objects.ts';
import { addAmounts, amountOf, greaterAmount } from './amounts.ts';

/** Amounts by the name of what there is, to be added up. */
export type Sums = Map<string, Quantity>;

/** What pods ask for, and what they may have, together. */
export interface PodSums {
  readonly requests: Sums;
  readonly limits: Sums;
}

/** What a pod asks for and may have: its containers together, or what starting it needs where that is more. */
export function podAmounts(pod: Pod): PodSums {
  const { initContainers = [], overhead = {} } = pod.spec ?? {};
  const requests = sumOf(pod, requestsOf(pod), initContainers, 'requests');
  const limits = sumOf(pod, ({ resources }) => resources?.limits, initContainers, 'limits');
  addAll(requests, overhead);
  for (const name of Object.keys(overhead)) {
    const limit = limits.get(name);
    if (limit !== undefined && limit.unscaled !== 0n)
      limits.set(name, addAmounts(limit, amountOf(overhead[name])));
  }
  return { requests, limits };
}

export function addSums(sums: Sums, more: Sums): void {
  for (const [name, amount] of more) add(sums, name, amount);
}

function sumOf(
  { spec }: Pod,
  amountsOf: (container: Container) => Amounts | undefined,
  initContainers: readonly Container[],
  field: keyof Resources,
): Sums {
  const sums: Sums = new Map();
  for (const container of spec?.containers ?? []) addAll(sums, amountsOf(container));
  // Containers that go on beside the others count from when they start; of the rest, one runs at a time.
  const goingOn: Sums = new Map();
  const most: Sums = new Map();
  for (const container of initContainers) {
    const own = container.resources?.[field];
    const needed: Sums = new Map(goingOn);
    addAll(needed, own);
    if (container.restartPolicy === 'Always') {
      addAll(sums, own);
      addAll(goingOn, own);
    }
    raise(most, needed);
  }
  raise(sums, most);
  return sums;
}

/** A container that is being resized counts with what it has or what it is to have, whichever is more. */
function requestsOf({ status }: Pod): (container: Container) => Amounts | undefined {
  return ({ name, resources }) => {
    const actual = status?.containerStatuses?.find((one) => one.name === name)?.resources;
    if (actual === undefined) return resources?.requests;
    if (status?.resize === 'Infeasible') return actual.requests;
    const [wanted, had] = [resources?.requests ?? {}, actual.requests ?? {}];
    const greater: Record<string, string> = { ...wanted };
    for (const key of Object.keys(had)) {
      const amount = amountOf(had[key]);
      if (!Object.hasOwn(greater, key) || greaterAmount(amountOf(greater[key]), amount) === amount)
        greater[key] = had[key] ?? '';
    }
    return greater;
  };
}

function addAll(sums: Sums, amounts: Amounts = {}): void {
  for (const name of Object.keys(amounts)) add(sums, name, amountOf(amounts[name]));
}

function add(sums: Sums, name: string, amount: Quantity): void {
  const before = sums.get(name);
  sums.set(name, before === undefined ? amount : addAmounts(before, amount));
}

function raise(sums: Sums, others: Sums): void {
  for (const [name, amount] of others) {
    const before = sums.get(name);
    sums.set(name, before === undefined ? amount : greaterAmount(before, amount));
  }
}
