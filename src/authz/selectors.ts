import { parseFieldRequirements, type FieldRequirement } from '../meta/field-selector.ts';
import { parseLabelSelector, type LabelRequirement } from '../meta/label-selector.ts';
import type { RequestInfo } from '../request/request-info.ts';

/** What a request demands of the objects that it is about: who may only see some may ask for those. */
export interface Selectors {
  readonly fields: readonly FieldRequirement[];
  readonly labels: readonly LabelRequirement[];
}

/** Finds a request's selectors. */
export type SelectorsOf = (request: {
  readonly info: RequestInfo;
  readonly selectors?: Selectors;
}) => Selectors;

const NO_SELECTORS: Selectors = { fields: [], labels: [] };

/** Reads them. One that makes no sense demands nothing: the request is then for more than it says, and not for less. */
export const selectorsOf: SelectorsOf = ({ info, selectors }) => {
  if (selectors !== undefined) return selectors;
  const { fieldSelector, labelSelector } = info;
  if (fieldSelector === undefined && labelSelector === undefined) return NO_SELECTORS;
  return {
    fields: fieldSelector === undefined ? [] : demands(() => parseFieldRequirements(fieldSelector)),
    labels: labelSelector === undefined ? [] : demands(() => parseLabelSelector(labelSelector).requirements),
  };
};

/** Of servers whose authorizers don't look at selectors. */
export const ignoreSelectors: SelectorsOf = () => NO_SELECTORS;

function demands<T>(parse: () => readonly T[]): readonly T[] {
  try {
    return parse();
  } catch {
    return [];
  }
}
