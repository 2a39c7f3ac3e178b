import type { UserInfo } from '../../request/context.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import type { Filter } from '../pipeline.ts';
import type { AuthorizationParts } from './authorization.ts';

/** Reads whom a request wants to be; undefined: whom it is. @throws ApiError for headers that make no sense. */
export type ReadImpersonation = (rawHeaders: readonly string[]) =>
  | {
      /** What the user who asks must be allowed to do. */
      readonly checks: readonly RequestInfo[];
      readonly user: UserInfo;
    }
  | undefined;

/** Makes a request another user's, where the one who sends it may do that. @throws ApiError Forbidden. */
export function impersonation(read: ReadImpersonation, { authorize, denied }: AuthorizationParts): Filter {
  return {
    name: 'impersonation',
    async run(exchange) {
      if (!asksToImpersonate(exchange.source.headers)) return;
      const impersonated = read(exchange.source.rawHeaders);
      if (impersonated === undefined) return;
      const { user } = exchange;
      for (const info of impersonated.checks) {
        const decision = await authorize({ user, info });
        if (decision.verdict !== 'allow') throw denied({ user, info }, decision);
      }
      exchange.user = impersonated.user;
    },
  };
}

function asksToImpersonate(headers: object): boolean {
  for (const name in headers) if (name.startsWith('impersonate-')) return true;
  return false;
}
