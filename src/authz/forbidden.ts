import { ApiError } from '../errors/api-error.ts';
import type { AuthorizationRequest } from './authorizer.ts';

/** The 403 of a request that no authorizer allows: who can't do what, where, and why. */
export function accessDenied(request: AuthorizationRequest, reason: string): ApiError {
  const { info, user } = request;
  const why = reason === '' ? '' : `: ${reason}`;
  const who = `User ${JSON.stringify(user.name)} cannot ${info.verb}`;
  if (!info.isResourceRequest) {
    return new ApiError('Forbidden', `forbidden: ${who} path ${JSON.stringify(info.path)}${why}`, {
      details: {},
    });
  }
  const resource = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`;
  const qualified = info.group === '' ? info.resource : `${info.resource}.${info.group}`;
  const subject = info.name === '' ? qualified : `${qualified} ${JSON.stringify(info.name)}`;
  const where =
    info.namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(info.namespace)}`;
  const what = `resource ${JSON.stringify(resource)} in API group ${JSON.stringify(info.group)} ${where}`;
  return new ApiError('Forbidden', `${subject} is forbidden: ${who} ${what}${why}`, {
    details: {
      ...(info.name === '' ? {} : { name: info.name }),
      ...(info.group === '' ? {} : { group: info.group }),
      kind: info.resource,
    },
  });
}
