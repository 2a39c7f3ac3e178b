import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:http2';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { selfSigned } from '../support/certificates.ts';
import { agentNode } from '../support/agent-objects.ts';
import { askAs, type Asker } from '../support/https-ask.ts';
import { ownAddress, startNodeAgent, type Asked, type TestNodeAgent } from '../support/node-agent.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';

const NODES = '/api/v1/nodes';

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

describe('the proxy of a node', function () {
  this.timeout(60_000);
  let directory: string;
  let server: ServerProcess;
  let agent: TestNodeAgent;
  let admin: Asker;
  let address: string;

  before(async function () {
    const found = ownAddress();
    // Nodes on the machine itself are refused: there is nothing that could be one.
    if (found === undefined) this.skip();
    address = found;
    agent = await startNodeAgent(address);
    directory = mkdtempSync(join(tmpdir(), 'orch-nodes-'));
    const file = (name: string, content: string): string => {
      const path = join(directory, name);
      writeFileSync(path, content, { mode: 0o600 });
      return path;
    };
    const tokens = 'secret,admin,1,"system:masters"\nmetrics,scraper,2\nnobody,nobody,3\n';
    server = await startProcess({
      args: [
        `--token-auth-file=${file('tokens.csv', tokens)}`,
        `--kubelet-client-certificate=${file('client.crt', agent.client.cert)}`,
        `--kubelet-client-key=${file('client.key', agent.client.key)}`,
        `--kubelet-certificate-authority=${file('agents.crt', agent.certificate.cert)}`,
        '--kubelet-timeout=2s',
      ],
    });
    admin = { server: server.url, token: 'secret' };
    await makeNode('n', address, agent.port);
    for (const [verb, name] of [
      ['get', 'scraper'],
      ['create', 'poster'],
    ]) {
      const role = { rules: [{ apiGroups: [''], resources: ['nodes/proxy'], verbs: [verb] }] };
      const rbac = '/apis/rbac.authorization.orch.io/v1';
      await make(`${rbac}/clusterroles`, { metadata: { name }, ...role });
      await make(`${rbac}/clusterrolebindings`, {
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name },
        subjects: [{ apiGroup: 'rbac.authorization.orch.io', kind: 'User', name }],
      });
    }
  });
  after(async () => {
    await server?.stop();
    await agent?.close();
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  });

  async function make(path: string, object: object): Promise<void> {
    const { status, object: made } = await askAs(admin, `POST ${path}`, object);
    assert.equal(status, 201, JSON.stringify(made));
  }

  function makeNode(name: string, at: string, port: number): Promise<void> {
    return make(NODES, agentNode(name, port, at));
  }

  async function ask(
    line: string,
    {
      headers = {},
      body = '',
      token = 'secret',
    }: { headers?: Record<string, string>; body?: string; token?: string } = {},
  ): Promise<Answer> {
    const [method = '', path = ''] = line.split(' ');
    const { hostname, port } = new URL(server.url);
    const sent = request({
      // Not as a URL, whose dots would be resolved.
      ...{ method, path, hostname, port },
      rejectUnauthorized: false,
      agent: false,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === '' ? {} : { 'content-length': String(body.length) }),
        ...headers,
      },
    });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
  }

  const asked = ({ status, body }: Answer): Asked => {
    assert.equal(status, 200, body);
    return JSON.parse(body) as Asked;
  };

  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    it(`passes ${method} on, with its query and body`, async () => {
      const body = method === 'GET' || method === 'OPTIONS' ? '' : 'text';
      const { headers, ...rest } = asked(await ask(`${method} ${NODES}/n/proxy/a/b%20c?x=1&x=%2F`, { body }));
      assert.deepEqual(rest, { method, url: '/a/b%20c?x=1&x=%2F', body });
      assert.equal(headers['x-forwarded-for'], '127.0.0.1');
      assert.equal(headers['x-forwarded-uri'], '/api/v1/nodes/n/proxy/a/b%20c');
    });
  }

  it('answers HEAD with the head alone', async () => {
    const { status, headers, body } = await ask(`HEAD ${NODES}/n/proxy/a`);
    assert.deepEqual([status, headers['x-agent'], body], [200, 'yes', '']);
  });

  it('keeps to itself who asks, and what concerns one connection', async () => {
    const headers = {
      'impersonate-user': 'root',
      'impersonate-group': 'system:masters',
      'x-remote-user': 'root',
      'x-remote-extra-a': 'b',
      connection: 'close, x-hop',
      'x-hop': '1',
      te: 'trailers',
      accept: 'text/html',
      'x-own': '2',
    };
    const answer = await ask(`GET ${NODES}/n/proxy/a`, { headers });
    const passed = asked(answer).headers;
    for (const name of ['authorization', 'x-hop', 'te', ...Object.keys(headers).slice(0, 4)])
      assert.equal(passed[name], undefined, name);
    assert.deepEqual([passed['accept'], passed['x-own']], ['text/html', '2']);
    assert.equal(answer.headers['access-control-allow-origin'], undefined);
    assert.equal(answer.headers['x-agent'], 'yes');
  });

  it('resolves dots before the other server sees them, and keeps the slash at the end', async () => {
    for (const [path, url] of [
      ['/a/../../b/', '/b/'],
      ['/a/%2e%2e/%2e%2e/c', '/c'],
      ['/', '/'],
      ['//x', '/x'],
    ] as const)
      assert.equal(asked(await ask(`GET ${NODES}/n/proxy${path}`)).url, url, path);
    assert.equal(asked(await ask(`POST ${NODES}/n/proxy`)).url, '/');
  });

  it('redirects a GET of its root to where relative links work', async () => {
    const { status, headers } = await ask(`GET ${NODES}/n/proxy?a=b`);
    assert.deepEqual([status, headers.location], [301, '/api/v1/nodes/n/proxy/?a=b']);
  });

  it('puts its path before redirects of the other server to itself', async () => {
    const targets: Record<string, string> = {
      '/logs/': '/api/v1/nodes/n/proxy/logs/',
      [`https://${address}:${agent.port}/logs/?x`]: '/api/v1/nodes/n/proxy/logs/?x',
      'https://elsewhere.example/': 'https://elsewhere.example/',
      relative: 'relative',
    };
    for (const [location, wanted] of Object.entries(targets)) {
      agent.handlers.set('/moved', (_request, response) => void response.writeHead(302, { location }).end());
      const { status, headers } = await ask(`GET ${NODES}/n/proxy/moved`);
      assert.deepEqual([status, headers.location], [302, wanted]);
    }
  });

  it('streams both bodies as they come', async () => {
    agent.handlers.set('/echo', (incoming, response) => void incoming.pipe(response));
    const sent = request(`${server.url}${NODES}/n/proxy/echo`, {
      method: 'POST',
      rejectUnauthorized: false,
      agent: false,
      headers: { authorization: 'Bearer secret' },
    });
    sent.write('one');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    assert.equal(String((await once(response, 'data'))[0]), 'one');
    sent.end('two');
    assert.equal(await text(response), 'two');
  });

  it('passes on more than a request to itself may hold, over HTTP/2 too', async () => {
    let length = 0;
    agent.handlers.set('/take', (incoming, response) => {
      length = 0;
      incoming.on('data', (chunk: Buffer) => (length += chunk.length));
      incoming.on('end', () => response.end('x'.repeat(9 << 20)));
    });
    const session = connect(server.url, { rejectUnauthorized: false });
    const stream = session.request({
      ':method': 'POST',
      ':path': `${NODES}/n/proxy/take`,
      authorization: 'Bearer secret',
    });
    stream.end(Buffer.alloc(5 << 20));
    assert.equal((await text(stream)).length, 9 << 20);
    assert.equal(length, 5 << 20);
    session.close();
  });

  it('ends the request to the other server when the client leaves', async () => {
    const begun = Promise.withResolvers<ServerResponse>();
    agent.handlers.set('/hang', (_incoming, response) => begun.resolve(response));
    const sent = request(`${server.url}${NODES}/n/proxy/hang`, {
      rejectUnauthorized: false,
      agent: false,
      headers: { authorization: 'Bearer secret' },
    });
    sent.on('error', () => undefined).end();
    const response = await begun.promise;
    const closed = once(response, 'close');
    sent.destroy();
    await closed;
    assert.equal(response.writableEnded, false);
  });

  it('shows that an answer was cut short', async () => {
    agent.handlers.set('/cut', (_incoming, response) => {
      response.write('some', () => response.destroy());
    });
    await assert.rejects(ask(`GET ${NODES}/n/proxy/cut`), { code: 'ECONNRESET' });
  });

  it('keeps connections, and takes a new one when a kept one is gone', async () => {
    await ask(`GET ${NODES}/n/proxy/a`);
    const before = agent.connections;
    await ask(`GET ${NODES}/n/proxy/a`);
    assert.equal(agent.connections, before);
    agent.handlers.set('/last', (incoming, response) => {
      response.end('ok', () => incoming.socket.destroy());
    });
    await ask(`GET ${NODES}/n/proxy/last`);
    asked(await ask(`GET ${NODES}/n/proxy/a`));
  });

  it('is asked for with the verb of the method', async () => {
    const statusOf = async (line: string): Promise<number> => (await ask(line, { token: 'metrics' })).status;
    assert.equal(await statusOf(`GET ${NODES}/n/proxy/metrics`), 200);
    assert.equal(await statusOf(`HEAD ${NODES}/n/proxy/metrics`), 200);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      assert.equal(await statusOf(`${method} ${NODES}/n/proxy/metrics`), 403, method);
    assert.equal((await ask(`GET ${NODES}/n/proxy/metrics`, { token: 'nobody' })).status, 403);
  });

  it('refuses methods, names, nodes and addresses that there are none of', async () => {
    await makeNode('here', '127.0.0.1', agent.port);
    await makeNode('metadata', '169.254.169.254', 80);
    await makeNode('mapped', '::ffff:127.0.0.1', agent.port);
    await make(NODES, { metadata: { name: 'unknown' } });
    const cases = [
      ['TRACE', 'n', 405, 'MethodNotAllowed'],
      ['GET', 'none', 404, 'NotFound'],
      ['GET', 'a:b:c:d', 400, 'BadRequest'],
      ['GET', 'ftp:n:21', 400, 'BadRequest'],
      ['GET', ':80', 400, 'BadRequest'],
      ['GET', 'here', 400, 'BadRequest'],
      ['GET', `http:here:${agent.port}`, 400, 'BadRequest'],
      ['GET', 'metadata', 400, 'BadRequest'],
      ['GET', 'mapped', 400, 'BadRequest'],
      ['GET', 'unknown', 500, 'InternalError'],
      ['GET', 'n:0', 503, 'ServiceUnavailable'],
      ['GET', 'n:port', 503, 'ServiceUnavailable'],
      ['POST', 'n:1', 503, 'ServiceUnavailable'],
    ] as const;
    for (const [method, name, status, reason] of cases) {
      const answer = await ask(`${method} ${NODES}/${name}/proxy/a`);
      assert.equal(answer.status, status, `${name}: ${answer.body}`);
      assert.equal((JSON.parse(answer.body) as { reason: string }).reason, reason, name);
    }
  });

  it('shows its certificate to node agents only, and goes by theirs', async () => {
    // The same port by another address counts as something else on the node: it is shown no certificate.
    await makeNode('other', address, 1);
    const { status, body } = await ask(`GET ${NODES}/https:other:${agent.port}/proxy/a`);
    assert.equal(status, 503, body);
    const stranger = await startNodeAgent(address);
    await makeNode('stranger', address, stranger.port);
    const refused = await ask(`GET ${NODES}/stranger/proxy/a`);
    assert.equal(refused.status, 503, refused.body);
    assert.match(refused.body, /certificate/);
    await stranger.close();
  });

  it('does not start with files that do not belong together', async () => {
    const cert = join(directory, 'client.crt');
    const key = join(directory, 'other.key');
    writeFileSync(key, (await selfSigned()).key, { mode: 0o600 });
    const args = [`--kubelet-client-certificate=${cert}`, `--kubelet-client-key=${key}`];
    await assert.rejects(startProcess({ args }), /orchd ended with 1/);
  });
});
