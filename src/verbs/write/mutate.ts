import type { AdmissionOperation } from '../../admission/admission.ts';
import type { ApiObject } from '../../meta/object.ts';
import { readManagers } from '../../schema/ownership/managers.ts';
import { admissionRequest, type Writing } from './writing.ts';

/**
 * Lets mutating admission change an object. A record of ownership that it breaks stays as it was, with a warning.
 *
 * @param object changed in place. @throws ApiError 403 and what plugins throw.
 */
export async function mutate(
  writing: Writing,
  operation: AdmissionOperation,
  { object, old }: { readonly object: ApiObject; readonly old: ApiObject | undefined },
): Promise<void> {
  const { metadata } = object;
  const record = metadata.managedFields;
  await writing.dependencies.admission.mutate(admissionRequest(writing, operation, object, old));
  const changed = metadata.managedFields;
  if (changed === record || changed === undefined || readManagers(changed) !== undefined) return;
  if (record === undefined) delete metadata.managedFields;
  else metadata.managedFields = record;
  writing.request.context.warn(
    'admission left .metadata.managedFields in a state that makes no sense; it is as it was before admission',
  );
}
