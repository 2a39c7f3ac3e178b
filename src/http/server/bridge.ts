import type { IncomingMessage, ServerResponse } from 'node:http';
import { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import express, { type Express, type RequestHandler, Router } from 'express';

/** A request of either protocol version. */
export type AnyRequest = IncomingMessage | Http2ServerRequest;
export type AnyResponse = ServerResponse | Http2ServerResponse;

/**
 * One Express router behind both protocol versions. Express gives requests and responses its own prototypes, which
 * descend from HTTP/1.1's and break HTTP/2's; so there are two applications around one router, and the second's
 * prototypes descend from HTTP/2's.
 */
export function bridge(handler: RequestHandler): (request: AnyRequest, response: AnyResponse) => void {
  const router = Router();
  router.use(handler);
  const http1 = application(router);
  const http2 = application(router);
  http2.request = descend(http2.request, Http2ServerRequest.prototype);
  http2.response = descend(http2.response, Http2ServerResponse.prototype);
  return (request, response) => {
    const app = request.httpVersionMajor === 2 ? http2 : http1;
    app(request as IncomingMessage, response as ServerResponse);
  };
}

function application(router: Router): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use(router);
  return app;
}

/** A copy of what Express adds to requests or responses, on another base. */
function descend<T extends object>(added: T, base: object): T {
  const own = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(added) as object);
  return Object.create(base, { ...own, ...Object.getOwnPropertyDescriptors(added) }) as T;
}
