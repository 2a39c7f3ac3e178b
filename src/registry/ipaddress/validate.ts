import { invalid, required } from '../../errors/field-error.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { sameJson } from '../../meta/same-json.ts';

/** An address is somebody's, for ever. */
export const ipAddressSpec: TypeCheck = ({ parentRef }, at, { errors, old }) => {
  const field = at.child('parentRef');
  if ((parentRef ?? undefined) === undefined) errors.push(required(field));
  if (old === undefined) return;
  const before = (old.spec as { parentRef?: typeof parentRef } | undefined)?.parentRef;
  if (!sameJson(parentRef ?? null, before ?? null))
    errors.push(invalid(field, parentRef, 'may not be changed'));
};
