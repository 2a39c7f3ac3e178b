import type { UserInfo } from '../../request/context.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import type { Filter } from '../pipeline.ts';

interface AuthorizationRequest {
  readonly user: UserInfo;
  readonly info: RequestInfo;
}

/** Whether a user may do what a request asks for, and the refusal if not. */
export interface AuthorizationParts {
  readonly authorize: (request: AuthorizationRequest) => Promise<AuthorizationDecision>;
  readonly denied: (request: AuthorizationRequest, decision: AuthorizationDecision) => Error;
}

interface AuthorizationDecision {
  readonly verdict: string;
  readonly reason: string;
  /** What kept an authorizer from deciding. */
  readonly problem?: string;
}

/** The annotations of the audit about a decision. */
export interface DecisionNames {
  readonly decision: string;
  readonly reason: string;
}

/** Lets pass what an authorizer allows, and notes for the audit why. @throws ApiError Forbidden. */
export function authorization({ authorize, denied }: AuthorizationParts, names: DecisionNames): Filter {
  return {
    name: 'authorization',
    async run(exchange) {
      const decision = await authorize(exchange);
      const allowed = decision.verdict === 'allow';
      exchange.annotate(names.decision, allowed ? 'allow' : 'forbid');
      exchange.annotate(names.reason, decision.reason);
      if (!allowed) throw denied(exchange, decision);
    },
  };
}
