import { isObject, objectAt, objectsAt } from '../../meta/fields.ts';
import type { ApiObject, Json, JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { StoredEntry } from '../../store/object-store.ts';
import type { PodFacts } from './pod-facts.ts';

/** How long a pod whose eviction was allowed counts as gone, milliseconds. */
const EVICTION_MS = 120_000;

/** A pod that a budget is about. */
export interface BudgetPod {
  readonly entry: StoredEntry;
  readonly facts: PodFacts;
}

/** What a budget demands, as figures. */
export interface Demand {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
}

/** What a budget demands of so many pods as there are, and as are expected. */
export function demandOf(
  budget: ApiObject,
  { present, expected }: { present: number; expected: number },
): Demand {
  const spec = objectAt(budget, 'spec');
  const { maxUnavailable, minAvailable } = spec ?? {};
  if (maxUnavailable != null) {
    const desired = expected - portionOf(maxUnavailable, expected);
    return { expectedPods: expected, desiredHealthy: Math.max(desired, 0) };
  }
  if (typeof minAvailable === 'number') return { expectedPods: present, desiredHealthy: minAvailable };
  if (minAvailable == null) return { expectedPods: 0, desiredHealthy: 0 };
  return { expectedPods: expected, desiredHealthy: portionOf(minAvailable, expected) };
}

/** Whether a budget's figures need to know how many pods their controllers want. */
export function needsScale(budget: ApiObject): boolean {
  const { maxUnavailable, minAvailable } = objectAt(budget, 'spec') ?? {};
  return maxUnavailable != null || typeof minAvailable === 'string';
}

/** A number, or so many percent of a total, rounded up. @throws Error for other texts. */
function portionOf(value: Json, total: number): number {
  if (typeof value === 'number') return value;
  const percent = typeof value === 'string' ? /^(\d+)%$/.exec(value)?.[1] : undefined;
  if (percent === undefined) throw new Error(`${JSON.stringify(value)} is neither a number nor a percentage`);
  return Math.ceil((total * Number(percent)) / 100);
}

/** The pods whose eviction was allowed and that are still there. */
export interface Disrupted {
  /** When each was allowed, by name. */
  readonly pods: Readonly<Record<string, string>>;
  /** Those that should have gone by now. */
  readonly overdue: readonly BudgetPod[];
  /** When the first of the others counts again, milliseconds since 1970; infinite for none. */
  readonly next: number;
}

export function disruptedOf(budget: ApiObject, pods: readonly BudgetPod[], now: number): Disrupted {
  const recorded = objectAt(objectAt(budget, 'status'), 'disruptedPods') ?? {};
  const left: Record<string, string> = {};
  const overdue: BudgetPod[] = [];
  let next = Infinity;
  for (const pod of pods) {
    const { name } = pod.entry;
    const time = Object.hasOwn(recorded, name) ? recorded[name] : undefined;
    if (typeof time !== 'string' || pod.facts.deleting) continue;
    const end = Date.parse(time) + EVICTION_MS;
    if (end < now) {
      overdue.push(pod);
    } else {
      left[name] = time;
      next = Math.min(next, end);
    }
  }
  return { pods: left, overdue, next };
}

export function countHealthy(pods: readonly BudgetPod[], disrupted: Disrupted, now: number): number {
  let healthy = 0;
  for (const { entry, facts } of pods) {
    const time = Object.hasOwn(disrupted.pods, entry.name) ? disrupted.pods[entry.name] : undefined;
    const isEvicted = time !== undefined && Date.parse(time) + EVICTION_MS > now;
    if (facts.ready && !facts.deleting && !isEvicted) healthy++;
  }
  return healthy;
}

export interface Figures extends Demand {
  readonly currentHealthy: number;
  readonly disruptedPods: Readonly<Record<string, string>>;
}

/**
 * Writes figures into a budget's status.
 *
 * @param budget changed in place. @param now as objects carry times. @returns whether anything changed
 */
export function setFigures(budget: ApiObject, figures: Figures, now: string): boolean {
  const { expectedPods, desiredHealthy, currentHealthy, disruptedPods } = figures;
  const allowed = expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0;
  const observedGeneration = budget.metadata.generation ?? 0;
  const old = isObject(budget.status) ? budget.status : {};
  const condition = {
    type: 'DisruptionAllowed',
    status: allowed > 0 ? 'True' : 'False',
    reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    observedGeneration,
  };
  const status: JsonObject = {
    ...(Object.keys(disruptedPods).length === 0 ? {} : { disruptedPods: { ...disruptedPods } }),
    disruptionsAllowed: allowed,
    ...{ currentHealthy, desiredHealthy, expectedPods, observedGeneration },
    conditions: withCondition(old, condition, now),
  };
  return setStatus(budget, old, status);
}

/**
 * Says that nobody can tell what a budget allows: nothing, then.
 *
 * @param budget changed in place. @returns whether anything changed
 */
export function setFailure(budget: ApiObject, message: string, now: string): boolean {
  const old = isObject(budget.status) ? budget.status : {};
  const { observedGeneration = 0 } = old;
  const condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    reason: 'SyncFailed',
    message,
    observedGeneration,
  };
  const conditions = withCondition(old, condition, now);
  return setStatus(budget, old, { ...old, disruptionsAllowed: 0, conditions });
}

function setStatus(budget: ApiObject, old: JsonObject, status: JsonObject): boolean {
  budget.status = status;
  return !sameJson(old, status);
}

function withCondition(status: JsonObject, next: JsonObject, now: string): JsonObject[] {
  const conditions = objectsAt(status, 'conditions');
  const current = conditions.find(({ type }) => type === next.type);
  const isNew = current === undefined || current.status !== next.status;
  const condition = { ...next, lastTransitionTime: isNew ? now : (current['lastTransitionTime'] ?? now) };
  return current === undefined
    ? [...conditions, condition]
    : conditions.map((one) => (one === current ? condition : one));
}
