import { ApiError } from '../../errors/api-error.ts';
import { badRequestError, conflictError } from '../../errors/status-errors.ts';
import { numberAt, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { CreationContext, SubresourceCreation } from '../hooks.ts';
import { CREATED } from './binding.ts';
import { budgetsOf, takeFromBudget, tooManyRequests } from './disruption.ts';
import { setCondition } from './prepare.ts';

/** So often a pod that others write to is read again. */
const ATTEMPTS = 20;

/** POST to `pods/{name}/eviction`: a deletion that budgets for disruptions may refuse. */
export const evictPod: SubresourceCreation = async (eviction, context) => {
  if (eviction.metadata.name !== context.name)
    throw badRequestError('the eviction names another pod than the path');
  const options = optionsOf(eviction, context);
  await context.admit();
  const pod = await removeUncounted(options, context);
  if (pod === undefined) return { outcome: CREATED };
  const budgets = await budgetsOf(pod, context);
  const [budget, ...others] = budgets;
  if (others.length > 0)
    throw new ApiError('', 'the pod has more than one PodDisruptionBudget, and eviction knows only one');
  let pinned = options;
  if (budget !== undefined) {
    if (spares(budget, pod)) pinned = atVersion(options, pod);
    else await takeFromBudget(budget, { ...context, dryRun: isDryRun(options) });
  }
  try {
    await remove(pinned, context);
  } catch (error) {
    if (budget === undefined || pinned === options || !isConflict(error) || versionOf(options) !== undefined)
      throw error;
    throw tooManyRequests(
      10,
      `The disruption budget ${budget.metadata.name} is still being processed by the server.`,
    );
  }
  return { outcome: CREATED };
};

/** The options of the deletion: a dry run where either part of the request asks for one. */
function optionsOf(eviction: ApiObject, { dryRun }: CreationContext): JsonObject {
  const asked = objectAt(eviction, 'deleteOptions') ?? {};
  return dryRun && !isDryRun(asked) ? { ...asked, dryRun: ['All'] } : asked;
}

function isDryRun({ dryRun }: JsonObject): boolean {
  return Array.isArray(dryRun) && dryRun.length > 0;
}

/** Removes a pod that no budget counts. @returns the pod where budgets are to be asked. */
async function removeUncounted(
  options: JsonObject,
  context: CreationContext,
): Promise<ApiObject | undefined> {
  for (let attempt = 1; ; attempt++) {
    const pod = await context.parent();
    if (!isUncounted(pod)) return pod;
    const isPending = pod.metadata.deletionTimestamp == null && phaseOf(pod) === 'Pending';
    try {
      await remove(
        isPending && versionOf(options) === undefined ? atVersion(options, pod) : options,
        context,
      );
      return undefined;
    } catch (error) {
      if (!isConflict(error) || versionOf(options) !== undefined || attempt >= ATTEMPTS) throw error;
    }
  }
}

const UNCOUNTED: ReadonlySet<string> = new Set(['Pending', 'Succeeded', 'Failed']);

function isUncounted(pod: ApiObject): boolean {
  return pod.metadata.deletionTimestamp != null || UNCOUNTED.has(phaseOf(pod));
}

function phaseOf(pod: ApiObject): string {
  return textAt(objectAt(pod, 'status'), 'phase');
}

/** Whether the pod does nothing for its budget: it isn't ready, and others are, or the budget doesn't mind. */
function spares(budget: ApiObject, pod: ApiObject): boolean {
  const ready = objectsAt(objectAt(pod, 'status'), 'conditions').find(({ type }) => type === 'Ready');
  if (ready?.['status'] === 'True') return false;
  if (objectAt(budget, 'spec')?.['unhealthyPodEvictionPolicy'] === 'AlwaysAllow') return true;
  const status = objectAt(budget, 'status');
  const desired = numberAt(status, 'desiredHealthy');
  return desired > 0 && numberAt(status, 'currentHealthy') >= desired;
}

/** Says why the pod goes, and deletes it. @throws ApiError 404, 409, 422. */
async function remove(options: JsonObject, context: CreationContext): Promise<void> {
  const { name, now } = context;
  if (isDryRun(options)) return context.remove(options);
  const marked = await context.change({ group: '', resource: 'pods', name }, (pod) => {
    checkPreconditions(pod, options);
    const status = objectAt(pod, 'status') ?? {};
    setCondition(status, DISRUPTED, now);
    pod.status = status;
  });
  await context.remove(versionOf(options) === undefined ? options : atVersion(options, marked));
}

const DISRUPTED = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
};

/** @throws ApiError 409. */
function checkPreconditions({ metadata }: ApiObject, options: JsonObject): void {
  const { uid, resourceVersion } = objectAt(options, 'preconditions') ?? {};
  const refuse = (what: string): never => {
    throw conflictError({ group: '', resource: 'Pod' }, metadata.name ?? '', what);
  };
  if (uid != null && uid !== '' && uid !== metadata.uid) refuse(`its uid is ${metadata.uid}`);
  if (resourceVersion != null && resourceVersion !== '' && resourceVersion !== metadata.resourceVersion)
    refuse(`its resourceVersion is ${metadata.resourceVersion}`);
}

function versionOf(options: JsonObject): string | undefined {
  return textAt(objectAt(options, 'preconditions'), 'resourceVersion') || undefined;
}

function atVersion(options: JsonObject, { metadata }: ApiObject): JsonObject {
  const preconditions = {
    ...objectAt(options, 'preconditions'),
    resourceVersion: metadata.resourceVersion ?? '',
  };
  return { ...options, preconditions };
}

function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'Conflict';
}
