import { ApiError } from '../../errors/api-error.ts';
import { forbiddenError } from '../../errors/status-errors.ts';
import { formatTime } from '../../lib/rfc3339.ts';
import { numberAt, objectAt, objectsAt, sizeOf } from '../../meta/fields.ts';
import { labelSelectorOf, type Labels } from '../../meta/label-selector.ts';
import { SelectorError } from '../../meta/selector-error.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { CreationContext } from '../hooks.ts';

const GROUP = 'policy';
const BUDGETS = 'poddisruptionbudgets';
/** So many pods may be on their way out before the controller has seen that they are gone. */
const MOST_DISRUPTED = 2000;

/** The budgets that count a pod, in its namespace. */
export async function budgetsOf(pod: ApiObject, context: CreationContext): Promise<ApiObject[]> {
  const labels = pod.metadata.labels ?? {};
  if (sizeOf(labels) === 0) return [];
  const budgets = await context.list(GROUP, BUDGETS);
  return budgets.filter((budget) => {
    const selector = objectAt(objectAt(budget, 'spec'), 'selector');
    return selector !== undefined && selects(selector, labels);
  });
}

/** A selector that makes no sense, as old releases have let pass, selects nothing. */
function selects(selector: JsonObject, labels: Labels): boolean {
  try {
    return labelSelectorOf(selector).matches(labels);
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

/** Takes one disruption from a budget. @throws ApiError 403, and 429 where none is left. */
export async function takeFromBudget(budget: ApiObject, context: CreationContext): Promise<void> {
  const name = budget.metadata.name ?? '';
  if (context.dryRun) {
    take(budget, context);
    return;
  }
  await context.change({ group: GROUP, resource: BUDGETS, name }, (stored) => take(stored, context));
}

function take(budget: ApiObject, { name, now }: CreationContext): void {
  const { metadata } = budget;
  const status = objectAt(budget, 'status') ?? {};
  const allowed = numberAt(status, 'disruptionsAllowed');
  const told = metadata.name ?? '';
  const refuse = (why: string): never => {
    throw forbiddenError({ group: GROUP, resource: BUDGETS }, told, why);
  };
  if (numberAt(status, 'observedGeneration') < (metadata.generation ?? 0))
    throw tooManyRequests(10, `The disruption budget ${told} is still being processed by the server.`);
  if (allowed < 0) refuse('its disruptionsAllowed is negative');
  if (sizeOf(status['disruptedPods']) > MOST_DISRUPTED) refuse('too many evicted pods are not gone yet');
  if (allowed === 0) throw tooManyRequests(0, needed(told, status));
  budget.status = {
    ...status,
    disruptionsAllowed: allowed - 1,
    disruptedPods: { ...objectAt(status, 'disruptedPods'), [name]: formatTime(now) },
    ...(allowed === 1 ? { conditions: withoutDisruption(status, metadata.generation ?? 0, now) } : {}),
  };
}

function needed(name: string, status: JsonObject): string {
  const [desired, current] = [numberAt(status, 'desiredHealthy'), numberAt(status, 'currentHealthy')];
  return `The disruption budget ${name} needs ${desired} healthy pods and has ${current} currently`;
}

/** The conditions of a budget of which nothing is left. */
function withoutDisruption(status: JsonObject, observedGeneration: number, now: number): JsonObject[] {
  const type = 'DisruptionAllowed';
  const before = objectsAt(status, 'conditions');
  const old = before.find((condition) => condition['type'] === type);
  const isSame = old?.['status'] === 'False';
  const condition = {
    ...{ type, status: 'False', observedGeneration, reason: 'InsufficientPods', message: '' },
    lastTransitionTime: isSame ? (old['lastTransitionTime'] ?? null) : formatTime(now),
  };
  return [...before.filter((it) => it !== old), condition];
}

/** 429 with the cause that clients know evictions by, and with Retry-After unless that is 0. */
export function tooManyRequests(retryAfterSeconds: number, message: string): ApiError {
  return new ApiError('TooManyRequests', "the eviction would violate the pod's disruption budget", {
    details: {
      causes: [{ reason: 'DisruptionBudget', message }],
      ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
    },
  });
}
