import type { AdmissionRequest } from '../../../src/admission/admission.ts';
import { ApiError } from '../../../src/errors/api-error.ts';
import type { AdmissionPlugin } from '../../../src/admission/admission.ts';
import type { ApiObject, JsonObject, ObjectMeta } from '../../../src/meta/object.ts';
import { PODS } from '../../support/object-store.ts';

/** A creation of a pod in the namespace `n`, unless the fields say otherwise. */
export function podRequest(object: ApiObject, fields: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return {
    operation: 'CREATE',
    resource: PODS,
    subresource: '',
    namespace: 'n',
    name: object.metadata.name ?? '',
    object,
    oldObject: undefined,
    options: {},
    dryRun: false,
    user: { name: 'u', uid: '', groups: [], extra: {} },
    signal: new AbortController().signal,
    warn: () => undefined,
    ...fields,
  };
}

export function pod(spec: JsonObject = {}, metadata: ObjectMeta = { name: 'p' }): ApiObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec };
}

/** Lets a plugin decide, in both phases. @returns the object's spec as it is then, or the refusal */
export async function admit(
  plugin: AdmissionPlugin,
  request: AdmissionRequest,
): Promise<JsonObject | ApiError> {
  try {
    await plugin.mutate?.(request);
    await plugin.validate?.(request);
    return request.object?.['spec'] as JsonObject;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
