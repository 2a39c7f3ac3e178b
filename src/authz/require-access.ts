import type { UserInfo } from '../request/context.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { Authorizer } from './authorizer.ts';
import { accessDenied } from './forbidden.ts';

/** A question for an authorizer in the middle of a request, to which the only good answer is yes. @throws ApiError 403. */
export type RequireAccess = (user: UserInfo, info: RequestInfo) => Promise<void>;

/** Lets pass what an authorizer allows. */
export function requireAccessBy(authorize: Authorizer): RequireAccess {
  return async function requireAccess(user, info) {
    const decision = await authorize({ user, info });
    if (decision.verdict !== 'allow') throw accessDenied({ user, info }, decision);
  };
}
