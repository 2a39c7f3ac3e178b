import { ApiError } from '../errors/api-error.ts';
import type { AuthorizationRequest, Decision } from './authorizer.ts';

/**
 * The 403 of a request that no authorizer allows: who can't do what, where, and why. Where an authorizer failed it is a
 * 500, since nobody knows whether the request is allowed.
 */
export function accessDenied(
  request: AuthorizationRequest,
  { reason, problem }: Pick<Decision, 'reason' | 'problem'>,
): ApiError {
  const { info, user } = request;
  if (problem !== undefined) {
    return new ApiError('InternalError', 'the request could not be authorized: an authorizer failed');
  }
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
