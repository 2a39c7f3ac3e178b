import { forbidden, invalid, notSupported, required, type FieldError } from '../../errors/field-error.ts';
import { formatTime } from '../../lib/rfc3339.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { isObject, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { SubresourceHooks } from '../hooks.ts';

/** What an approver decides; only the approval subresource says it. */
const DECISIONS: readonly string[] = ['Approved', 'Denied'];
/** Conditions that are true once they are there, and stay. */
const LASTING: readonly string[] = [...DECISIONS, 'Failed'];

/** The approval subresource sets the conditions, and nothing else. */
export const approvalHooks: SubresourceHooks = {
  resetFields: { 'f:spec': {}, 'f:status': { 'f:certificate': {} } },
  prepareForUpdate(request, old, { now }) {
    const conditions = timed(conditionsOf(request), conditionsOf(old), now);
    keep(request, old, 'spec');
    keep(request, old, 'status');
    setConditions(request, conditions);
  },
  validateUpdate: checkConditions,
};

/** The status subresource sets the certificate and the conditions that are no decisions. */
export const statusHooks: SubresourceHooks = {
  resetFields: { 'f:status': { 'f:conditions': {} } },
  prepareForUpdate(request, old, { now }) {
    const before = conditionsOf(old);
    const decided = before.filter(isDecision);
    const others = conditionsOf(request).filter((condition) => !isDecision(condition));
    setConditions(request, timed([...decided, ...others], before, now));
  },
  validateUpdate: checkConditions,
};

function isDecision(condition: JsonObject): boolean {
  return DECISIONS.includes(textAt(condition, 'type'));
}

function conditionsOf(request: ApiObject): JsonObject[] {
  return objectsAt(objectAt(request, 'status'), 'conditions');
}

function setConditions(request: ApiObject, conditions: JsonObject[]): void {
  const { conditions: _, ...rest } = isObject(request.status) ? request.status : {};
  request.status = conditions.length === 0 ? rest : { ...rest, conditions };
}

function keep(request: ApiObject, old: ApiObject, field: 'spec' | 'status'): void {
  if (old[field] === undefined) delete request[field];
  else request[field] = old[field];
}

/** Conditions with the times that the request left open. */
function timed(conditions: readonly JsonObject[], before: readonly JsonObject[], now: number): JsonObject[] {
  const time = formatTime(now);
  return conditions.map((condition) => {
    const same = before.find((other) => other.type === condition.type && other.status === condition.status);
    return {
      ...condition,
      lastUpdateTime: condition.lastUpdateTime ?? time,
      lastTransitionTime: condition.lastTransitionTime ?? same?.lastTransitionTime ?? time,
    };
  });
}

function checkConditions(request: ApiObject, old: ApiObject): FieldError[] {
  const conditions = conditionsOf(request);
  const types = conditions.map((condition) => textAt(condition, 'type'));
  const errors: FieldError[] = [];
  for (const type of LASTING) {
    if (types.includes(type) || !conditionsOf(old).some((condition) => condition.type === type)) continue;
    errors.push(forbidden('status.conditions', `updates may not remove a condition of type "${type}"`));
  }
  const decided = types.findIndex((type) => DECISIONS.includes(type));
  for (const [i, condition] of conditions.entries()) {
    const type = types[i] as string;
    const at = `status.conditions[${i}]`;
    const status = textAt(condition, 'status');
    if (type === '') errors.push(required(`${at}.type`));
    if (LASTING.includes(type) && status !== 'True')
      errors.push(notSupported(`${at}.status`, status, ['True']));
    if (DECISIONS.includes(type) && type !== types[decided])
      errors.push(invalid(`${at}.type`, type, 'Approved and Denied conditions are mutually exclusive'));
  }
  return errors;
}
