import assert from 'node:assert/strict';
import { once } from 'node:events';
import http2, { type Http2SecureServer } from 'node:http2';
import https from 'node:https';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { CredentialSource, Credentials } from '../../../src/client/https/credentials.ts';
import { HttpsTransport, type HttpsTransportOptions } from '../../../src/client/https/https-transport.ts';
import type { TransportRequest } from '../../../src/client/transport.ts';
import { selfSigned, type TestCertificate } from '../../support/certificates.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** What is spoken, and how a server that speaks it is made. */
const PROTOCOLS: Readonly<
  Record<string, (pair: TestCertificate, listener: Listener) => Server | Http2SecureServer>
> = {
  'HTTP/2': (pair, listener) =>
    http2.createSecureServer(
      { ...pair },
      listener as unknown as Parameters<typeof http2.createSecureServer>[1],
    ),
  'HTTP/1.1': (pair, listener) => https.createServer({ ...pair }, listener),
  'HTTP without TLS': (_pair, listener) => http.createServer(listener),
};

let pair: TestCertificate;
const cleanups: (() => Promise<void> | void)[] = [];

describe('the transport over HTTPS', () => {
  before(async () => {
    pair = await selfSigned();
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  async function serve(protocol: string, listener: Listener): Promise<string> {
    const make = PROTOCOLS[protocol];
    assert.ok(make);
    const server = make(pair, listener);
    const sessions = new Set<{ destroy(): void }>();
    server.on('session', (session: { destroy(): void }) => sessions.add(session));
    server.on('connection', (socket: { destroy(): void }) => sessions.add(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(() => {
      for (const session of sessions) session.destroy();
      server.close();
    });
    const scheme = protocol === 'HTTP without TLS' ? 'http' : 'https';
    return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  function connectTo(server: string, options: Partial<HttpsTransportOptions> = {}): HttpsTransport {
    const transport = new HttpsTransport({ server, authority: pair.cert, ...options });
    cleanups.push(() => transport.close());
    return transport;
  }

  async function readText(
    transport: HttpsTransport,
    request: Partial<TransportRequest> = {},
  ): Promise<string> {
    const { body } = await transport.send({ method: 'GET', path: '/', ...request });
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  for (const protocol of Object.keys(PROTOCOLS)) {
    describe(`HttpsTransport over ${protocol}`, () => {
      it('carries method, path, headers and body, and the answer back', async () => {
        const server = await serve(protocol, (request, response) => {
          const chunks: Buffer[] = [];
          request.on('data', (chunk: Buffer) => chunks.push(chunk));
          request.on('end', () => {
            response.writeHead(201, { 'x-answer': 'yes' });
            const { method, url, headers } = request;
            response.end(
              JSON.stringify([
                method,
                url,
                headers['x-one'],
                headers['impersonate-group'],
                Buffer.concat(chunks).toString(),
              ]),
            );
          });
        });
        const transport = connectTo(`${server}/under/`, { headers: { 'impersonate-group': ['a', 'b'] } });
        const response = await transport.send({
          method: 'PUT',
          path: '/x?y=1',
          headers: { 'x-one': '1' },
          body: 'täxt',
        });
        const chunks: Uint8Array[] = [];
        for await (const chunk of response.body) chunks.push(chunk);
        assert.equal(response.status, 201);
        assert.equal(response.headers['x-answer'], 'yes');
        assert.equal(response.headers[':status'], undefined);
        assert.deepEqual(JSON.parse(Buffer.concat(chunks).toString()), [
          'PUT',
          '/under/x?y=1',
          '1',
          'a, b',
          'täxt',
        ]);
      });

      it('inflates answers when asked to want them compressed', async () => {
        const server = await serve(protocol, (request, response) => {
          assert.equal(request.headers['accept-encoding'], 'gzip');
          response.writeHead(200, { 'content-encoding': 'gzip' });
          response.end(gzipSync('x'.repeat(100_000)));
        });
        assert.equal((await readText(connectTo(server, { compression: true }))).length, 100_000);
      });

      it('rejects with the reason of an abort, before and after the head of the answer', async () => {
        const server = await serve(protocol, (request, response) => {
          if (request.url === '/silent') return;
          response.writeHead(200);
          response.write('first');
        });
        const transport = connectTo(server);
        const silent = new AbortController();
        const reason = new Error('enough');
        const waiting = readText(transport, { path: '/silent', signal: silent.signal });
        setImmediate(() => silent.abort(reason));
        await assert.rejects(waiting, reason);
        const open = new AbortController();
        const { body } = await transport.send({ method: 'GET', path: '/', signal: open.signal });
        await assert.rejects(async () => {
          for await (const chunk of body) {
            assert.equal(Buffer.from(chunk).toString(), 'first');
            open.abort(reason);
          }
        }, reason);
        await assert.rejects(
          transport.send({ method: 'GET', path: '/', signal: AbortSignal.abort(reason) }),
          reason,
        );
      });

      it('ends the exchange when its reader leaves early', async () => {
        const closed = Promise.withResolvers<void>();
        const server = await serve(protocol, (_request, response) => {
          response.on('close', () => closed.resolve());
          response.writeHead(200);
          response.write('first');
        });
        const { body } = await connectTo(server).send({ method: 'GET', path: '/' });
        for await (const chunk of body) {
          assert.ok(chunk.length > 0);
          break;
        }
        await closed.promise;
      });

      it('fails the body when the connection breaks in its middle, and connects anew for the next request', async () => {
        let requests = 0;
        const server = await serve(protocol, (_request, response) => {
          response.writeHead(200);
          if (++requests === 1) response.write('first');
          else response.end('whole');
        });
        const proxy = await TcpProxy.start(server);
        cleanups.push(() => proxy.stop());
        const transport = connectTo(proxy.endpoint.replace('http:', new URL(server).protocol));
        const { body } = await transport.send({ method: 'GET', path: '/' });
        await assert.rejects(async () => {
          for await (const chunk of body) {
            assert.ok(chunk.length > 0);
            proxy.cut();
          }
        });
        assert.equal(await readText(transport), 'whole');
        assert.equal(proxy.connections, 2);
      });

      it('rejects what is under way when it is closed', async () => {
        const arrived = Promise.withResolvers<void>();
        const server = await serve(protocol, () => arrived.resolve());
        const transport = connectTo(server);
        const waiting = readText(transport);
        await Promise.race([arrived.promise, waiting]);
        await Promise.all([assert.rejects(waiting, /closed/), transport.close()]);
        await assert.rejects(readText(transport), /closed/);
      });
    });
  }

  describe('HttpsTransport', () => {
    it('carries many requests on one connection, and opens another when its streams are taken', async () => {
      const waiting: (() => void)[] = [];
      const server = await serve('HTTP/2', (_request, response) => {
        waiting.push(() => response.end('done'));
        if (waiting.length === 150) for (const end of waiting) end();
      });
      const proxy = await TcpProxy.start(server);
      cleanups.push(() => proxy.stop());
      const transport = connectTo(proxy.endpoint.replace('http:', 'https:'));
      const texts = await Promise.all(Array.from({ length: 150 }, () => readText(transport)));
      assert.equal(texts.length, 150);
      assert.ok(proxy.connections <= 2, `${proxy.connections} connections`);
    });

    it('sends a request again that the server refused to look at', async () => {
      let streams = 0;
      const server = await serve('HTTP/2', (_request, response) => {
        const { stream } = response as unknown as { stream: http2.ServerHttp2Stream };
        if (++streams === 1) stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);
        else response.end('taken');
      });
      assert.equal(await readText(connectTo(server), { method: 'POST', body: '{}' }), 'taken');
      assert.equal(streams, 2);
    });

    it('gives up a connection on which nothing comes any more, not even an answer to a ping', async () => {
      const server = await serve('HTTP/2', (_request, response) => {
        response.writeHead(200);
        response.write('first');
      });
      const proxy = await TcpProxy.start(server);
      cleanups.push(() => proxy.stop());
      const clock = new ManualClock();
      const transport = connectTo(proxy.endpoint.replace('http:', 'https:'), { clock });
      const { body } = await transport.send({ method: 'GET', path: '/' });
      const reader = body[Symbol.asyncIterator]();
      await reader.next();
      clock.advance(30_000);
      while (!clock.pending.includes(30_000)) await new Promise(setImmediate); // The ping was answered.
      proxy.freeze();
      clock.advance(30_000);
      const next = reader.next();
      clock.advance(15_000);
      await assert.rejects(next, /ETIMEDOUT|broke|does not answer/);
      assert.deepEqual(clock.pending, []);
    });

    it('gives up connecting after a time', async () => {
      const server = await serve('HTTP/2', (_request, response) => response.end());
      const proxy = await TcpProxy.start(server);
      cleanups.push(() => proxy.stop());
      proxy.freeze();
      const clock = new ManualClock();
      const waiting = readText(connectTo(proxy.endpoint.replace('http:', 'https:'), { clock }));
      while (clock.pending.length === 0) await new Promise(setImmediate);
      clock.advance(30_000);
      await assert.rejects(waiting, { code: 'ETIMEDOUT', message: /within 30 s/ });
    });

    it('tells why there is no connection', async () => {
      const server = await serve('HTTP/2', (_request, response) => response.end());
      const cases: [Partial<HttpsTransportOptions>, string][] = [
        [{ authority: undefined }, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
        [{ serverName: 'elsewhere.example' }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
        [{ server: 'https://127.0.0.1:1' }, 'ECONNREFUSED'],
      ];
      for (const [options, code] of cases) {
        await assert.rejects(readText(connectTo(server, options)), { code });
      }
      assert.equal(await readText(connectTo(server, { authority: undefined, insecure: true })), '');
      assert.equal(await readText(connectTo(server, { serverName: 'localhost' })), '');
    });

    it('tells the source of credentials when the server refuses them', async () => {
      const server = await serve('HTTP/2', (request, response) => {
        response.statusCode = request.headers.authorization === 'Bearer 2' ? 200 : 401;
        response.end(request.headers.authorization);
      });
      let current: Credentials = { authorization: 'Bearer 1' };
      const credentials: CredentialSource = {
        get: () => Promise.resolve(current),
        refused: (used) => {
          assert.equal(used, current);
          current = { authorization: 'Bearer 2' };
        },
      };
      const transport = connectTo(server, { credentials });
      assert.equal(await readText(transport), 'Bearer 1');
      assert.equal(await readText(transport), 'Bearer 2');
    });
  });
});
