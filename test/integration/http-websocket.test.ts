import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import tls from 'node:tls';
import { WebSocket } from 'ws';
import { expiredError, unauthorizedError } from '../../src/errors/status-errors.ts';
import { configMapEntry, startGateway, type TestGateway } from '../support/http-gateway.ts';

const COLLECTION = '/api/v1/namespaces/default/configmaps';
const WATCH = `${COLLECTION}?watch=1`;
const CARRIER = `base64url.bearer.authorization.orch.io.${Buffer.from('secret').toString('base64url')}`;

interface Dialled {
  readonly webSocket: WebSocket;
  /** What came so far, as text. */
  readonly messages: string[];
}

/** Opens a WebSocket. */
async function dial(
  server: TestGateway,
  path: string,
  options: { protocols?: string[]; origin?: string; headers?: Record<string, string> } = {},
): Promise<Dialled> {
  const { protocols = [], origin, headers = {} } = options;
  const url = server.origin.replace('https', 'wss') + path;
  const webSocket = new WebSocket(url, protocols, {
    ca: server.ca,
    headers,
    ...(origin === undefined ? {} : { origin }),
  });
  const messages: string[] = [];
  webSocket.on('message', (data: Buffer) => messages.push(data.toString()));
  await once(webSocket, 'open');
  return { webSocket, messages };
}

/** Opens none. @returns the answer in HTTP. */
async function refused(
  server: TestGateway,
  path: string,
  options: { protocols?: readonly string[]; headers?: Record<string, string>; version?: number } = {},
): Promise<{ status: number | undefined; connection: string | undefined; body: string }> {
  const url = server.origin.replace('https', 'wss') + path;
  const { protocols = [], headers = {}, version = 13 } = options;
  const webSocket = new WebSocket(url, [...protocols], { ca: server.ca, headers, protocolVersion: version });
  webSocket.on('error', () => undefined);
  const [, response] = (await once(webSocket, 'unexpected-response')) as [unknown, IncomingMessage];
  let body = '';
  for await (const chunk of response) body += String(chunk);
  webSocket.terminate();
  return { status: response.statusCode, connection: response.headers.connection, body };
}

describe('a watch over a WebSocket', () => {
  let server: TestGateway;
  const tokens: (string | undefined)[] = [];
  before(async () => {
    server = await startGateway({
      authenticate: ({ authorization }) => {
        tokens.push(authorization);
        if (authorization === 'Bearer wrong') return Promise.reject(unauthorizedError());
        return Promise.resolve({ name: 'u', uid: '', groups: [], extra: {} });
      },
    });
  });
  after(() => server.close());
  beforeEach(() => (tokens.length = 0));

  it('has a message for each event', async () => {
    const { webSocket, messages } = await dial(server, WATCH);
    await server.feed.open(1);
    server.feed.send(
      ['a', 'b', 'c'].map((name, i) => ({ type: 'ADDED', entry: configMapEntry(name, i + 2, 70_000 * i) })),
    );
    while (messages.length < 3) await once(webSocket, 'message');
    assert.deepEqual(
      messages.map(
        (text) => (JSON.parse(text) as { object: { metadata: { name: string } } }).object.metadata.name,
      ),
      ['a', 'b', 'c'],
    );
    webSocket.close();
    await once(webSocket, 'close');
    await server.feed.open(0);
  });

  it('shares what it sends with others of its kind', async () => {
    const dialled = await Promise.all(Array.from({ length: 20 }, () => dial(server, WATCH)));
    await server.feed.open(20);
    for (let i = 0; i < 10; i++) {
      server.feed.send([{ type: 'MODIFIED', entry: configMapEntry('a', i + 10) }]);
    }
    for (const { webSocket, messages } of dialled) {
      while (messages.length < 10) await once(webSocket, 'message');
      webSocket.terminate();
    }
    assert.equal(new Set(dialled.map(({ messages }) => messages.join(''))).size, 1);
    await server.feed.open(0);
  });

  it('is authenticated by a token among its protocols, which is not the one that is chosen', async () => {
    const { webSocket } = await dial(server, WATCH, { protocols: [CARRIER, 'mine'] });
    assert.equal(webSocket.protocol, 'mine');
    assert.deepEqual(tokens, ['Bearer secret']);
    webSocket.terminate();
    await server.feed.open(0);
  });

  it('is opened by the interface that browsers have, where a token can only be among the protocols', async () => {
    const trusted = tls.getCACertificates();
    tls.setDefaultCACertificates([...trusted, server.ca]);
    try {
      const url = server.origin.replace('https', 'wss') + WATCH;
      const webSocket = new globalThis.WebSocket(url, [CARRIER, 'mine']);
      await once(webSocket, 'open');
      await server.feed.open(1);
      const arrives = once(webSocket, 'message') as Promise<[{ data: string }]>;
      server.feed.send([{ type: 'ADDED', entry: configMapEntry('a', 2) }]);
      const [{ data }] = await arrives;
      assert.match(data, /^\{"type":"ADDED",/);
      assert.deepEqual([webSocket.protocol, tokens], ['mine', ['Bearer secret']]);
      webSocket.close();
      await once(webSocket, 'close');
      await server.feed.open(0);
    } finally {
      tls.setDefaultCACertificates(trusted);
    }
  });

  it('may come from any origin, or none', async () => {
    for (const origin of ['https://dashboard.example.org', 'http://localhost:8080']) {
      const { webSocket } = await dial(server, WATCH, { origin });
      webSocket.terminate();
    }
    await server.feed.open(0);
  });

  it('may offer protocols without naming any', async () => {
    const { webSocket } = await dial(server, WATCH, { headers: { 'sec-websocket-protocol': '' } });
    assert.equal(webSocket.protocol, '');
    webSocket.terminate();
    await server.feed.open(0);
  });

  for (const [title, status, path, options] of [
    ['whose token is wrong', 401, WATCH, { headers: { authorization: 'Bearer wrong' } }],
    ['whose token is alone', 401, WATCH, { protocols: [CARRIER] }],
    ['that may not be', 403, '/api/v1/namespaces/forbidden/configmaps?watch=1', {}],
    ['from an origin that is no URL', 403, WATCH, { headers: { origin: 'null' } }],
    ['that has several protocols', 400, WATCH, { protocols: ['one', 'two'] }],
    ['whose protocol has an odd name', 400, WATCH, { headers: { 'sec-websocket-protocol': 'one two' } }],
    ['of another version', 400, WATCH, { version: 8 }],
    ['of what is not there', 404, '/api/v1/nothing?watch=1', {}],
  ] as const) {
    it(`${title} is refused with ${status}, as a Status`, async () => {
      const answer = await refused(server, path, options);
      assert.equal(answer.status, status);
      assert.equal((JSON.parse(answer.body) as { kind: string }).kind, 'Status');
    });
  }

  it('that is none, but a get, is answered in HTTP, and the connection closed', async () => {
    const { status, connection, body } = await refused(server, `${COLLECTION}/a`);
    assert.deepEqual([status, connection], [200, 'close']);
    assert.equal((JSON.parse(body) as { kind: string }).kind, 'ConfigMap');
  });

  it('ends at its timeout with the code for that', async () => {
    const { webSocket } = await dial(server, `${WATCH}&timeoutSeconds=1`);
    const [code] = (await once(webSocket, 'close')) as [number];
    assert.equal(code, 1000);
    await server.feed.open(0);
  });

  it('tells an error as an event', async () => {
    const { webSocket, messages } = await dial(server, WATCH);
    await server.feed.open(1);
    server.feed.end(expiredError('gone'));
    const [code] = (await once(webSocket, 'close')) as [number];
    const { type, object } = JSON.parse(messages.at(-1) ?? '') as { type: string; object: { code: number } };
    assert.deepEqual([type, object.code, code], ['ERROR', 410, 1000]);
    await server.feed.open(0);
  });

  it('answers pings, and takes no notice of what it is told', async () => {
    const { webSocket } = await dial(server, WATCH);
    webSocket.send('are you there?');
    webSocket.ping('are you?');
    const [answer] = (await once(webSocket, 'pong')) as [Buffer];
    assert.equal(answer.toString(), 'are you?');
    webSocket.close(1000, 'thank you');
    const [code] = (await once(webSocket, 'close')) as [number];
    assert.equal(code, 1000);
    await server.feed.open(0);
  });

  it('is closed when it is told too much', async () => {
    const { webSocket } = await dial(server, WATCH);
    webSocket.send('x'.repeat(100_000));
    const [code] = (await once(webSocket, 'close')) as [number];
    assert.equal(code, 1009);
    await server.feed.open(0);
  });

  it('is cut off when its client does not read', async () => {
    const { webSocket } = await dial(server, WATCH);
    await server.feed.open(1);
    webSocket.on('error', () => undefined);
    const closed = once(webSocket, 'close') as Promise<[number]>;
    webSocket.pause();
    const entry = configMapEntry('large', 3, 100_000);
    while (server.feed.sinks.size > 0) {
      server.feed.send([{ type: 'MODIFIED', entry }]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    webSocket.resume();
    assert.equal((await closed)[0], 1006);
  });
});

describe('shutting down', () => {
  it('ends watches over WebSockets in order', async () => {
    const server = await startGateway();
    const { webSocket, messages } = await dial(server, WATCH);
    await server.feed.open(1);
    server.feed.send([{ type: 'ADDED', entry: configMapEntry('last', 9) }]);
    const closed = once(webSocket, 'close') as Promise<[number]>;
    await server.close();
    assert.equal((await closed)[0], 1000);
    assert.match(messages.at(-1) ?? '', /"name":"last"/);
  });
});
