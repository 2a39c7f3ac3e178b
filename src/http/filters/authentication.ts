import type { TLSSocket } from 'node:tls';
import type { RequestContext, UserInfo } from '../../request/context.ts';
import type { Filter } from '../pipeline.ts';
import { tokenAmongProtocols } from '../websocket/request.ts';

/** Finds out who asks. @throws ApiError Unauthorized. */
export type Authenticate = (credentials: {
  authorization: string | undefined;
  socket: TLSSocket;
  rawHeaders: readonly string[];
  path: string;
  /** Takes what is noteworthy of the credentials. */
  notes?: Pick<RequestContext, 'annotate' | 'warn'>;
}) => Promise<UserInfo>;

export interface AuthenticationNames {
  /** What the name of a WebSocket's protocol that carries a token begins with. */
  readonly tokenPrefix: string;
  /** The annotation of the audit with the method that knew the user. */
  readonly method: string;
}

/**
 * Gives the request its user.
 *
 * @param methodOf tells which method knew a user.
 */
export function authentication(
  authenticate: Authenticate,
  { tokenPrefix, method }: AuthenticationNames,
  methodOf: (user: UserInfo) => string | undefined = () => undefined,
): Filter {
  return {
    name: 'authentication',
    async run(exchange) {
      const { headers, rawHeaders, socket } = exchange.source;
      let { authorization } = headers;
      if (authorization === undefined) {
        const token = tokenAmongProtocols(headers, tokenPrefix);
        if (token !== undefined) authorization = `Bearer ${token}`;
      }
      const { path } = exchange.info;
      const user = await authenticate({ authorization, socket, rawHeaders, path, notes: exchange });
      exchange.user = user;
      const by = methodOf(user);
      if (by !== undefined) exchange.annotate(method, by);
    },
  };
}
