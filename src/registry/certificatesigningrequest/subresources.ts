import { formatTime } from '../../lib/rfc3339.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { isObject } from '../../meta/fields.ts';
import type { SubresourceHooks } from '../hooks.ts';
import { checkCertificate } from './certificate.ts';
import { checkConditions, conditionsOf, DECISIONS, ofType } from './conditions.ts';

/** The approval subresource sets the conditions, and nothing else. */
export const approvalHooks: SubresourceHooks = {
  resetFields: { 'f:spec': {}, 'f:status': { 'f:certificate': {} } },
  prepareForUpdate(request, old, { now }) {
    const conditions = timed(conditionsOf(request), conditionsOf(old), now);
    keep(request, old, 'spec');
    keep(request, old, 'status');
    setConditions(request, conditions);
  },
  validateUpdate: (request, old) => checkConditions(request, old, { decides: true }),
};

/** The status subresource sets the certificate and the conditions that are no decisions. */
export const statusHooks: SubresourceHooks = {
  resetFields: { 'f:status': { 'f:conditions': {} } },
  prepareForUpdate(request, old, { now }) {
    const before = conditionsOf(old);
    let conditions = conditionsOf(request);
    for (const type of DECISIONS) conditions = keepConditions(conditions, before, type);
    setConditions(request, timed(conditions, before, now));
  },
  validateUpdate: (request, old) => [
    ...checkConditions(request, old, { decides: false }),
    ...checkCertificate(request, old),
  ],
};

/** Conditions of a type are the old ones, whatever the request says of them, unless it adds or removes some: that is refused. */
function keepConditions(conditions: JsonObject[], before: readonly JsonObject[], type: string): JsonObject[] {
  const old = ofType(before, type);
  if (ofType(conditions, type).length !== old.length) return conditions;
  return conditions.map((condition) => (condition.type === type ? (old.shift() ?? condition) : condition));
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
