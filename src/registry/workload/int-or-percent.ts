import { invalid, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import type { Json } from '../../meta/object.ts';

const PERCENT = /^(\d+)%$/;

/** What is wrong with a count of pods, given as a number or as a part (`25%`) of all. @param upToAll at most 100 %. */
export function checkIntOrPercent(
  value: Json | undefined,
  at: FieldPath,
  { errors, upToAll = false }: { readonly errors: FieldError[]; readonly upToAll?: boolean },
): void {
  if (typeof value !== 'string') {
    if (Number(value) < 0) errors.push(invalid(at, value, 'must be greater than or equal to 0'));
    return;
  }
  const percent = PERCENT.exec(value)?.[1];
  if (percent === undefined) errors.push(invalid(at, value, "must be a percentage, such as '25%'"));
  else if (upToAll && Number(percent) > 100) errors.push(invalid(at, value, 'must not be more than 100%'));
}

/** The number, of pods or of percent; 0 for what is neither. */
export function intOrPercent(value: Json | undefined): number {
  if (typeof value === 'string') return Number.parseInt(PERCENT.exec(value)?.[1] ?? value, 10) || 0;
  return Number(value ?? 0);
}
