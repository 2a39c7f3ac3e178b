import { invalid, type FieldError } from '../../../errors/field-error.ts';
import { textAt } from '../../../meta/fields.ts';
import type { Placed } from './container-lists.ts';

/** White space around an image is a mistake; templates that have it were let pass once. */
export function checkImage({ container, at }: Placed, errors: FieldError[]): void {
  const image = textAt(container, 'image');
  if (image.trim() !== image)
    errors.push(invalid(at.child('image'), image, 'must not begin or end with white space'));
}
