import type { TLSSocket } from 'node:tls';
import type { UserInfo } from '../../request/context.ts';
import type { Filter } from '../pipeline.ts';

/** Finds out who asks. @throws ApiError Unauthorized. */
export type Authenticate = (credentials: {
  authorization: string | undefined;
  socket: TLSSocket;
}) => Promise<UserInfo>;

/** Gives the request its user. */
export function authentication(authenticate: Authenticate): Filter {
  return {
    name: 'authentication',
    async run(exchange) {
      const { headers, socket } = exchange.source;
      exchange.user = await authenticate({ authorization: headers.authorization, socket });
    },
  };
}
