import type { ApiObject, Json, JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { UserInfo } from '../../request/context.ts';
import { isObject } from '../../meta/fields.ts';
import type { ResourceHooks } from '../hooks.ts';
import { approvalHooks, statusHooks } from './subresources.ts';
import { checkSpec } from './validate.ts';

/** CertificateSigningRequests say who made them; their spec never changes, and whether they are approved has its own subresource. */
export function certificateSigningRequestHooks(names: NamingProfile): ResourceHooks {
  const legacySigner = names.get('signer.legacy-unknown');
  return {
    resetFields: { 'f:spec': {} },
    prepareForCreate: (request, { user }) => setRequester(request, user),
    prepareForUpdate(request, old) {
      if (old.spec === undefined) delete request.spec;
      else request.spec = old.spec;
    },
    validate: (request) => checkSpec(request, legacySigner),
    status: statusHooks,
    subresources: { approval: approvalHooks },
  };
}

function setRequester(request: ApiObject, user: UserInfo): void {
  const spec: JsonObject = isObject(request.spec) ? request.spec : {};
  spec.username = user.name;
  spec.uid = user.uid;
  spec.groups = [...user.groups];
  const extra = Object.entries(user.extra).map(([key, values]): [string, Json] => [key, [...values]]);
  if (extra.length > 0) spec.extra = Object.fromEntries(extra);
  else delete spec.extra;
  request.spec = spec;
}
