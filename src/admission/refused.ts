import type { ApiError } from '../errors/api-error.ts';
import { forbiddenError } from '../errors/status-errors.ts';
import type { AdmissionRequest } from './admission.ts';

/** 403 about the object of a request, by its name or, as long as it has none, the beginning of the one that it will get. */
export function refused({ resource, name, object }: AdmissionRequest, why: string): ApiError {
  return forbiddenError(resource, name || (object?.metadata.generateName ?? ''), why);
}
