import type { FieldPath } from '../../../errors/field-path.ts';
import { objectAt, objectsAt, textAt } from '../../../meta/fields.ts';
import type { JsonObject } from '../../../meta/object.ts';
import type { OldLabels } from '../../old-node-labels.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Old labels of nodes that a pod asks for. @param at of the pod's spec. */
export function nodeLabelWarnings(spec: JsonObject, at: FieldPath, labels: OldLabels): string[] {
  const found: string[] = [];
  const check = (key: string, path: FieldPath): void => {
    const why = labels.get(key);
    if (why !== undefined) found.push(`${String(path)}: ${key} is ${why}`);
  };
  for (const key of Object.keys(objectAt(spec, 'nodeSelector') ?? {})) {
    const why = labels.get(key);
    if (why !== undefined) found.push(`${String(at.child('nodeSelector').key(key))}: ${why}`);
  }
  const affinity = objectAt(objectAt(spec, 'affinity'), 'nodeAffinity');
  const path = at.child('affinity').child('nodeAffinity');
  const checkTerm = (term: JsonObject | undefined, place: FieldPath): void => {
    objectsAt(term, 'matchExpressions').forEach((expression, i) => {
      check(textAt(expression, 'key'), place.child('matchExpressions').index(i).child('key'));
    });
  };
  objectsAt(objectAt(affinity, REQUIRED), 'nodeSelectorTerms').forEach((term, i) => {
    checkTerm(term, path.child(REQUIRED).child('nodeSelectorTerms').index(i));
  });
  objectsAt(affinity, PREFERRED).forEach((term, i) => {
    checkTerm(objectAt(term, 'preference'), path.child(PREFERRED).index(i).child('preference'));
  });
  objectsAt(spec, 'topologySpreadConstraints').forEach((constraint, i) => {
    const place = at.child('topologySpreadConstraints').index(i).child('topologyKey');
    check(textAt(constraint, 'topologyKey'), place);
  });
  return found;
}
