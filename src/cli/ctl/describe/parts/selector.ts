import { labelSelectorOf, type LabelRequirement } from '../../../../meta/label-selector.ts';
import { isObject } from '../../../../meta/object.ts';
import type { Selector } from '../objects.ts';

const SIGNS = { gt: '>', lt: '<' } as const;

/** A selector in the form that `-l` takes; '' for one that selects everything, and for none. */
export function selectorText(selector: Selector | undefined): string {
  if (selector === undefined) return '';
  const equal = isObject(selector['matchLabels']) ? (selector['matchLabels'] as Record<string, string>) : {};
  const { matchLabels: _, ...others } = selector;
  const requirements = [
    ...Object.keys(equal).map((key) => ({ key, text: `${key}=${equal[key]}` })),
    ...labelSelectorOf(others).requirements.map((one) => ({ key: one.key, text: requirementText(one) })),
  ];
  return requirements
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ text }) => text)
    .join(',');
}

/** The same; `<none>` for one that selects everything, and for none. */
export function selectorOrNone(selector: Selector | undefined): string {
  return selectorText(selector) || '<none>';
}

function requirementText({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case 'notexists':
      return `!${key}`;
    case 'gt':
    case 'lt':
      return `${key}${SIGNS[operator]}${values[0]}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${[...values].sort().join(',')})`;
  }
}
