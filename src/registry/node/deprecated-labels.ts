import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';

/** Tells of labels of nodes that have newer names. */
export interface DeprecatedLabels {
  /** Why a label isn't to be used any more; undefined: it is. */
  reason(label: string): string | undefined;
  /** Warnings about the labels that a term of a node selector asks for. */
  ofTerm(term: JsonObject, path: string): string[];
  /** The same for a label selector. */
  ofSelector(selector: JsonObject | undefined, path: string): string[];
}

export function deprecatedNodeLabels(names: NamingProfile): DeprecatedLabels {
  const moved = (since: string, name: string): string =>
    `deprecated since ${since}; use "${names.get(name)}" instead`;
  const reasons = new Map([
    [names.get('label.arch-beta'), moved('v1.14', 'label.arch')],
    [names.get('label.os-beta'), moved('v1.14', 'label.os')],
    [names.get('label.region-beta'), moved('v1.17', 'label.region')],
    [names.get('label.zone-beta'), moved('v1.17', 'label.zone')],
    [names.get('label.instance-type-beta'), moved('v1.17', 'label.instance-type')],
    [names.get('label.app-created-by'), 'deprecated since v1.9'],
    [names.get('annotation.prefer-avoid-pods'), 'deprecated since v1.22; use Taints and Tolerations instead'],
    [names.get('label.node-role-master'), `use "${names.get('label.node-role-control-plane')}" instead`],
  ]);
  const ofExpressions = (term: JsonObject | undefined, path: string): string[] =>
    objectsAt(term, 'matchExpressions').flatMap((expression, i) => {
      const key = textAt(expression, 'key');
      const why = reasons.get(key);
      return why === undefined ? [] : [`${path}.matchExpressions[${i}].key: ${key} is ${why}`];
    });
  return {
    reason: (label) => reasons.get(label),
    ofTerm: ofExpressions,
    ofSelector: (selector, path) => [
      ...Object.keys(objectAt(selector, 'matchLabels') ?? {}).flatMap((key) => {
        const why = reasons.get(key);
        return why === undefined ? [] : [`${path}.matchLabels.${key}: ${why}`];
      }),
      ...ofExpressions(selector, path),
    ],
  };
}
