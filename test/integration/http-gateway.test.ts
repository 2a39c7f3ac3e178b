import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import { LIMITS } from '../../src/http/limits.ts';
import { healthEndpoints } from '../../src/http/endpoints/health.ts';
import { versionEndpoints } from '../../src/http/endpoints/version.ts';
import { configMapEntry, startGateway, type TestGateway } from '../support/http-gateway.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

const COLLECTION = '/api/v1/namespaces/default/configmaps';

/** One request on HTTP/1.1. */
function http1(
  server: TestGateway,
  method: string,
  path: string,
  more: { headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { method, ca: server.ca, headers: more.headers ?? {} };
    const request = https.request(server.origin + path, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    request.on('error', reject);
    request.end(more.body);
  });
}

/** A stream's answer, read to its end. */
async function read(stream: http2.ClientHttp2Stream): Promise<Answer & { bytes: number }> {
  let headers: Record<string, string | string[] | undefined> = {};
  let body = '';
  let bytes = 0;
  stream.on('response', (received) => (headers = received as typeof headers));
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes < 1_000_000) body += chunk.toString();
  });
  await once(stream, 'end');
  return { status: Number(headers[':status'] ?? 0), headers, body, bytes };
}

async function connect(server: TestGateway): Promise<http2.ClientHttp2Session> {
  const session = http2.connect(server.origin, {
    ca: server.ca,
    settings: { initialWindowSize: 1024 * 1024 },
    peerMaxConcurrentStreams: 1000,
  });
  await once(session, 'remoteSettings');
  session.setLocalWindowSize(64 * 1024 * 1024);
  return session;
}

/** Speaks bytes; resolves with everything that came back once the connection ends. */
async function raw(server: TestGateway, text: string): Promise<string> {
  const socket = tls.connect({
    port: server.port,
    host: '127.0.0.1',
    ca: server.ca,
    ALPNProtocols: ['http/1.1'],
  });
  await once(socket, 'secureConnect');
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket, 'close');
  return received;
}

/** A frame of HTTP/2 (RFC 9113 section 4.1). */
function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header.writeUInt8(type, 3);
  header.writeUInt8(flags, 4);
  header.writeUInt32BE(stream, 5);
  return Buffer.concat([header, payload]);
}

/** `GET https:/` by the static table of HPACK, with an authority of `x`, and its RST_STREAM. */
function openAndReset(stream: number): Buffer {
  const headers = frame(1, 0x5, stream, Buffer.from([0x82, 0x87, 0x84, 0x01, 0x01, 0x78]));
  return Buffer.concat([headers, frame(3, 0, stream, Buffer.from([0, 0, 0, 8]))]);
}

describe('the gateway', () => {
  let server: TestGateway;
  before(async () => {
    const paths = versionEndpoints({
      major: '1',
      minor: '32',
      gitVersion: 'v1.32.0+orch',
      gitCommit: '',
      gitTreeState: '',
      buildDate: '',
      goVersion: '',
      compiler: '',
      platform: '',
    });
    server = await startGateway({
      requestTimeoutMs: 3_000,
      paths: () => ({
        exact: new Map([
          ...paths.exact,
          ...healthEndpoints('livez', [
            { name: 'ping', check: () => undefined },
            { name: 'etcd', check: () => Promise.reject(new Error('secret reason')) },
          ]),
        ]),
        below: paths.below,
        discovery: (exchange) => {
          throw new Error(`no discovery here: ${exchange.info.path}`);
        },
      }),
    });
  });
  after(() => server.close());

  describe('on HTTP/1.1', () => {
    it('answers with what every answer carries', async () => {
      const { status, headers, body } = await http1(server, 'GET', `${COLLECTION}/a`);
      assert.equal(status, 200);
      assert.equal(headers['content-type'], 'application/json');
      assert.equal(headers['cache-control'], 'no-cache, private');
      assert.match(String(headers['audit-id']), /^[0-9a-f-]{36}$/);
      assert.equal(headers['x-powered-by'], undefined);
      assert.equal(headers['etag'], undefined);
      assert.equal((JSON.parse(body) as { kind: string }).kind, 'ConfigMap');
    });

    it('keeps the audit ID that a client sends, cut to 64', async () => {
      const { headers } = await http1(server, 'GET', `${COLLECTION}/a`, {
        headers: { 'audit-id': 'x'.repeat(99) },
      });
      assert.equal(headers['audit-id'], 'x'.repeat(64));
    });

    for (const [method, path, status, reason] of [
      ['GET', `${COLLECTION}/nope`, 404, 'NotFound'],
      ['GET', '/api/v1/nosuch', 404, 'NotFound'],
      ['GET', '/api/v1/forbidden', 403, 'Forbidden'],
      ['PUT', COLLECTION, 405, 'MethodNotAllowed'],
      ['HEAD', COLLECTION, 405, undefined],
      ['TRACE', COLLECTION, 405, 'MethodNotAllowed'],
      ['POST', '/version', 405, 'MethodNotAllowed'],
      ['GET', '/version/x', 404, 'NotFound'],
      ['GET', `${COLLECTION}?timeout=bogus`, 400, 'BadRequest'],
      ['GET', '/api/v1/%zz', 400, 'BadRequest'],
      ['GET', '/api/v1/watch', 400, 'BadRequest'],
      ['DELETE', `${COLLECTION}/a`, 500, 'InternalError'],
    ] as const) {
      it(`${method} ${path}: ${status}`, async () => {
        const answer = await http1(server, method, path);
        assert.equal(answer.status, status);
        assert.equal(answer.headers['content-type'], 'application/json');
        assert.equal(answer.headers['cache-control'], 'no-cache, private');
        if (reason !== undefined) {
          const body = JSON.parse(answer.body) as {
            kind: string;
            code: number;
            reason: string;
            status: string;
          };
          assert.deepEqual(
            [body.kind, body.code, body.reason, body.status],
            ['Status', status, reason, 'Failure'],
          );
        }
        assert.equal(answer.headers['x-content-type-options'], status === 403 ? 'nosniff' : undefined);
      });
    }

    it('keeps its own faults to its log', async () => {
      const { body } = await http1(server, 'DELETE', `${COLLECTION}/a`);
      assert.doesNotMatch(body, /a fault of ours/);
      assert.match(String(server.faults.at(-1)), /a fault of ours/);
    });

    it('answers unknown paths as text', async () => {
      for (const path of ['/nope', '//api/v1', '/API/v1', '/apis/nope/v1', '/apis/nope/v1/things']) {
        const { status, headers, body } = await http1(server, 'GET', path);
        assert.deepEqual(
          [status, headers['content-type'], body],
          [404, 'text/plain; charset=utf-8', '404 page not found\n'],
        );
        assert.equal(headers['x-content-type-options'], 'nosniff');
      }
    });

    it('refuses media types, in a type that the client takes', async () => {
      const yaml = await http1(server, 'GET', '/version', { headers: { accept: 'application/yaml' } });
      assert.deepEqual([yaml.status, yaml.headers['content-type']], [406, 'application/yaml']);
      const text = await http1(server, 'GET', COLLECTION, { headers: { accept: 'text/plain' } });
      assert.deepEqual([text.status, text.headers['content-type']], [406, 'application/json']);
    });

    it('sends warnings, in UTF-8', async () => {
      const body = JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'x' } });
      const { status, headers } = await http1(server, 'POST', COLLECTION, { body });
      assert.equal(status, 201);
      assert.equal(headers['warning'], '299 - "made of what was sent"');
    });

    it('refuses a body of more than 3 MiB, and the client gets to see it', async () => {
      for (const length of [LIMITS.bodyBytes + 1, LIMITS.bodyBytes * 3]) {
        const { status, body } = await http1(server, 'POST', COLLECTION, { body: 'x'.repeat(length) });
        assert.equal(status, 413);
        assert.equal((JSON.parse(body) as { reason: string }).reason, 'RequestEntityTooLarge');
      }
    });

    it('refuses a chunked body of more than 3 MiB', async () => {
      const { status } = await http1(server, 'POST', COLLECTION, {
        headers: { 'transfer-encoding': 'chunked' },
        body: 'x'.repeat(LIMITS.bodyBytes + 1),
      });
      assert.equal(status, 413);
    });

    it('answers 504 at the deadline, and tells the verb', async () => {
      const answer = await http1(server, 'PATCH', `${COLLECTION}/a?timeout=100ms`);
      assert.equal(answer.status, 504);
      assert.equal((JSON.parse(answer.body) as { reason: string }).reason, 'Timeout');
    });

    it('streams watches, their head before any event', async () => {
      const path = `${COLLECTION}?watch=1&timeoutSeconds=600`;
      const request = https.get(server.origin + path, { ca: server.ca });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      assert.equal(response.headers['transfer-encoding'], 'chunked');
      await server.feed.open(1);
      server.feed.send([{ type: 'ADDED', entry: configMapEntry('live', 9) }]);
      const [line] = (await once(response, 'data')) as [Buffer];
      assert.match(line.toString(), /^\{"type":"ADDED","object":\{"kind":"ConfigMap",.*\}\}\n$/);
      request.on('error', () => undefined);
      request.destroy();
      await server.feed.open(0);
    });

    it('takes a whole URL as the target, as proxies send it', async () => {
      const target = `https://example.org${COLLECTION}/a?pretty=1`;
      const answer = await raw(server, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      assert.match(answer, /^HTTP\/1\.1 200 OK\r\n[^]*\n {2}"kind": "ConfigMap"/);
    });

    it('refuses a timeout that is none, in words that clients look for', async () => {
      const { status, body } = await http1(server, 'GET', `${COLLECTION}?timeout=invalid`);
      assert.equal(status, 400);
      const { message } = JSON.parse(body) as { message: string };
      assert.match(message, /^invalid timeout specified in the request URL - "invalid" /);
    });

    it('ends connections that ask for it', async () => {
      const answer = await raw(
        server,
        `GET ${COLLECTION}/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
    });
  });

  describe('health', () => {
    it('withholds the reason of a failure', async () => {
      const { status, headers, body } = await http1(server, 'GET', '/livez');
      assert.equal(status, 500);
      assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
      assert.equal(body, '[+]ping ok\n[-]etcd failed: reason withheld\nlivez check failed\n');
    });

    it('excludes checks, and says which it does not know', async () => {
      assert.equal((await http1(server, 'GET', '/livez?exclude=etcd')).body, 'ok');
      assert.equal(
        (await http1(server, 'GET', '/livez?verbose&exclude=etcd&exclude=foo')).body,
        '[+]ping ok\n[+]etcd excluded: ok\nwarn: some health checks cannot be excluded: no matches for "foo"\nlivez check passed\n',
      );
    });

    it('has a path for each check', async () => {
      assert.deepEqual((await http1(server, 'GET', '/livez/ping')).body, 'ok');
      assert.deepEqual((await http1(server, 'GET', '/livez/etcd')).status, 500);
      assert.deepEqual((await http1(server, 'GET', '/livez/nope')).status, 404);
      assert.deepEqual((await http1(server, 'HEAD', '/livez/ping')).status, 200);
    });
  });

  describe('with bytes that are no request', () => {
    for (const [what, bytes, status] of [
      ['an unknown method', `FOO ${COLLECTION} HTTP/1.1\r\nHost: x\r\n\r\n`, 405],
      ['no HTTP', 'hello\r\n\r\n', 405],
      ['headers of more than 64 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
      [
        'headers of 2 MiB, of which most are still under way',
        `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(2 << 20)}\r\n\r\n`,
        431,
      ],
      ['a bad header', 'GET / HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n', 400],
      ['a bad length', `POST ${COLLECTION} HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n`, 400],
      [
        'two lengths',
        `POST ${COLLECTION} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx`,
        400,
      ],
      [
        'length and chunks',
        `POST ${COLLECTION} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
        400,
      ],
    ] as const) {
      it(`${what}: ${status}`, async () => {
        const answer = await raw(server, bytes);
        assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `));
        assert.match(answer, /"kind":"Status"/);
      });
    }

    it('ends a request whose chunks are broken', async () => {
      const answer = await raw(
        server,
        `POST ${COLLECTION} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n`,
      );
      assert.match(answer, /^HTTP\/1\.1 400 /);
    });

    it('lives on after clients that leave in the middle', async () => {
      for (const bytes of [
        '',
        'GET',
        `POST ${COLLECTION} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc`,
      ]) {
        const socket = tls.connect({ port: server.port, host: '127.0.0.1', ca: server.ca });
        await once(socket, 'secureConnect');
        socket.write(bytes);
        socket.destroy();
        await once(socket, 'close');
      }
      assert.equal((await http1(server, 'GET', `${COLLECTION}/a`)).status, 200);
    });

    it('lives on after plain text on the TLS port', async () => {
      const socket = net.connect(server.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.end('GET / HTTP/1.1\r\n\r\n');
      await once(socket, 'close');
      assert.equal((await http1(server, 'GET', `${COLLECTION}/a`)).status, 200);
    });

    it('ends the watch of a client that closes its half of the connection', async () => {
      const socket = tls.connect({ port: server.port, host: '127.0.0.1', ca: server.ca });
      await once(socket, 'secureConnect');
      socket.on('error', () => undefined);
      socket.resume();
      socket.end(`GET ${COLLECTION}?watch=1 HTTP/1.1\r\nHost: x\r\n\r\n`);
      await once(socket, 'close');
      await server.feed.open(0);
    });
  });

  describe('on HTTP/2', () => {
    let session: http2.ClientHttp2Session;
    before(async () => {
      session = await connect(server);
    });
    after(() => session.destroy());

    it('answers gets, lists and refusals', async () => {
      const get = await read(session.request({ ':path': `${COLLECTION}/a` }));
      assert.equal(get.status, 200);
      assert.equal(get.headers['content-length'], String(get.bytes));
      const list = await read(session.request({ ':path': COLLECTION }));
      assert.equal((JSON.parse(list.body) as { items: unknown[] }).items.length, 2);
      const refusal = await read(session.request({ ':path': `${COLLECTION}/nope` }));
      assert.equal(refusal.status, 404);
    });

    it('refuses methods that nobody knows', async () => {
      for (const method of ['FOO', 'constructor', 'HEAD', 'OPTIONS']) {
        const stream = session.request({ ':path': COLLECTION, ':method': method });
        assert.equal((await read(stream)).status, 405, method);
      }
    });

    it('answers HEAD without a body', async () => {
      const stream = session.request({ ':path': '/livez/ping', ':method': 'HEAD' });
      const { status, bytes } = await read(stream);
      assert.deepEqual([status, bytes], [200, 0]);
    });

    it('takes bodies, and refuses those of more than 3 MiB', async () => {
      const body = JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'x' } });
      const create = session.request({ ':path': COLLECTION, ':method': 'POST' });
      create.end(body);
      assert.deepEqual(JSON.parse((await read(create)).body), JSON.parse(body));
      const large = session.request({ ':path': COLLECTION, ':method': 'POST' });
      large.on('error', () => undefined);
      large.end('x'.repeat(LIMITS.bodyBytes + 1));
      assert.equal((await read(large)).status, 413);
    });

    it('tells a client that expects to be told to go on with its body', async () => {
      const create = session.request({ ':path': COLLECTION, ':method': 'POST', expect: '100-continue' });
      await once(create, 'continue');
      create.end(JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'x' } }));
      assert.equal((await read(create)).status, 201);
    });

    it('refuses what it can not do: other expectations, tunnels', async () => {
      const expecting = session.request({ ':path': COLLECTION, ':method': 'GET', expect: 'the unexpected' });
      assert.equal((await read(expecting)).status, 417);
      const tunnel = session.request({ ':method': 'CONNECT', ':authority': 'example.org:443' });
      assert.equal((await read(tunnel)).status, 405);
    });

    it('sends warnings, in UTF-8', async () => {
      const create = session.request({ ':path': COLLECTION, ':method': 'POST' });
      create.end(JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'x' } }));
      assert.equal((await read(create)).headers['warning'], '299 - "made of what was sent"');
    });

    it('ends watches at their timeout', async () => {
      const watch = session.request({ ':path': `${COLLECTION}?watch=1&timeoutSeconds=1` });
      const { status, headers, body } = await read(watch);
      assert.deepEqual([status, headers['content-type'], body], [200, 'application/json', '']);
      await server.feed.open(0);
    });

    it('takes a client that drops a thousand watches for no attack', async () => {
      for (let round = 0; round < 4; round++) {
        const watches = Array.from({ length: 250 }, () =>
          session.request({ ':path': `${COLLECTION}?watch=1` }),
        );
        await Promise.all(watches.map((watch) => once(watch, 'response')));
        await server.feed.open(250);
        for (const watch of watches) watch.close(http2.constants.NGHTTP2_CANCEL);
        await server.feed.open(0);
      }
      assert.equal((await read(session.request({ ':path': `${COLLECTION}/a` }))).status, 200);
      assert.equal(session.closed, false);
    });

    it('ends a connection that does nothing but reset streams', async () => {
      const socket = tls.connect({
        port: server.port,
        host: '127.0.0.1',
        ca: server.ca,
        ALPNProtocols: ['h2'],
      });
      await once(socket, 'secureConnect');
      socket.on('error', () => undefined);
      socket.resume();
      let open = true;
      socket.once('close', () => (open = false));
      socket.write(
        Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(4, 0, 0, Buffer.alloc(0))]),
      );
      let stream = 1;
      for (; open && stream < 200_000; stream += 200) {
        socket.write(Buffer.concat(Array.from({ length: 100 }, (_, i) => openAndReset(stream + 2 * i))));
        await new Promise((resolve) => setImmediate(resolve));
      }
      assert.equal(open, false);
      assert.ok(stream > 2_000, `cut off after only ${stream / 2} streams`);
      assert.equal((await read(session.request({ ':path': `${COLLECTION}/a` }))).status, 200);
    });
  });
});

describe('the gateway under many streams of one connection', () => {
  it('serves 100 full lists and 250 watches, none reset', async () => {
    const entries = Array.from({ length: 2_000 }, (_, i) => configMapEntry(`c${i}`, i + 1, 1_000));
    const server = await startGateway({ entries });
    const session = await connect(server);
    const watches = Array.from({ length: 250 }, () => session.request({ ':path': `${COLLECTION}?watch=1` }));
    const seen = watches.map((watch) => {
      let lines = 0;
      watch.on('data', (chunk: Buffer) => {
        for (const byte of chunk) if (byte === 10) lines++;
      });
      return () => lines;
    });
    await Promise.all(watches.map((watch) => once(watch, 'response')));
    await server.feed.open(250);
    const lists = Array.from({ length: 100 }, () => read(session.request({ ':path': COLLECTION })));
    for (let i = 0; i < 40; i++) {
      server.feed.send([{ type: 'ADDED', entry: configMapEntry(`live${i}`, 10_000 + i) }]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const sizes = new Set((await Promise.all(lists)).map(({ status, bytes }) => `${status} ${bytes}`));
    assert.equal(sizes.size, 1);
    assert.match([...sizes][0] ?? '', /^200 2\d{6}$/);
    const ended = watches.map((watch) => once(watch, 'end'));
    server.feed.end();
    await Promise.all(ended);
    assert.deepEqual(new Set(seen.map((lines) => lines())), new Set([40]));
    assert.deepEqual(new Set(watches.map((watch) => watch.rstCode)), new Set([0]));
    session.close();
    await server.close();
  });
});

describe('slow connections', () => {
  let server: TestGateway;
  before(async () => {
    server = await startGateway({ limits: { headersMs: 300, idleMs: 300, sweepMs: 50, handshakeMs: 300 } });
  });
  after(() => server.close());

  it('that never finish their headers are told so and closed', async () => {
    assert.match(
      await raw(server, 'GET / HTTP/1.1\r\nHost: x\r\nX: '),
      /^HTTP\/1\.1 408 [^]*"kind":"Status"/,
    );
  });

  it('that never say a word are closed', async () => {
    assert.match(await raw(server, ''), /^HTTP\/1\.1 408 /);
  });

  it('that never finish their handshake are closed', async () => {
    const socket = net.connect(server.port, '127.0.0.1');
    socket.resume();
    await once(socket, 'close');
  });

  it('that are kept alive and idle are closed', async () => {
    const answer = await raw(server, `GET ${COLLECTION}/a HTTP/1.1\r\nHost: x\r\n\r\n`);
    assert.match(answer, /^HTTP\/1\.1 200 OK/);
  });

  it('of HTTP/2 that ask nothing are closed, those with a watch are not', async () => {
    const [idle, busy] = [await connect(server), await connect(server)];
    const watch = busy.request({ ':path': `${COLLECTION}?watch=1&timeoutSeconds=1` });
    watch.resume();
    await once(idle, 'close');
    assert.equal(busy.closed, false);
    await once(watch, 'end');
    assert.equal(watch.rstCode, 0);
    await once(busy, 'close');
  });
});

describe('shutting down', () => {
  it('ends watches in order, completes what is under way, and closes every connection', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let entered: () => void = () => undefined;
    const inside = new Promise<void>((resolve) => (entered = resolve));
    const server = await startGateway();
    const slow = await startGateway({
      verbs: {
        get: async ({ resource }) => {
          entered();
          await held;
          return { kind: 'entry', status: 200, resource, entry: configMapEntry('a', 5) };
        },
      },
    });
    const session = await connect(server);
    const watch = session.request({ ':path': `${COLLECTION}?watch=1` });
    watch.resume();
    await once(watch, 'response');
    const ended = once(watch, 'end');
    const stopped = server.close();
    await ended;
    await stopped;
    assert.equal(watch.rstCode, 0);

    const other = await connect(slow);
    const pending = read(other.request({ ':path': `${COLLECTION}/a` }));
    await inside;
    const slowStopped = slow.close();
    release();
    assert.equal((await pending).status, 200);
    await slowStopped;
  });

  it('closes kept-alive connections of HTTP/1.1 once they have answered', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let entered: () => void = () => undefined;
    const inside = new Promise<void>((resolve) => (entered = resolve));
    const server = await startGateway({
      verbs: {
        get: async ({ resource }) => {
          entered();
          await held;
          return { kind: 'entry', status: 200, resource, entry: configMapEntry('a', 5) };
        },
      },
      shutdown: { delayMs: 0, graceMs: 60_000, sendRetryAfter: false },
    });
    const socket = tls.connect({ port: server.port, host: '127.0.0.1', ca: server.ca });
    await once(socket, 'secureConnect');
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    socket.write(`GET ${COLLECTION}/a HTTP/1.1\r\nHost: x\r\n\r\n`);
    await inside;
    const stopped = server.close();
    release();
    await stopped;
    assert.match(received, /^HTTP\/1\.1 200 OK/);
  });

  it('waits neither for connections that never asked anything nor for clients that do not say goodbye', async () => {
    const server = await startGateway({ shutdown: { delayMs: 0, graceMs: 60_000, sendRetryAfter: false } });
    const silent = tls.connect({ port: server.port, host: '127.0.0.1', ca: server.ca });
    await once(silent, 'secureConnect');
    const proxy = await TcpProxy.start(server.origin.replace('https:', 'http:'));
    const origin = proxy.endpoint.replace('http:', 'https:');
    const session = http2.connect(origin, { ca: server.ca });
    await once(session, 'remoteSettings');
    proxy.freeze();
    await server.close();
    session.on('error', () => undefined);
    silent.on('error', () => undefined).destroy();
    session.destroy();
    await proxy.stop();
  });

  it('tells readiness first, and new requests afterwards', async () => {
    const server = await startGateway({
      shutdown: { delayMs: 300, graceMs: 2_000, sendRetryAfter: true },
      paths: ({ shuttingDown }) => ({
        exact: new Map(
          healthEndpoints('readyz', [
            {
              name: 'shutdown',
              check: () => {
                if (shuttingDown()) throw new Error('shutting down');
              },
            },
          ]),
        ),
        below: [],
        discovery: () => undefined,
      }),
      verbs: {
        list: ({ resource }) =>
          Promise.resolve({ kind: 'list', resource, page: { revision: 1 as never, entries: [] } }),
      },
    });
    assert.equal((await http1(server, 'GET', '/readyz')).status, 200);
    const stopped = server.close();
    assert.equal((await http1(server, 'GET', '/readyz')).status, 500);
    assert.equal((await http1(server, 'GET', COLLECTION)).status, 200, 'still served during the delay');
    await stopped;
    await assert.rejects(http1(server, 'GET', COLLECTION));
  });
});
