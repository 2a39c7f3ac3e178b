import https from 'node:https';

export interface Answer {
  /** 0: the connection was closed without an answer. */
  status: number;
  headers: https.RequestOptions['headers'] & Record<string, string | string[] | undefined>;
  rawHeaders: string[];
  body: Buffer;
}

export interface HttpClient {
  send(request: HttpRequest): Promise<Answer>;
  close(): void;
}

export interface HttpRequest {
  method: string;
  /** Sent exactly as given, so that odd paths arrive as they are. */
  path: string;
  headers: Record<string, string | number>;
  body?: Buffer;
  /** Take what has arrived after this long and cut the connection (watch streams). */
  cutAfterMs?: number;
}

/** A plain HTTP/1.1 client for one server, without redirects, retries or compression. */
export function httpClient(server: string): HttpClient {
  const url = new URL(server);
  const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 64 });
  const once = (request: HttpRequest): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const outgoing = https.request(
        {
          host: url.hostname,
          port: url.port,
          method: request.method,
          path: request.path,
          headers: request.headers,
          agent,
          rejectUnauthorized: false,
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          const finish = (): void => {
            const { statusCode = 0, headers, rawHeaders } = incoming;
            resolve({ status: statusCode, headers, rawHeaders, body: Buffer.concat(chunks) });
          };
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.once('close', finish);
          incoming.once('error', finish);
          if (request.cutAfterMs !== undefined)
            setTimeout(() => outgoing.destroy(), request.cutAfterMs).unref();
        },
      );
      outgoing.on('error', reject);
      outgoing.setTimeout(70_000, () => outgoing.destroy(new Error('no answer within 70 s')));
      outgoing.end(request.body);
    });
  return {
    // A connection kept alive may just have been closed by the server: one more try, then that is the observation.
    send: (request) =>
      once(request).catch(() =>
        once(request).catch(() => ({ status: 0, headers: {}, rawHeaders: [], body: Buffer.alloc(0) })),
      ),
    close: () => agent.destroy(),
  };
}
