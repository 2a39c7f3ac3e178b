import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import express, { type Express, type RequestHandler } from 'express';

/**
 * A request on HTTP/2, as much of it as Express and the listener look at. Node's own class for it adds what makes it
 * look like one of HTTP/1.1, a dozen listeners among it: with these two classes in the place of Node's, a GET takes a
 * tenth less of the main thread.
 */
export class StreamRequest {
  readonly httpVersionMajor = 2;
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly method: string;
  readonly url: string;

  /** As Node makes its requests; it has no options for them. */
  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    _options: object | undefined,
    rawHeaders: readonly string[],
  ) {
    this.stream = stream;
    this.headers = headers;
    this.rawHeaders = rawHeaders;
    this.method = headers[':method'] ?? '';
    this.url = headers[':path'] ?? '';
  }
}

/** Its answer: what Node itself calls when it answers an expectation, or refuses CONNECT. */
export class StreamResponse {
  readonly stream: ServerHttp2Stream;
  statusCode = 200;

  constructor(stream: ServerHttp2Stream) {
    this.stream = stream;
  }

  writeContinue(): void {
    if (!this.stream.destroyed && !this.stream.headersSent) this.stream.additionalHeaders({ ':status': 100 });
  }

  end(): void {
    if (!this.stream.destroyed && !this.stream.closed)
      this.stream.respond({ ':status': this.statusCode }, { endStream: true });
  }
}

/** A request of either protocol version. */
export type AnyRequest = IncomingMessage | StreamRequest;
export type AnyResponse = ServerResponse | StreamResponse;

/**
 * Express behind both protocol versions. It gives requests and responses its own prototypes, which descend from those
 * of HTTP/1.1 and break those of HTTP/2; so there are two applications, and the second one's prototypes are those that
 * its requests and responses have already: it routes, and that is all.
 */
export function bridge(handler: RequestHandler): (request: AnyRequest, response: AnyResponse) => void {
  const http1 = application(handler);
  const http2 = application(handler);
  http2.request = StreamRequest.prototype as unknown as Express['request'];
  http2.response = StreamResponse.prototype as unknown as Express['response'];
  return (request, response) => {
    const app = request.httpVersionMajor === 2 ? http2 : http1;
    app(request as IncomingMessage, response as ServerResponse);
  };
}

function application(handler: RequestHandler): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use(handler);
  return app;
}
