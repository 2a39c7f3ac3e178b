import type { UserInfo } from '../request/context.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { Selectors } from './selectors.ts';

/** What an authorizer looks at: who asks, and what the path and method say. */
export interface AuthorizationRequest {
  readonly user: UserInfo;
  readonly info: RequestInfo;
  /** Instead of those that `info` has as texts: of a review. */
  readonly selectors?: Selectors;
}

/** An authorizer's answer. `reason` tells an operator, and a denied user, what decided. */
export interface Decision {
  readonly verdict: 'allow' | 'deny' | 'noOpinion';
  readonly reason: string;
  /** What kept an authorizer from deciding, for those who review access. */
  readonly problem?: string;
}

/** All authorizers of a server in one. */
export type Authorizer = (request: AuthorizationRequest) => Promise<Decision>;

/** One of them. Those that decide by what they know answer at once. */
export type SingleAuthorizer = (request: AuthorizationRequest) => Decision | Promise<Decision>;

export const ALLOW: Decision = { verdict: 'allow', reason: '' };
export const NO_OPINION: Decision = { verdict: 'noOpinion', reason: '' };

/**
 * Asks authorizers in order: the first that allows or denies decides; reasons and problems of those without opinion are
 * kept.
 */
export function authorizeUnion(authorizers: readonly SingleAuthorizer[]): Authorizer {
  return async function authorize(request) {
    const reasons: string[] = [];
    const problems: string[] = [];
    for (const authorizer of authorizers) {
      const answer = authorizer(request);
      const decision = answer instanceof Promise ? await answer : answer;
      if (decision.problem !== undefined) problems.push(decision.problem);
      if (decision.verdict !== 'noOpinion') return withProblems(decision, problems);
      if (decision.reason !== '') reasons.push(decision.reason);
    }
    return withProblems({ verdict: 'noOpinion', reason: reasons.join(', ') }, problems);
  };
}

function withProblems(decision: Decision, problems: readonly string[]): Decision {
  return problems.length === 0 ? decision : { ...decision, problem: problems.join(', ') };
}
