import type { NamingProfile } from '../names/profile.ts';
import type { TypeCheck, TypeChecks } from '../schema/rules/rule-book.ts';
import { labelSelectorErrors } from './label-selector-rules.ts';

/** Label selectors, wherever an object has one. */
const labelSelector: TypeCheck = (selector, at, { errors }) => {
  errors.push(...labelSelectorErrors(selector, String(at)));
};

/** The rules of types that data can't say, by type. A kind's own are in its folder. */
export function createTypeChecks(_names: NamingProfile): TypeChecks {
  return {
    'meta.LabelSelector': labelSelector,
  };
}
