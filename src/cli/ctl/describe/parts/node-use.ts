import type { Quantity } from '../../../../meta/quantity.ts';
import type { Description } from '../description.ts';
import type { Amounts, Pod } from '../objects.ts';
import { since } from '../times.ts';
import { amountOf, sumText, thousandths, units } from './amounts.ts';
import { addSums, podAmounts, type PodSums } from './pod-amounts.ts';

const HUGE_PAGES = 'hugepages-';
/** What every node has, in the order in which it is shown. */
const COMMON = ['cpu', 'memory', 'ephemeral-storage'];

export interface NodeUse {
  /** What the node has for pods. */
  readonly allocatable: Amounts;
  readonly now: number;
}

/** The pods of a node, and what they ask for of what it has. */
export function writeNodeUse(page: Description, pods: readonly Pod[], { allocatable, now }: NodeUse): void {
  const total: PodSums = { requests: new Map(), limits: new Map() };
  page.row('Non-terminated Pods', `(${pods.length} in total)`);
  page.line('Namespace\tName\t\tCPU Requests\tCPU Limits\tMemory Requests\tMemory Limits\tAge', 1);
  page.line('---------\t----\t\t------------\t----------\t---------------\t-------------\t---', 1);
  for (const pod of pods) {
    const sums = podAmounts(pod);
    const cells = ['cpu', 'memory'].flatMap((name) => shares(name, sums, allocatable));
    const { namespace = '', name = '', creationTimestamp } = pod.metadata;
    page.line(`${namespace}\t${name}\t\t${cells.join('\t')}\t${since(creationTimestamp, now)}`, 1);
    addSums(total.requests, sums.requests);
    addSums(total.limits, sums.limits);
  }
  page.line('Allocated resources:');
  page.line('(Total limits may be over 100 percent, i.e., overcommitted.)', 1);
  page.line('Resource\tRequests\tLimits', 1);
  page.line('--------\t--------\t------', 1);
  const names = Object.keys(allocatable).sort();
  const hugePages = names.filter((name) => name.startsWith(HUGE_PAGES));
  for (const name of [...COMMON, ...hugePages])
    page.line([name, ...shares(name, total, allocatable)].join('\t'), 1);
  for (const name of names) {
    if (COMMON.includes(name) || name === 'pods' || name.startsWith(HUGE_PAGES)) continue;
    page.line(`${name}\t${sumText(total.requests.get(name))}\t${sumText(total.limits.get(name))}`, 1);
  }
}

/** Requests and limits, each with its share of what there is. */
function shares(name: string, { requests, limits }: PodSums, allocatable: Amounts): string[] {
  const measure = name === 'cpu' ? thousandths : units;
  const all = measure(amountOf(allocatable[name]));
  return [requests.get(name), limits.get(name)].map((amount: Quantity | undefined) => {
    const share = all === 0 ? 0 : Math.trunc((measure(amount ?? amountOf('0')) / all) * 100);
    return `${sumText(amount)} (${share}%)`;
  });
}
