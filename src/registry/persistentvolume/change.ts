import { forbidden, invalid, type FieldError } from '../../errors/field-error.ts';
import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import { SOURCES } from './sources.ts';

/**
 * What an update of a PersistentVolume may not do: what the volume is, is for its whole life. The paths are those that
 * clients know.
 *
 * @param newLabels names of labels of nodes, by older ones that may be replaced by them.
 */
export function volumeChangeErrors(
  spec: JsonObject,
  old: JsonObject,
  newLabels: ReadonlyMap<string, string>,
): FieldError[] {
  const errors: FieldError[] = [];
  if (SOURCES.some((source) => !sameSource(spec, old, source))) {
    errors.push(forbidden('spec.persistentvolumesource', 'the source of a volume may not be changed'));
  }
  if (!sameJson(spec['volumeMode'], old['volumeMode'])) {
    errors.push(invalid('volumeMode', spec['volumeMode'], 'field is immutable'));
  }
  const before = objectAt(old, 'nodeAffinity');
  if (before !== undefined && !sameJson(objectAt(spec, 'nodeAffinity'), before)) {
    const renamed = objectAt(spec, 'nodeAffinity');
    if (renamed === undefined || !sameJson(renamed, withNewLabels(before, renamed, newLabels)))
      errors.push(
        invalid('nodeAffinity', renamed, 'may only be changed from an older label to its new name'),
      );
  }
  return errors;
}

/** The secret for expanding a volume may be added once. */
function sameSource(spec: JsonObject, old: JsonObject, source: string): boolean {
  const now = objectAt(spec, source);
  const before = objectAt(old, source);
  if (source !== 'csi' || now === undefined || before === undefined) return sameJson(now, before);
  if (before['controllerExpandSecretRef'] != null) return sameJson(now, before);
  const { controllerExpandSecretRef: _, ...rest } = now;
  return sameJson(rest, before);
}

/** The affinity as it was, with the names that the new one has for labels, where those are their new names. */
function withNewLabels(
  before: JsonObject,
  now: JsonObject,
  newLabels: ReadonlyMap<string, string>,
): JsonObject {
  const copy = structuredClone(before);
  const terms = (affinity: JsonObject): JsonObject[] =>
    objectsAt(objectAt(affinity, 'required'), 'nodeSelectorTerms');
  const newTerms = terms(now);
  for (const [i, term] of terms(copy).entries()) {
    const requirements = objectsAt(newTerms[i], 'matchExpressions');
    for (const [j, requirement] of objectsAt(term, 'matchExpressions').entries()) {
      const key = textAt(requirements[j], 'key');
      // A label that is gone is an error of its own.
      if (key === (newLabels.get(textAt(requirement, 'key')) ?? '')) requirement['key'] = key;
    }
  }
  return copy;
}
