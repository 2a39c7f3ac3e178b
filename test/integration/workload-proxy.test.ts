import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket, WebSocketServer } from 'ws';
import { askAs, type Reply } from '../support/https-ask.ts';
import { ownAddress } from '../support/node-agent.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';

const CORE = '/api/v1/namespaces/default';

describe('the proxies of pods and services', function () {
  this.timeout(60_000);
  let directory: string;
  let server: ServerProcess;
  let program: Server;
  let address: string;
  let port: number;

  before(async function () {
    const found = ownAddress();
    // What is on the machine itself is refused: there is nothing that could be a pod.
    if (found === undefined) this.skip();
    address = found;
    program = createServer((request, response) => {
      const { method, url, headers } = request;
      response.end(JSON.stringify({ method, url, authorization: headers.authorization ?? '' }));
    }).listen(0, address);
    await once(program, 'listening');
    port = (program.address() as AddressInfo).port;
    directory = mkdtempSync(join(tmpdir(), 'orch-pods-'));
    const tokens = join(directory, 'tokens.csv');
    writeFileSync(tokens, 'secret,admin,1,"system:masters"\n', { mode: 0o600 });
    const args = [`--token-auth-file=${tokens}`, '--disable-admission-plugins=ServiceAccount'];
    server = await startProcess({ args });
    await makePod('p', address, [{ containerPort: port }]);
    await makePod('other', '10.255.255.1', []);
    await make('services', {
      metadata: { name: 's' },
      spec: {
        ports: [
          { name: 'web', port: 80 },
          { name: 'none', port: 81 },
        ],
      },
    });
    const targetRef = { kind: 'Pod', namespace: 'default', name: 'p' };
    const ports = [{ name: 'web', port }];
    const strangers = [
      { ip: '10.255.255.2' },
      { ip: '10.255.255.3', targetRef },
      { ip: address, targetRef: { ...targetRef, name: 'other' } },
      { ip: address, targetRef: { ...targetRef, name: 'gone' } },
    ];
    await make('endpoints', {
      metadata: { name: 's' },
      subsets: [{ addresses: [...strangers, { ip: address, targetRef }], ports }],
    });
    await make('services', { metadata: { name: 'strange' }, spec: { ports: [{ name: 'web', port: 80 }] } });
    await make('endpoints', { metadata: { name: 'strange' }, subsets: [{ addresses: strangers, ports }] });
  });
  after(async () => {
    await server?.stop();
    program?.closeAllConnections();
    program?.close();
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  });

  const ask = (line: string, body?: object): Promise<Reply> =>
    askAs({ server: server.url, token: 'secret' }, line, body);

  async function make(resource: string, object: object): Promise<void> {
    const { status, object: made } = await ask(`POST ${CORE}/${resource}`, object);
    assert.equal(status, 201, JSON.stringify(made));
  }

  async function makePod(name: string, ip: string, ports: object[]): Promise<void> {
    await make('pods', { metadata: { name }, spec: { containers: [{ name: 'a', image: 'i', ports }] } });
    const state = { status: { podIP: ip, podIPs: [{ ip }] } };
    const { status, object } = await ask(`PATCH ${CORE}/pods/${name}/status`, state);
    assert.equal(status, 200, JSON.stringify(object));
  }

  it('pass requests on, without the client’s credentials', async () => {
    for (const name of [
      ...['pods/p', `pods/p:${port}`, `pods/http:p:${port}`],
      ...['services/s:web', 'services/s:80', 'services/http:s:web'],
    ]) {
      const { status, object } = await ask(`PUT ${CORE}/${name}/proxy/a/b?c=d`, {});
      assert.equal(status, 200, name);
      assert.deepEqual(object, { method: 'PUT', url: '/a/b?c=d', authorization: '' });
    }
  });

  it('lead to no address that is not a pod’s of the namespace', async () => {
    for (let i = 0; i < 8; i++) {
      assert.equal((await ask(`GET ${CORE}/services/s:web/proxy/a`)).status, 200);
      assert.equal((await ask(`GET ${CORE}/services/strange:web/proxy/a`)).status, 503);
    }
  });

  it('pass WebSockets on, without the token that is among the protocols', async () => {
    const sockets = new WebSocketServer({ server: program });
    const asked: (string | undefined)[] = [];
    sockets.on('connection', (socket, { headers, url }) => {
      asked.push(url, headers['sec-websocket-protocol'], headers.authorization);
      socket.send('first');
      socket.on('message', (data: Buffer) => socket.send(`got ${data.toString()}`));
    });
    const token = `base64url.bearer.authorization.orch.io.${Buffer.from('secret').toString('base64url')}`;
    const url = `${server.url.replace('https', 'wss')}${CORE}/services/s:web/proxy/ws?a=b`;
    const client = new WebSocket(url, [token, 'chat'], { rejectUnauthorized: false });
    assert.equal(String((await once(client, 'message'))[0]), 'first');
    assert.equal(client.protocol, 'chat');
    client.send('x'.repeat(100_000));
    assert.equal(String((await once(client, 'message'))[0]).length, 100_004);
    assert.deepEqual(asked, ['/ws?a=b', 'chat', undefined]);
    const gone = once([...sockets.clients][0] as WebSocket, 'close');
    client.terminate();
    await gone;
    sockets.close();
  });

  it('refuse what is not there', async () => {
    await make('pods', { metadata: { name: 'new' }, spec: { containers: [{ name: 'a', image: 'i' }] } });
    await make('services', { metadata: { name: 'bare' }, spec: { ports: [{ port: 80 }] } });
    for (const [name, status, reason] of [
      ['pods/new', 400, 'BadRequest'],
      ['pods/none', 404, 'NotFound'],
      ['pods/a:b:c:d', 400, 'BadRequest'],
      ['pods/p:x', 503, 'ServiceUnavailable'],
      ['services/none', 404, 'NotFound'],
      ['services/bare', 404, 'NotFound'],
      ['services/s', 503, 'ServiceUnavailable'],
      ['services/s:none', 503, 'ServiceUnavailable'],
      ['services/s:81', 503, 'ServiceUnavailable'],
      ['services/s:82', 503, 'ServiceUnavailable'],
      ['services/a:b:c:d', 400, 'BadRequest'],
    ] as const) {
      const answer = await ask(`GET ${CORE}/${name}/proxy/a`);
      assert.deepEqual([answer.status, answer.object['reason']], [status, reason], name);
    }
  });
});
