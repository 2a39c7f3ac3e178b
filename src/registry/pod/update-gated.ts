import { invalid, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { objectAt, objectsAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import { sameMeaning } from './differences.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

/** While a pod waits at a gate, its nodes may become fewer. @param at of the spec. */
export function nodeSelectorErrors(spec: JsonObject, before: JsonObject, at: FieldPath): FieldError[] {
  const selector = objectAt(spec, 'nodeSelector') ?? {};
  const old = objectAt(before, 'nodeSelector') ?? {};
  if (Object.keys(old).every((key) => selector[key] === old[key])) return [];
  return [invalid(at.child('nodeSelector'), selector, 'labels can only be added')];
}

/** The same for node affinity: each term may ask for more, and there are as many as before. @param at of the spec. */
export function nodeAffinityErrors(spec: JsonObject, before: JsonObject, at: FieldPath): FieldError[] {
  const old = termsOf(before);
  const terms = termsOf(spec);
  if (old.length === 0) return [];
  const path = at.child('affinity').child('nodeAffinity').child(REQUIRED).child('nodeSelectorTerms');
  if (terms.length !== old.length) return [invalid(path, terms, 'terms can be neither added nor removed')];
  return old.flatMap((term, i) => {
    const now = terms[i] ?? {};
    return narrows(now, term) ? [] : [invalid(path.index(i), now, 'a term can only ask for more')];
  });
}

function termsOf(spec: JsonObject): JsonObject[] {
  const affinity = objectAt(objectAt(spec, 'affinity'), 'nodeAffinity');
  return objectsAt(objectAt(affinity, REQUIRED), 'nodeSelectorTerms');
}

/** An empty term matches nothing: whatever it asked for would be wider. */
function narrows(term: JsonObject, old: JsonObject): boolean {
  const lists = ['matchExpressions', 'matchFields'];
  const isEmpty = lists.every((list) => objectsAt(old, list).length === 0);
  if (isEmpty) return lists.every((list) => objectsAt(term, list).length === 0);
  return lists.every((list) => {
    const before = objectsAt(old, list);
    return sameMeaning(objectsAt(term, list).slice(0, before.length), before);
  });
}
