import type { UserInfo } from '../request/context.ts';
import type { RequestInfo } from '../request/request-info.ts';

/** What an authorizer looks at: who asks, and what the path and method say. */
export interface AuthorizationRequest {
  readonly user: UserInfo;
  readonly info: RequestInfo;
}

/** An authorizer's answer. `reason` tells an operator, and a denied user, what decided. */
export interface Decision {
  readonly verdict: 'allow' | 'deny' | 'noOpinion';
  readonly reason: string;
}

export type Authorizer = (request: AuthorizationRequest) => Promise<Decision>;

export const ALLOW: Decision = { verdict: 'allow', reason: '' };
export const NO_OPINION: Decision = { verdict: 'noOpinion', reason: '' };

/** Asks authorizers in order: the first that allows or denies decides; reasons of those without opinion are kept. */
export function authorizeUnion(authorizers: readonly Authorizer[]): Authorizer {
  return async function authorize(request) {
    const reasons: string[] = [];
    for (const authorizer of authorizers) {
      const decision = await authorizer(request);
      if (decision.verdict !== 'noOpinion') return decision;
      if (decision.reason !== '') reasons.push(decision.reason);
    }
    return { verdict: 'noOpinion', reason: reasons.join(', ') };
  };
}
