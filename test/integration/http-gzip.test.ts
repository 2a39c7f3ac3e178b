import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { gunzipSync } from 'node:zlib';
import { acceptsGzip } from '../../src/http/respond/compress.ts';
import { configMapEntry, startGateway, type TestGateway } from '../support/http-gateway.ts';

const COLLECTION = '/api/v1/namespaces/default/configmaps';

interface Answer {
  readonly headers: Record<string, unknown>;
  readonly body: Buffer;
}

async function bodyOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function overHttp1(
  server: TestGateway,
  path: string,
  headers: Record<string, string>,
): Promise<Answer> {
  const request = https.get(server.origin + path, { ca: server.ca, headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { headers: response.headers, body: await bodyOf(response) };
}

async function overHttp2(
  server: TestGateway,
  path: string,
  headers: Record<string, string>,
): Promise<Answer> {
  const session = http2.connect(server.origin, { ca: server.ca });
  try {
    const stream = session.request({ ':path': path, ...headers });
    const [received] = (await once(stream, 'response')) as [Record<string, unknown>];
    return { headers: received, body: await bodyOf(stream) };
  } finally {
    session.close();
  }
}

describe('compression of answers', () => {
  const entries = [
    configMapEntry('small', 1, 100 * 1024),
    configMapEntry('large', 2, 200 * 1024),
    ...Array.from({ length: 30 }, (_, i) => configMapEntry(`more-${i}`, i + 3, 100 * 1024)),
  ];
  let server: TestGateway;
  before(async () => {
    server = await startGateway({ entries });
  });
  after(() => server.close());

  for (const [protocol, ask] of [
    ['HTTP/1.1', overHttp1],
    ['HTTP/2', overHttp2],
  ] as const) {
    for (const [what, path] of [
      ['an object beyond 128 KB', `${COLLECTION}/large`],
      ['a list of many pieces', COLLECTION],
    ] as const) {
      it(`gives ${what} over ${protocol} to who takes gzip, the same as to others`, async () => {
        const plain = await ask(server, path, { 'accept-encoding': 'identity' });
        const packed = await ask(server, path, { 'accept-encoding': 'deflate, gzip' });
        assert.equal(plain.headers['content-encoding'], undefined);
        assert.equal(packed.headers['content-encoding'], 'gzip');
        assert.equal(packed.headers['vary'], 'Accept-Encoding');
        assert.equal(packed.headers['content-length'], undefined);
        assert.ok(packed.body.length < plain.body.length / 10);
        assert.ok(gunzipSync(packed.body).equals(plain.body));
      });
    }

    it(`leaves an object of less over ${protocol} as it is`, async () => {
      const { headers, body } = await ask(server, `${COLLECTION}/small`, { 'accept-encoding': 'gzip' });
      assert.equal(headers['content-encoding'], undefined);
      assert.equal(Number(headers['content-length']), body.length);
    });

    it(`survives a client over ${protocol} that leaves in the middle`, async () => {
      const abandoned = new AbortController();
      if (protocol === 'HTTP/1.1') {
        const options = { ca: server.ca, headers: { 'accept-encoding': 'gzip' }, signal: abandoned.signal };
        const request = https.get(server.origin + COLLECTION, options);
        request.on('error', () => undefined);
        await once(request, 'response');
        abandoned.abort();
      } else {
        const session = http2.connect(server.origin, { ca: server.ca });
        await once(session.request({ ':path': COLLECTION, 'accept-encoding': 'gzip' }), 'response');
        session.destroy();
      }
      const { body } = await ask(server, COLLECTION, { 'accept-encoding': 'gzip' });
      assert.equal((JSON.parse(gunzipSync(body).toString()) as { items: [] }).items.length, entries.length);
      assert.deepEqual(server.faults, []);
    });
  }

  it('can be switched off', async () => {
    const off = await startGateway({ entries, compresses: false });
    try {
      const { headers } = await overHttp2(off, COLLECTION, { 'accept-encoding': 'gzip' });
      assert.equal(headers['content-encoding'], undefined);
    } finally {
      await off.close();
    }
  });
});

describe('acceptsGzip', () => {
  for (const [header, expected] of [
    [undefined, false],
    ['', false],
    ['gzip', true],
    ['br, gzip , deflate', true],
    ['GZIP', false],
    ['gzip;q=1.0', false],
    ['*', false],
    ['x-gzip', false],
  ] as const) {
    it(`${JSON.stringify(header) ?? 'nothing'}: ${expected}`, () =>
      assert.equal(acceptsGzip(header), expected));
  }
});
