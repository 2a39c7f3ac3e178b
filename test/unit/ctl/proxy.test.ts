import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { Transport, TransportRequest } from '../../../src/client/transport.ts';
import { requestFilter } from '../../../src/cli/ctl/proxy/filter.ts';
import { isAmbiguous, proxiedPath } from '../../../src/cli/ctl/proxy/paths.ts';
import { serveProxy, type ProxyOptions, type RunningProxy } from '../../../src/cli/ctl/proxy/serve.ts';

const DEFAULTS = {
  'accept-paths': '^.*',
  'reject-paths': '^/api/.*/pods/.*/exec,^/api/.*/pods/.*/attach',
  'accept-hosts': String.raw`^localhost$,^127\.0\.0\.1$,^\[::1\]$`,
  'reject-methods': '^$',
};

describe('requestFilter', () => {
  const cases: readonly (readonly [
    what: string,
    request: readonly [string, string, string],
    choice: object,
    passes: boolean,
  ])[] = [
    ['what is local', ['GET', '/api', 'localhost:8001'], {}, true],
    ['an IPv6 address', ['GET', '/api', '[::1]:8001'], {}, true],
    ['an IPv6 address without brackets', ['GET', '/api', '[::1]'], { 'accept-hosts': '^::1$' }, true],
    ['another host, as pages of the web would name it', ['GET', '/api', 'evil.example'], {}, false],
    ['a host that only begins so', ['GET', '/api', 'localhost.evil.example'], {}, false],
    ['no host', ['GET', '/api', ''], {}, false],
    ['a command in a pod', ['POST', '/api/v1/namespaces/a/pods/b/exec', 'localhost'], {}, false],
    [
      'a path that is accepted and rejected',
      ['GET', '/a', 'localhost'],
      { 'accept-paths': '/a', 'reject-paths': '/a' },
      false,
    ],
    ['a path that is not accepted', ['GET', '/b', 'localhost'], { 'accept-paths': '^/a' }, false],
    ['one of several methods', ['PUT', '/b', 'localhost'], { 'reject-methods': 'POST,PUT' }, false],
  ];
  for (const [what, [method, path, host], choice, passes] of cases) {
    it(`lets ${passes ? '' : 'not '}pass ${what}`, () => {
      assert.equal(requestFilter({ ...DEFAULTS, ...choice })({ method, path, host }), passes);
    });
  }

  it('says which expression is none', () => {
    assert.throws(
      () => requestFilter({ ...DEFAULTS, 'accept-paths': '^a,(' }),
      /--accept-paths: "\(" is no regular expression/,
    );
  });
});

describe('paths of a proxy', () => {
  const cases: readonly (readonly [url: string, prefix: string, sent: string | undefined])[] = [
    ['/api/v1?watch=1', '/', '/api/v1?watch=1'],
    ['/custom/api/v1', '/custom/', '/api/v1'],
    ['/custom', '/custom/', undefined],
    ['/other/api', '/custom/', undefined],
    ['/api/v1', '/api/', '/api/v1'],
    ['/%zz', '/', undefined],
  ];
  for (const [url, prefix, sent] of cases)
    it(`takes ${url} under ${prefix} for ${sent}`, () => assert.equal(proxiedPath(url, prefix)?.sent, sent));

  for (const path of ['/a/../b', '/a/./b', '/a//b', '/a/..', '/a/.', '//'])
    it(`finds ${path} ambiguous`, () => assert.ok(isAmbiguous(path)));
  for (const path of ['/a/b/', '/', '/a/.b', '/a/..b/c', '/a.b/c..'])
    it(`takes ${path} as it is`, () => assert.ok(!isAmbiguous(path)));
});

describe('serveProxy', () => {
  let running: RunningProxy;
  let sent: TransportRequest[];
  let answer: Transport['send'];

  const start = async (more: Partial<ProxyOptions> = {}): Promise<void> => {
    sent = [];
    const transport: Transport = {
      send: (request) => {
        sent.push(request);
        return answer(request);
      },
      close: () => Promise.resolve(),
    };
    const options = { transport, prefix: '/', filter: requestFilter(DEFAULTS), ...more };
    running = await serveProxy(options, { address: '127.0.0.1', port: 0 });
  };
  afterEach(() => running.stop());

  const call = async (
    path: string,
    options: http.RequestOptions = {},
    body = '',
  ): Promise<http.IncomingMessage> => {
    const [host, port] = running.address.split(':');
    // The path as it is: a URL would be cleaned.
    const request = http.request({ host, port, path, ...options, agent: false });
    request.end(body);
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return response;
  };
  const textOf = async (response: http.IncomingMessage): Promise<string> => {
    let text = '';
    for await (const chunk of response) text += String(chunk);
    return text;
  };
  const saying =
    (text: string, status = 200): Transport['send'] =>
    () =>
      Promise.resolve({
        status,
        headers: { 'content-type': 'application/json', connection: 'close', 'audit-id': 'x' },
        body: (async function* () {
          await turn();
          yield Buffer.from(text);
        })(),
      });

  it('sends a request on, and its answer back', async () => {
    answer = saying('{"a":1}', 201);
    await start();
    const options = {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'keep-alive' },
    };
    const response = await call('/api/v1/things?dryRun=All', options, '{"b":2}');
    assert.deepEqual(
      [response.statusCode, response.headers['audit-id'], await textOf(response)],
      [201, 'x', '{"a":1}'],
    );
    const [{ method, path, headers, body }] = sent as [TransportRequest];
    assert.deepEqual([method, path, String(body)], ['POST', '/api/v1/things?dryRun=All', '{"b":2}']);
    assert.deepEqual(headers, { 'content-type': 'application/json' });
  });

  it('passes events of a watch on as they come, and ends it when the client goes', async () => {
    let ended: Error | undefined;
    const began = Promise.withResolvers<void>();
    answer = ({ signal }) =>
      Promise.resolve({
        status: 200,
        headers: {},
        body: (async function* () {
          yield Buffer.from('first\n');
          await began.promise;
          yield Buffer.from('second\n');
          try {
            if (signal?.aborted === false) await once(signal, 'abort');
          } finally {
            ended = signal?.reason as Error;
          }
        })(),
      });
    await start();
    const response = await call('/api/v1/pods?watch=1');
    const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    assert.equal(String((await chunks.next()).value), 'first\n');
    began.resolve();
    assert.equal(String((await chunks.next()).value), 'second\n');
    response.destroy();
    while (ended === undefined) await turn();
    assert.equal(ended.message, 'the client went away');
  });

  const refusals: readonly (readonly [
    what: string,
    path: string,
    options: http.RequestOptions,
    status: number,
  ])[] = [
    ['a page of the web', '/api', { headers: { host: 'evil.example' } }, 403],
    ['a path that filters could misread', '/api/v1/./pods', {}, 400],
    ['the same in disguise', '/api/v1/%2e%2e/pods', {}, 400],
    ['another protocol', '/api', { headers: { connection: 'upgrade', upgrade: 'websocket' } }, 501],
  ];
  for (const [what, path, options, status] of refusals) {
    it(`refuses ${what} with ${status}, and asks nothing of the server`, async () => {
      await start();
      assert.equal((await call(path, options)).statusCode, status);
      assert.equal(sent.length, 0);
    });
  }

  it('refuses a body beyond all bounds', async () => {
    await start();
    const response = await call('/api', { method: 'POST' }, 'x'.repeat((16 << 20) + 1));
    assert.equal(response.statusCode, 413);
  });

  it('tells of a server that is away', async () => {
    answer = () =>
      Promise.reject(
        Object.assign(new Error('refused'), { code: 'ECONNREFUSED', address: '1.2.3.4', port: 5 }),
      );
    await start();
    const response = await call('/api');
    assert.equal(response.statusCode, 502);
    assert.match(await textOf(response), /The connection to the server 1\.2\.3\.4:5 was refused/);
  });

  it('says which port is taken', async () => {
    await start();
    const port = Number(running.address.split(':')[1]);
    const options = {
      transport: { send: answer, close: () => Promise.resolve() },
      prefix: '/',
      filter: undefined,
    };
    await assert.rejects(
      serveProxy(options, { address: '127.0.0.1', port }),
      /unable to listen on 127\.0\.0\.1:\d+: .*EADDRINUSE/,
    );
  });
});
