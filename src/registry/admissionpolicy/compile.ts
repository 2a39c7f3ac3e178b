import type { FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { ExpressionChecker } from '../../schema/expressions/checker.ts';
import type { VariableType } from '../../schema/expressions/variable-type.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { checkExpression, type CheckerSource, type ExpressionPlace } from '../expression-rules.ts';
import { admissionChecker } from './expressions.ts';
import { isIdentifier } from './identifier.ts';

/** Longest expression of an audit annotation, bytes: longer ones are refused for that. */
const MAX_ANNOTATION = 5 * 1024;

/** Compiles a condition of a webhook or policy, unless an update leaves all of them as they are. */
export function matchConditionExpression(checker: CheckerSource): TypeCheck {
  return (condition, at, { root, old, errors }) => {
    const text = textAt(condition, 'expression').trim();
    if (text === '' || (old !== undefined && sameConditions(root, old))) return;
    const params = objectAt(objectAt(root, 'spec'), 'paramKind') !== undefined;
    const place = { at: at.child('expression'), errors, results: ['bool'] };
    checkExpression(admissionChecker(checker(), { params, authorizer: true }), text, place);
  };
}

/** Whether the conditions of all webhooks, or of the policy, are those that are stored. */
function sameConditions(root: ApiObject, old: ApiObject): boolean {
  const [spec, before] = [objectAt(root, 'spec'), objectAt(old, 'spec')];
  if (!sameJson(spec?.['paramKind'], before?.['paramKind'])) return false;
  if (!sameJson(spec?.['matchConditions'], before?.['matchConditions'])) return false;
  const [webhooks, others] = [objectsAt(root, 'webhooks'), objectsAt(old, 'webhooks')];
  return (
    webhooks.length === others.length &&
    webhooks.every((one, i) => sameJson(one['matchConditions'], others[i]?.['matchConditions']))
  );
}

/** Compiles what a policy validates and annotates; each may use the variables, and they those before them. */
export function policyExpressions(checker: CheckerSource): TypeCheck {
  return (spec, at, { errors }) => {
    const params = objectAt(spec, 'paramKind') !== undefined;
    const of = (authorizer: boolean): ExpressionChecker =>
      admissionChecker(checker(), { params, authorizer });
    const variables = checkVariables(objectsAt(spec, 'variables'), of(true), {
      at: at.child('variables'),
      errors,
    });
    const withVariables = (one: ExpressionChecker): ExpressionChecker =>
      Object.keys(variables).length === 0 ? one : one.with('variables', variables);
    const judging = withVariables(of(true));
    const telling = withVariables(of(false));
    for (const [i, validation] of objectsAt(spec, 'validations').entries()) {
      const path = at.child('validations').index(i);
      checkField(judging, validation, 'expression', { at: path, errors, results: ['bool'] });
      checkField(telling, validation, 'messageExpression', { at: path, errors, results: ['string'] });
    }
    for (const [i, annotation] of objectsAt(spec, 'auditAnnotations').entries()) {
      const path = at.child('auditAnnotations').index(i);
      if (Buffer.byteLength(textAt(annotation, 'valueExpression').trim()) <= MAX_ANNOTATION)
        checkField(judging, annotation, 'valueExpression', { at: path, errors, results: ['string', 'null'] });
    }
  };
}

function checkField(
  checker: ExpressionChecker,
  struct: JsonObject,
  field: string,
  place: ExpressionPlace,
): void {
  const text = textAt(struct, field);
  if (text.trim() !== '') checkExpression(checker, text, { ...place, at: place.at.child(field) });
}

/** @returns the types of those that have a name. One that is wrong may still be used, as anything. */
function checkVariables(
  list: readonly JsonObject[],
  checker: ExpressionChecker,
  { at, errors }: { readonly at: FieldPath; readonly errors: FieldError[] },
): Record<string, VariableType> {
  const known: Record<string, VariableType> = {};
  for (const [i, variable] of list.entries()) {
    const name = textAt(variable, 'name');
    const text = textAt(variable, 'expression');
    if (text.trim() === '') continue;
    const place = { at: at.index(i).child('expression'), errors };
    const type = checkExpression(checker.with('variables', known), text, place);
    if (isIdentifier(name)) known[name] = usable(type);
  }
  return known;
}

/** A type that a variable can be declared with: one that is not known to the end, as that of `[]`, is any. */
function usable(type: string | undefined): string {
  if (type === undefined || type === 'null' || /\b[A-Z]\b/.test(type)) return 'dyn';
  return type;
}
