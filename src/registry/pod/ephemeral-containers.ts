import { forbidden, type FieldError } from '../../errors/field-error.ts';
import { FieldPath } from '../../errors/field-path.ts';
import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import { differences } from './differences.ts';

const PATH = FieldPath.ROOT.child('spec').child('ephemeralContainers');

/** Ephemeral containers are added, and stay as they are. @param mirror the annotation of pods that only nodes know. */
export function ephemeralContainersErrors(pod: ApiObject, old: ApiObject, mirror: string): FieldError[] {
  if (old.metadata.annotations?.[mirror] !== undefined)
    return [forbidden('[]', 'pods that a node runs by itself have no ephemeral containers')];
  const now = new Map(
    objectsAt(objectAt(pod, 'spec'), 'ephemeralContainers').map((it) => [textAt(it, 'name'), it]),
  );
  return objectsAt(objectAt(old, 'spec'), 'ephemeralContainers').flatMap((before) => {
    const name = textAt(before, 'name');
    const after = now.get(name);
    if (after === undefined) return [forbidden(PATH, `${name} can not be removed`)];
    const changed = differences(after, before, FieldPath.ROOT);
    return changed.length === 0 ? [] : [forbidden(PATH, `${name} can not be changed: ${changed.join(', ')}`)];
  });
}
