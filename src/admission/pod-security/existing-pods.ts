import { Pacer } from '../../lib/pacer.ts';
import type { Clock } from '../../lib/clock.ts';
import { objectAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import { viewOf } from './checks/check.ts';
import { inBrief, type Evaluate } from './checks/checks.ts';
import { formatPolicy, type LevelVersion } from './policy.ts';

/** A pod that is read when somebody looks at it. */
export interface ListedPod {
  readonly name: string;
  object(): ApiObject;
}

/** So many pods of a namespace are looked at, and no longer than this, milliseconds. */
const MOST_PODS = 3000;
const LONGEST_MS = 1000;

export interface PodsOfNamespace {
  readonly namespace: string;
  readonly pods: readonly ListedPod[];
  readonly isExempt: (runtimeClass: string) => boolean;
}

/** What pods that are there already break of a new policy: texts for warnings. */
export async function existingViolations(
  { namespace, pods, isExempt }: PodsOfNamespace,
  policy: LevelVersion,
  { evaluate, clock }: { readonly evaluate: Evaluate; readonly clock: Clock },
): Promise<string[]> {
  const found = new Map<string, { first: string; count: number }>();
  const until = clock.monotonic() + LONGEST_MS;
  const pacer = new Pacer();
  let checked = 0;
  let exempt = 0;
  const look = (pod: ApiObject): void => {
    checked++;
    const why = inBrief(evaluate(policy, viewOf(pod.metadata, objectAt(pod, 'spec') ?? {})));
    if (why === '') return;
    const name = pod.metadata.name ?? '';
    const known = found.get(why);
    if (known === undefined) found.set(why, { first: name, count: 1 });
    else {
      known.count++;
      if (name < known.first) known.first = name;
    }
  };
  // One pod of each controller first: the others are much the same.
  const owners = new Set<string>();
  const others: ListedPod[] = [];
  const mayGoOn = (): boolean => checked < MOST_PODS && clock.monotonic() < until;
  for (const listed of pods) {
    if (!mayGoOn()) break;
    if (pacer.due()) await pacer.rest();
    const pod = listed.object();
    const owner = controllerOf(pod);
    if (isExempt(textAt(objectAt(pod, 'spec'), 'runtimeClassName'))) exempt++;
    else if (owner !== '' && owners.has(owner)) others.push(listed);
    else {
      owners.add(owner);
      look(pod);
    }
  }
  for (const listed of others) {
    if (!mayGoOn()) break;
    if (pacer.due()) await pacer.rest();
    look(listed.object());
  }
  return texts({ found, checked, all: pods.length - exempt, namespace, policy });
}

function controllerOf(pod: ApiObject): string {
  return pod.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid ?? '';
}

interface Findings {
  readonly found: ReadonlyMap<string, { readonly first: string; readonly count: number }>;
  readonly checked: number;
  readonly all: number;
  readonly namespace: string;
  readonly policy: LevelVersion;
}

function texts({ found, checked, all, namespace, policy }: Findings): string[] {
  const warnings: string[] = [];
  if (checked < all)
    warnings.push(`new PodSecurity enforce level only checked against ${checked} of ${all} existing pods`);
  if (found.size > 0) {
    const level = formatPolicy(policy);
    warnings.push(
      `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${level}"`,
    );
  }
  const ofPods = [...found].map(([why, { first, count }]) => `${first}${andOthers(count - 1)}: ${why}`);
  return [...warnings, ...ofPods.sort()];
}

function andOthers(count: number): string {
  if (count === 0) return '';
  return ` (and ${count} other pod${count === 1 ? '' : 's'})`;
}
