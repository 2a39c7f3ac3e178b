import { forbidden, notSupported, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import type { JsonObject } from '../../meta/object.ts';

const MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** How volumes may be mounted, and claims want to mount them: by one pod, or in one or more of the other ways. */
export function checkAccessModes(spec: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const modes = Array.isArray(spec['accessModes']) ? spec['accessModes'] : [];
  const path = at.child('accessModes');
  if (modes.length === 0) errors.push(required(path));
  const known = modes.filter((mode) => typeof mode === 'string' && MODES.includes(mode));
  for (const mode of modes) if (!known.includes(mode)) errors.push(notSupported(path, mode, MODES));
  const single = known.filter((mode) => mode === 'ReadWriteOncePod').length;
  if (single > 0 && single < known.length)
    errors.push(forbidden(path, 'ReadWriteOncePod goes with no other mode'));
}
