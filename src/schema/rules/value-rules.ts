import {
  duplicate,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  type FieldError,
} from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { isObject } from '../../meta/fields.ts';
import type { Json } from '../../meta/object.ts';
import { compareQuantityTexts } from '../../meta/quantity-amounts.ts';
import type { FieldRules, ValueRules } from './format.ts';
import { FORMATS } from './formats.ts';

/** Looks at one value, which stands at `at`. */
export type ValueCheck = (value: Json, at: FieldPath, errors: FieldError[]) => void;

/** One function a rule; only those that are asked for. @param emptyToo whether an empty text has to have the form. */
export function compileValueRules(rules: FieldRules | ValueRules, emptyToo: boolean): ValueCheck[] {
  const checks: ValueCheck[] = [];
  if (rules.format !== undefined) checks.push(formatCheck(rules.format, emptyToo));
  if (rules.pattern !== undefined) checks.push(patternCheck(rules.pattern, emptyToo));
  if (rules.min !== undefined || rules.max !== undefined) checks.push(rangeCheck(rules));
  if (rules.enum !== undefined) checks.push(enumCheck(rules.enum, emptyToo));
  if (rules.maxLength !== undefined) checks.push(lengthCheck(rules.maxLength));
  if (rules.minItems !== undefined || rules.maxItems !== undefined) checks.push(countCheck(rules));
  if (rules.unique !== undefined) checks.push(uniqueCheck(rules.unique));
  if (rules.each !== undefined) checks.push(eachCheck(compileValueRules(rules.each, true)));
  if (rules.keys !== undefined) checks.push(keysCheck(compileValueRules(rules.keys, true)));
  return checks;
}

function formatCheck(name: keyof typeof FORMATS, emptyToo: boolean): ValueCheck {
  const problemsOf = FORMATS[name];
  return function checkFormat(value, at, errors) {
    if (typeof value !== 'string' || (value === '' && !emptyToo)) return;
    for (const problem of problemsOf(value)) errors.push(invalid(at, value, problem));
  };
}

function patternCheck(pattern: string, emptyToo: boolean): ValueCheck {
  const expression = new RegExp(`^(?:${pattern})$`, 'u');
  return function checkPattern(value, at, errors) {
    if (typeof value !== 'string' || (value === '' && !emptyToo) || expression.test(value)) return;
    errors.push(invalid(at, value, `must match ${pattern}`));
  };
}

function rangeCheck({ min = -Infinity, max = Infinity }: ValueRules): ValueCheck {
  const rule =
    max === Infinity
      ? `must be greater than or equal to ${min}`
      : min === -Infinity
        ? `must be less than or equal to ${max}`
        : `must be between ${min} and ${max}, inclusive`;
  const [least, most] = [String(min), String(max)];
  const inRange = (value: Json): boolean => {
    if (typeof value === 'number') return value >= min && value <= max;
    if (typeof value !== 'string') return Number(value) >= min && Number(value) <= max;
    return (compareQuantityTexts(value, least) ?? 0) >= 0 && (compareQuantityTexts(value, most) ?? 0) <= 0;
  };
  return function checkRange(value, at, errors) {
    if (!inRange(value)) errors.push(invalid(at, value, rule));
  };
}

function enumCheck(supported: readonly string[], emptyToo: boolean): ValueCheck {
  const known = new Set<Json>(supported);
  return function checkEnum(value, at, errors) {
    if ((value !== '' || emptyToo) && !known.has(value)) errors.push(notSupported(at, value, supported));
  };
}

function lengthCheck(limit: number): ValueCheck {
  return function checkLength(value, at, errors) {
    if (typeof value === 'string' && value.length * 3 > limit && Buffer.byteLength(value) > limit)
      errors.push(tooLong(at, limit));
  };
}

function countCheck({ minItems = 0, maxItems = Infinity }: ValueRules): ValueCheck {
  return function checkCount(value, at, errors) {
    const count = Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0;
    if (count > maxItems) errors.push(tooMany(at, count, maxItems));
    if (count < minItems) errors.push(required(at, `must have at least ${minItems} items`));
  };
}

function uniqueCheck(unique: true | readonly string[]): ValueCheck {
  const keys = unique === true ? undefined : unique;
  const [onlyKey, ...others] = keys ?? [];
  const identify = (item: Json): Json | undefined => {
    if (keys === undefined) return JSON.stringify(item);
    if (!isObject(item)) return undefined;
    if (onlyKey === undefined || others.length > 0) return JSON.stringify(keys.map((key) => item[key] ?? ''));
    const value = item[onlyKey] ?? '';
    if (value === '') return undefined;
    // Hot, and nearly always a name; all values of a field are of one type.
    return typeof value === 'object' ? JSON.stringify(value) : value;
  };
  return function checkUnique(value, at, errors) {
    if (!Array.isArray(value) || value.length < 2) return;
    const seen = new Set<Json>();
    for (let i = 0; i < value.length; i++) {
      const item = value[i] ?? null;
      const identity = identify(item);
      if (identity === undefined) continue;
      if (!seen.has(identity)) seen.add(identity);
      else if (isObject(item) && onlyKey !== undefined && others.length === 0) {
        errors.push(duplicate(at.index(i).child(onlyKey), item[onlyKey]));
      } else errors.push(duplicate(at.index(i), item));
    }
  };
}

function eachCheck(checks: readonly ValueCheck[]): ValueCheck {
  return function checkEach(value, at, errors) {
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        const place = at.index(i);
        for (const check of checks) check(value[i] ?? null, place, errors);
      }
    } else if (isObject(value)) {
      for (const key of Object.keys(value)) {
        const place = at.key(key);
        for (const check of checks) check(value[key] ?? null, place, errors);
      }
    }
  };
}

function keysCheck(checks: readonly ValueCheck[]): ValueCheck {
  return function checkKeys(value, at, errors) {
    if (!isObject(value)) return;
    for (const key of Object.keys(value)) for (const check of checks) check(key, at, errors);
  };
}
