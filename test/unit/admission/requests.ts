import type { AdmissionRequest } from '../../../src/admission/admission.ts';
import type { ApiObject, JsonObject, ObjectMeta } from '../../../src/meta/object.ts';
import type { UserInfo } from '../../../src/request/context.ts';
import { row } from '../../support/object-store.ts';

/** A request as admission sees it, of a user without rights. */
export function admissionRequest(
  resource: string,
  group: string,
  fields: Partial<AdmissionRequest>,
): AdmissionRequest {
  const { object, oldObject } = fields;
  const { name = '', namespace = '' } = (object ?? oldObject)?.metadata ?? {};
  return {
    operation: object === undefined ? 'DELETE' : oldObject === undefined ? 'CREATE' : 'UPDATE',
    resource: row(resource, { group }),
    subresource: '',
    object: undefined,
    oldObject: undefined,
    options: {},
    dryRun: false,
    user: user('jane'),
    signal: new AbortController().signal,
    warn: () => undefined,
    name,
    namespace,
    ...fields,
  };
}

export function user(name: string, ...groups: string[]): UserInfo {
  return { name, uid: '', groups, extra: {} };
}

export function object(metadata: ObjectMeta, fields: JsonObject = {}): ApiObject {
  return { apiVersion: 'v1', kind: 'X', metadata, ...fields };
}
