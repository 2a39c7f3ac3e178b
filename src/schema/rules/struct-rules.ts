import { forbidden, invalid, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { sizeOf } from '../../meta/fields.ts';
import type { Json, JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { Field } from '../model.ts';
import type { Condition, FieldRules, TypeRules } from './format.ts';
import { compileValueRules } from './value-rules.ts';

/** Looks at a struct that stands at `at`. */
export type StructCheck = (struct: JsonObject, at: FieldPath, found: Found) => void;

/** What is wrong, as far as it is known. */
export interface Found {
  readonly errors: FieldError[];
}

/** What the rules of one field ask of it. */
export function fieldCheck(field: Field, rules: FieldRules): StructCheck {
  const { name } = field;
  const isRequired = rules.required === undefined ? never : conditionOf(rules.required);
  const isForbidden = rules.forbidden === undefined ? never : conditionOf(rules.forbidden);
  const emptyToo = rules.checkEmpty === true;
  const checks = compileValueRules(rules, emptyToo);
  const zero = zeroOf(field, emptyToo);
  return function checkField(struct, at, { errors }) {
    const value = struct[name] ?? zero;
    if (isUnset(value, field)) {
      const isMissing = isRequired(struct);
      if (isMissing) errors.push(required(at.child(name)));
      if (zero !== undefined && (emptyToo || !isMissing)) runChecks(zero, at, errors);
      return;
    }
    if (isForbidden(struct)) errors.push(forbidden(at.child(name), 'may not be set here'));
    if (value !== undefined) runChecks(value, at, errors);
  };
  function runChecks(value: Json, at: FieldPath, errors: FieldError[]): void {
    if (checks.length === 0) return;
    const path = at.child(name);
    for (const check of checks) check(value, path, errors);
  }
}

/** What rules about several fields together ask. */
export function typeChecks({ exactlyOneOf, atMostOneOf }: TypeRules): StructCheck[] {
  const checks: StructCheck[] = [];
  if (exactlyOneOf !== undefined) checks.push(oneOfCheck(exactlyOneOf, true));
  if (atMostOneOf !== undefined) checks.push(oneOfCheck(atMostOneOf, false));
  return checks;
}

/** What an update may not do to a field. */
export function changeCheck(
  name: string,
  immutable: true | 'onceSet',
): (struct: JsonObject, old: JsonObject, at: FieldPath, errors: FieldError[]) => void {
  return function checkChange(struct, old, at, errors) {
    const before = old[name];
    if (sameJson(struct[name], before)) return;
    if (isEmpty(struct[name]) && isEmpty(before)) return;
    if (immutable === 'onceSet' && isEmpty(before)) return;
    errors.push(invalid(at.child(name), struct[name], 'field is immutable'));
  };
}

function never(): boolean {
  return false;
}

function conditionOf(condition: true | Condition): (struct: JsonObject) => boolean {
  if (condition === true) return () => true;
  const when = Object.entries(condition.when ?? {});
  const unless = Object.entries(condition.unless ?? {});
  return (struct) =>
    when.every(([name, values]) => holds(struct, name, values)) &&
    !unless.some(([name, values]) => holds(struct, name, values));
}

function holds(struct: JsonObject, name: string, values: readonly Json[]): boolean {
  return values.includes(struct[name] ?? '');
}

/** A number that is no pointer is 0 where it is absent; so is a text empty, if one asks. Anything else is just absent. */
function zeroOf({ pointer, type }: Field, textsToo: boolean): Json | undefined {
  if (pointer) return undefined;
  switch (type.kind) {
    case 'int32':
    case 'int64':
    case 'double':
      return 0;
    case 'intOrString':
      return textsToo ? 0 : undefined;
    case 'string':
      return textsToo ? '' : undefined;
    default:
      return undefined;
  }
}

/** Whether nothing was said; a pointer to a zero value says something. */
function isUnset(value: Json | undefined, { pointer }: Field): boolean {
  return pointer ? value === undefined || value === null : isEmpty(value) || value === 0;
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  return Array.isArray(value) && value.length === 0;
}

function oneOfCheck(fields: readonly string[], needsOne: boolean): StructCheck {
  return function checkOneOf(struct, at, { errors }) {
    let first = '';
    for (const name of fields) {
      const value = struct[name];
      if (value === undefined || value === null || (typeof value !== 'object' && isEmpty(value))) continue;
      if (Array.isArray(value) && sizeOf(value) === 0) continue;
      if (first === '') first = name;
      else errors.push(forbidden(at.child(name), `may not be set together with ${first}`));
    }
    if (first === '' && needsOne) errors.push(required(at, `must have one of ${fields.join(', ')}`));
  };
}
