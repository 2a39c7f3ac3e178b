import type { FieldRequirement } from '../../meta/field-selector.ts';
import { parseFieldRequirements } from '../../meta/field-selector.ts';
import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import { labelSelectorOf, parseLabelSelector, type LabelRequirement } from '../../meta/label-selector.ts';
import type { JsonObject } from '../../meta/object.ts';
import { SelectorError } from '../../meta/selector-error.ts';
import type { ReviewedSelectors } from './reviews.ts';

/** What a review demands of objects, and what of its demands can't be taken into account. */
export interface SelectorReading {
  readonly selectors: ReviewedSelectors;
  readonly problems: readonly string[];
}

/**
 * Reads a review's selectors. What makes no sense is left out: that asks for more than was meant, so that nothing is
 * allowed which shouldn't be.
 */
export function reviewedSelectors(spec: JsonObject | undefined): SelectorReading {
  const resource = objectAt(spec, 'resourceAttributes');
  const fields = read(objectAt(resource, 'fieldSelector'), parseFieldRequirements, fieldRequirement);
  const labels = read(
    objectAt(resource, 'labelSelector'),
    (raw) => parseLabelSelector(raw).requirements,
    labelRequirement,
  );
  return {
    selectors: { fields: fields.found, labels: labels.found },
    problems: [...tell('fieldSelector', fields), ...tell('labelSelector', labels)],
  };
}

interface Read<T> {
  readonly found: readonly T[];
  readonly problems: readonly string[];
}

function read<T>(
  selector: JsonObject | undefined,
  parse: (raw: string) => readonly T[],
  requirement: (object: JsonObject) => T,
): Read<T> {
  const found: T[] = [];
  const problems: string[] = [];
  const attempt = (take: () => readonly T[]): void => {
    try {
      found.push(...take());
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      problems.push(error.message);
    }
  };
  const raw = textAt(selector, 'rawSelector');
  if (raw !== '') attempt(() => parse(raw));
  for (const one of objectsAt(selector, 'requirements')) attempt(() => [requirement(one)]);
  return { found, problems };
}

function fieldRequirement(object: JsonObject): FieldRequirement {
  const operator = textAt(object, 'operator');
  const values = (object['values'] ?? []) as readonly string[];
  if (operator !== 'In' && operator !== 'NotIn') {
    throw new SelectorError(`${JSON.stringify(operator)} is not an operator of field selectors`);
  }
  const [value] = values;
  if (value === undefined || values.length > 1) {
    throw new SelectorError('a field can be compared with one value only');
  }
  return { field: textAt(object, 'key'), equals: operator === 'In', value };
}

function labelRequirement(object: JsonObject): LabelRequirement {
  const [requirement] = labelSelectorOf({ matchExpressions: [object] }).requirements;
  return requirement as LabelRequirement;
}

function tell(name: string, { found, problems }: Read<unknown>): string[] {
  if (problems.length === 0) return [];
  const part = found.length === 0 ? '' : ' in part';
  return [`spec.resourceAttributes.${name} is ignored${part}: ${problems.join(', ')}`];
}
