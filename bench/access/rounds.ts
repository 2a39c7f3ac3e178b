/** What is measured by turns: one round of it. @returns what it cost. */
export type Round = () => Promise<number>;

/** The middle of many values, and between what it lies with a certainty of 95 %. */
export interface Median {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export function medianOf(values: readonly number[]): Median {
  const sorted = values.toSorted((a, b) => a - b);
  const last = sorted.length - 1;
  const at = (rank: number): number => sorted[Math.min(last, Math.max(0, Math.round(rank)))] ?? NaN;
  // How many of n values lie below the true median is binomial: n/2, give or take 1.96 times the root of n/4.
  const reach = 0.98 * Math.sqrt(sorted.length);
  return { value: at(last / 2), low: at(last / 2 - reach), high: at(last / 2 + reach) };
}

export interface Compared {
  readonly base: Median;
  readonly other: Median;
  /** Of the two rounds of each pair. */
  readonly ratio: Median;
}

const WARM_UP = 10;

/**
 * Measures two things in pairs of short rounds, each as often first as the other: what else the machine does, and what
 * the rounds leave behind for each other, falls on both alike.
 */
export async function compare(base: Round, other: Round, pairs: number): Promise<Compared> {
  const costs = { base: [] as number[], other: [] as number[], ratio: [] as number[] };
  for (let i = -WARM_UP; i < pairs; i++) {
    const before = i % 2 === 0 ? await base() : undefined;
    const otherCost = await other();
    const baseCost = before ?? (await base());
    if (i < 0) continue;
    costs.base.push(baseCost);
    costs.other.push(otherCost);
    costs.ratio.push(otherCost / baseCost);
  }
  return { base: medianOf(costs.base), other: medianOf(costs.other), ratio: medianOf(costs.ratio) };
}

export function tellMedian({ value, low, high }: Median, digits: number): string {
  return `${value.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}
