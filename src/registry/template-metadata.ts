import { forbidden, invalid, type FieldError } from '../errors/field-error.ts';
import type { FieldPath } from '../errors/field-path.ts';
import { objectAt, sizeOf, textAt } from '../meta/fields.ts';
import { labelValueProblems, qualifiedNameProblems } from '../meta/names.ts';
import type { Json, JsonObject } from '../meta/object.ts';

/** Labels of objects that are made of a template. */
export function checkLabels(labels: JsonObject, at: FieldPath, errors: FieldError[]): void {
  for (const key of Object.keys(labels)) {
    for (const problem of qualifiedNameProblems(key)) errors.push(invalid(at, key, problem));
    const value = textAt(labels, key);
    for (const problem of labelValueProblems(value)) errors.push(invalid(at, value, problem));
  }
}

/** Names of annotations of such objects. */
export function checkAnnotationKeys(annotations: JsonObject, at: FieldPath, errors: FieldError[]): void {
  for (const key of Object.keys(annotations))
    for (const problem of qualifiedNameProblems(key.toLowerCase())) errors.push(invalid(at, key, problem));
}

const ALLOWED = ['labels', 'annotations'];

/** Metadata of a template that may have nothing but labels and annotations. @param at of the metadata */
export function checkTemplateMetadata(metadata: JsonObject, at: FieldPath, errors: FieldError[]): void {
  checkLabels(objectAt(metadata, 'labels') ?? {}, at.child('labels'), errors);
  checkAnnotationKeys(objectAt(metadata, 'annotations') ?? {}, at.child('annotations'), errors);
  for (const [field, value] of Object.entries(metadata)) {
    // Clients know one of the fields by another name.
    if (!ALLOWED.includes(field) && isSet(value))
      errors.push(forbidden(at.child(field === 'uid' ? 'uID' : field), 'may not be set here'));
  }
}

function isSet(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === 0) return false;
  return typeof value !== 'object' || sizeOf(value) > 0;
}
