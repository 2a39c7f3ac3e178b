import { forbidden, invalid, type FieldError } from '../../../errors/field-error.ts';
import type { FieldPath } from '../../../errors/field-path.ts';
import { objectAt, sizeOf, textAt } from '../../../meta/fields.ts';
import { labelValueProblems, qualifiedNameProblems } from '../../../meta/names.ts';
import type { JsonObject } from '../../../meta/object.ts';
import type { TypeCheck } from '../../../schema/rules/rule-book.ts';

/** What is made of it has labels and annotations from it; the rest of its metadata is its own. */
export const claimTemplateMetadata: TypeCheck = (template, at, { errors }) => {
  const metadata = objectAt(template, 'metadata') ?? {};
  const path = at.child('metadata');
  for (const [field, value] of Object.entries(metadata)) {
    const isEmpty = value == null || value === '' || (typeof value === 'object' && sizeOf(value) === 0);
    if (field !== 'labels' && field !== 'annotations' && !isEmpty)
      errors.push(forbidden(path.child(field), 'may not be set in a template'));
  }
  checkLabels(objectAt(metadata, 'labels') ?? {}, path.child('labels'), errors);
  checkAnnotationKeys(objectAt(metadata, 'annotations') ?? {}, path.child('annotations'), errors);
};

/** Labels of what is made of a template. @param at of the labels. */
export function checkLabels(labels: JsonObject, at: FieldPath, errors: FieldError[]): void {
  for (const key of Object.keys(labels)) {
    for (const problem of qualifiedNameProblems(key)) errors.push(invalid(at, key, problem));
    const value = textAt(labels, key);
    for (const problem of labelValueProblems(value)) errors.push(invalid(at, value, problem));
  }
}

/** The same of annotations. @param at of the annotations. */
export function checkAnnotationKeys(annotations: JsonObject, at: FieldPath, errors: FieldError[]): void {
  for (const key of Object.keys(annotations))
    for (const problem of qualifiedNameProblems(key.toLowerCase())) errors.push(invalid(at, key, problem));
}
