import type { TLSSocket } from 'node:tls';
import type { UserInfo } from '../../request/context.ts';
import type { Filter } from '../pipeline.ts';
import { tokenAmongProtocols } from '../websocket/request.ts';

/** Finds out who asks. @throws ApiError Unauthorized. */
export type Authenticate = (credentials: {
  authorization: string | undefined;
  socket: TLSSocket;
  rawHeaders: readonly string[];
  path: string;
}) => Promise<UserInfo>;

/**
 * Gives the request its user.
 *
 * @param tokenPrefix what the name of a WebSocket's protocol that carries a token begins with.
 */
export function authentication(authenticate: Authenticate, tokenPrefix: string): Filter {
  return {
    name: 'authentication',
    async run(exchange) {
      const { headers, rawHeaders, socket } = exchange.source;
      let { authorization } = headers;
      if (authorization === undefined) {
        const token = tokenAmongProtocols(headers, tokenPrefix);
        if (token !== undefined) authorization = `Bearer ${token}`;
      }
      exchange.user = await authenticate({ authorization, socket, rawHeaders, path: exchange.info.path });
    },
  };
}
