import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../errors/field-error.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';

/** What an approver decides; only the approval subresource says it. */
export const DECISIONS: readonly string[] = ['Approved', 'Denied'];
/** Conditions that are true once they are there, and stay. */
const LASTING: readonly string[] = [...DECISIONS, 'Failed'];
const STATUSES: readonly string[] = ['False', 'True', 'Unknown'];
const FIELD = 'status.conditions';

export function conditionsOf(request: ApiObject): JsonObject[] {
  return objectsAt(objectAt(request, 'status'), 'conditions');
}

/** The conditions of one type, in a list of their own. */
export function ofType(conditions: readonly JsonObject[], type: string): JsonObject[] {
  return conditions.filter((condition) => condition.type === type);
}

/** Rules for the conditions that an update may not break; what broke one before may go on doing so. */
const LENIENT_RULES: readonly ((conditions: readonly JsonObject[]) => FieldError[])[] = [
  checkTypes,
  checkExclusion,
  checkRepetition,
];

/**
 * Rules for an update of the conditions.
 *
 * @param decides whether it may set decisions.
 */
export function checkConditions(
  request: ApiObject,
  old: ApiObject,
  { decides }: { readonly decides: boolean },
): FieldError[] {
  const conditions = conditionsOf(request);
  const before = conditionsOf(old);
  return [
    ...checkStatuses(conditions),
    ...LENIENT_RULES.flatMap((rule) => (rule(before).length > 0 ? [] : rule(conditions))),
    ...LASTING.flatMap((type) => checkKept(type, conditions, before)),
    ...(decides ? [] : DECISIONS.flatMap((type) => checkUntouched(type, conditions, before))),
  ];
}

function checkStatuses(conditions: readonly JsonObject[]): FieldError[] {
  return conditions.flatMap((condition, i) => {
    const field = `${FIELD}[${i}].status`;
    const status = textAt(condition, 'status');
    const allowed = LASTING.includes(textAt(condition, 'type')) ? ['True'] : STATUSES;
    if (status === '') return [required(field)];
    return allowed.includes(status) ? [] : [notSupported(field, status, allowed)];
  });
}

function checkTypes(conditions: readonly JsonObject[]): FieldError[] {
  return conditions.flatMap((condition, i) =>
    textAt(condition, 'type') === '' ? [required(`${FIELD}[${i}].type`)] : [],
  );
}

function checkExclusion(conditions: readonly JsonObject[]): FieldError[] {
  const decided = conditions.find((condition) => DECISIONS.includes(textAt(condition, 'type')));
  return conditions.flatMap((condition, i) => {
    const type = textAt(condition, 'type');
    if (!DECISIONS.includes(type) || type === decided?.type) return [];
    return [invalid(`${FIELD}[${i}].type`, type, 'Approved and Denied conditions are mutually exclusive')];
  });
}

function checkRepetition(conditions: readonly JsonObject[]): FieldError[] {
  const seen = new Set<string>();
  return conditions.flatMap((condition, i) => {
    const type = textAt(condition, 'type');
    const repeated = seen.has(type);
    seen.add(type);
    return repeated ? [duplicate(`${FIELD}[${i}].type`, type)] : [];
  });
}

function checkKept(
  type: string,
  conditions: readonly JsonObject[],
  before: readonly JsonObject[],
): FieldError[] {
  if (ofType(conditions, type).length >= ofType(before, type).length) return [];
  return [forbidden(FIELD, `updates may not remove a condition of type "${type}"`)];
}

function checkUntouched(
  type: string,
  conditions: readonly JsonObject[],
  before: readonly JsonObject[],
): FieldError[] {
  const now = ofType(conditions, type);
  const old = ofType(before, type);
  if (now.length > old.length) {
    return [forbidden(FIELD, `only the approval subresource adds a condition of type "${type}"`)];
  }
  if (now.length < old.length || sameJson(now, old)) return [];
  return [forbidden(FIELD, `only the approval subresource changes a condition of type "${type}"`)];
}
