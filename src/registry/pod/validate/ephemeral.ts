import { duplicate, forbidden, notFound, type FieldError } from '../../../errors/field-error.ts';
import type { FieldPath } from '../../../errors/field-path.ts';
import { sizeOf, textAt } from '../../../meta/fields.ts';
import type { Json, JsonObject } from '../../../meta/object.ts';
import { itemsOf, placedIn } from './container-lists.ts';
import { checkImage } from './image.ts';

/** What containers have that are there from the start. */
const NOT_FOR_THEM = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
];

/** Containers that are added to a running pod to look into it. @param at of the pod's spec. */
export function checkEphemeral(spec: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const others = new Set(
    [...itemsOf(spec['containers']), ...itemsOf(spec['initContainers'])].map((it) => textAt(it, 'name')),
  );
  const names = new Set(others);
  for (const placed of placedIn(spec, 'ephemeralContainers', at)) {
    const { container, at: path } = placed;
    const name = textAt(container, 'name');
    checkImage(placed, errors);
    if (names.has(name)) errors.push(duplicate(path.child('name'), name));
    names.add(name);
    const target = textAt(container, 'targetContainerName');
    if (target !== '' && !others.has(target))
      errors.push(notFound(path.child('targetContainerName'), target));
    checkFields(container, path, errors);
  }
}

function checkFields(container: JsonObject, at: FieldPath, errors: FieldError[]): void {
  for (const field of NOT_FOR_THEM) {
    if (isSet(field, container[field]))
      errors.push(forbidden(at.child(field), 'is not for ephemeral containers'));
  }
  itemsOf(container['volumeMounts']).forEach((mount, i) => {
    for (const field of ['subPath', 'subPathExpr']) {
      if (textAt(mount, field) !== '')
        errors.push(
          forbidden(at.child('volumeMounts').index(i).child(field), 'is not for ephemeral containers'),
        );
    }
  });
}

/** Resources are always there, if only empty; whatever else is there was sent, be it an empty list. */
function isSet(field: string, value: Json | undefined): boolean {
  if (value === undefined || value === null) return false;
  return field === 'resources' ? sizeOf(value) > 0 : true;
}
