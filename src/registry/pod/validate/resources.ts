import {
  duplicate,
  forbidden,
  invalid,
  notFound,
  required,
  type FieldError,
} from '../../../errors/field-error.ts';
import type { FieldPath } from '../../../errors/field-path.ts';
import { objectAt, textAt } from '../../../meta/fields.ts';
import { dnsLabelProblems } from '../../../meta/names.ts';
import type { JsonObject } from '../../../meta/object.ts';
import { compareQuantityTexts, isMultipleOf } from '../../../meta/quantity-amounts.ts';
import type { CheckContext, TypeCheck } from '../../../schema/rules/rule-book.ts';
import type { ResourceNames } from '../../resource-names.ts';
import { itemsOf } from './container-lists.ts';

const NOTHING: JsonObject = Object.freeze({});

/** What a container asks for and may use: names, amounts, and requests within limits. */
export function resourcesCheck(names: ResourceNames): TypeCheck {
  return function checkResources(resources, at, context) {
    const { errors } = context;
    const limits = objectAt(resources, 'limits');
    const requests = objectAt(resources, 'requests');
    if (limits !== undefined) checkList(names, limits, at.child('limits'), context);
    if (requests === undefined) return checkHugePages(names, { limits }, at, errors);
    checkList(names, requests, at.child('requests'), context);
    checkWithin(names, { requests, limits: limits ?? NOTHING }, at, errors);
    checkHugePages(names, { requests, limits }, at, errors);
  };
}

/** What a pod costs besides its containers. */
export function checkOverhead(
  names: ResourceNames,
  spec: JsonObject,
  at: FieldPath,
  context: CheckContext,
): void {
  const limits = objectAt(spec, 'overhead');
  if (limits === undefined) return;
  checkList(names, limits, at.child('overhead').child('limits'), context);
  checkHugePages(names, { limits }, at.child('overhead'), context.errors);
}

function checkList(
  names: ResourceNames,
  list: JsonObject,
  at: FieldPath,
  { errors, tolerates }: CheckContext,
): void {
  for (const name of Object.keys(list)) {
    const amount = textAt(list, name);
    if (isPlain(name) && !amount.startsWith('-')) continue;
    const path = at.key(name);
    errors.push(...names.containerErrors(name, path), ...names.amountErrors(name, amount, path));
    const isDivided = names.isHugePages(name) && !isMultipleOf(amount, name.slice('hugepages-'.length));
    if (isDivided && !tolerates('dividedHugePages'))
      errors.push(invalid(path, amount, 'must be a multiple of the size of the pages'));
  }
}

/** Nearly all there are. */
function isPlain(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name === 'ephemeral-storage';
}

function checkWithin(
  names: ResourceNames,
  { requests, limits }: { readonly requests: JsonObject; readonly limits: JsonObject },
  at: FieldPath,
  errors: FieldError[],
): void {
  for (const name of Object.keys(requests)) {
    const asked = textAt(requests, name);
    const limit = textAt(limits, name);
    if (limit === asked) continue;
    const overcommits = names.allowsOvercommit(name);
    if (limit === '') {
      if (!overcommits) errors.push(required(at.child('limits'), `${name} must have a limit`));
      continue;
    }
    const order = compareQuantityTexts(asked, limit);
    if (order === undefined) continue;
    if (order !== 0 && !overcommits)
      errors.push(invalid(at.child('requests'), asked, `must be the limit of ${name}, ${limit}`));
    else if (order > 0)
      errors.push(
        invalid(at.child('requests'), asked, `must be no more than the limit of ${name}, ${limit}`),
      );
  }
}

/** Huge pages alone make no pod. */
function checkHugePages(
  names: ResourceNames,
  lists: { readonly requests?: JsonObject; readonly limits: JsonObject | undefined },
  at: FieldPath,
  errors: FieldError[],
): void {
  const all = [lists.requests ?? NOTHING, lists.limits ?? NOTHING];
  if (all.some((list) => Object.hasOwn(list, 'cpu') || Object.hasOwn(list, 'memory'))) return;
  if (all.some((list) => Object.keys(list).some((name) => names.isHugePages(name))))
    errors.push(forbidden(at, 'huge pages need cpu or memory beside them'));
}

/** Claims of a container are among those of its pod. @param at of the container. @param known those of the pod. */
export function checkClaims(
  container: JsonObject,
  at: FieldPath,
  known: ReadonlySet<string>,
  errors: FieldError[],
): void {
  const claims = itemsOf(objectAt(container, 'resources')?.['claims']);
  if (claims.length === 0) return;
  const path = at.child('resources').child('claims');
  const seen = new Set<string>();
  claims.forEach((claim, i) => {
    const name = textAt(claim, 'name');
    if (name === '') {
      errors.push(required(path.index(i)));
      return;
    }
    const request = textAt(claim, 'request');
    for (const problem of request === '' ? [] : dnsLabelProblems(request))
      errors.push(invalid(path.index(i).child('request'), request, problem));
    const key = request === '' ? name : `${name}/${request}`;
    if (overlaps(seen, name, key)) errors.push(duplicate(path.index(i), key));
    seen.add(key);
    if (!known.has(name)) errors.push(notFound(path.index(i), name));
  });
}

/** Whether a request, or the whole claim, was named before. */
function overlaps(seen: ReadonlySet<string>, name: string, key: string): boolean {
  if (seen.has(name) || seen.has(key)) return true;
  return key === name && [...seen].some((other) => other.startsWith(`${name}/`));
}
