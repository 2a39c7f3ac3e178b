import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { WebSocket, WebSocketServer } from 'ws';
import { textAt } from '../../src/meta/fields.ts';
import type { JsonObject } from '../../src/meta/object.ts';
import { agentObjects } from '../support/agent-objects.ts';
import { askAs } from '../support/https-ask.ts';
import { startNodeAgent, type TestNodeAgent } from '../support/node-agent.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';
import { SpdyPeer } from '../support/spdy-peer.ts';

const PODS = '/api/v1/namespaces/default/pods';
const SPDY = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };
const V5 = 'v5.channel.k8s.io';

/** What an agent was asked for another protocol, and its end of the connection. */
interface Agreed {
  readonly asked: IncomingMessage;
  readonly socket: Duplex;
}

/** A connection of a client, or the answer that it got instead. */
interface Connection {
  readonly answer: IncomingMessage;
  readonly socket?: Duplex;
}

describe('streams of pods', function () {
  this.timeout(60_000);
  let directory: string;
  let server: ServerProcess;
  let agent: TestNodeAgent;

  before(async () => {
    agent = await startNodeAgent('127.0.0.1');
    directory = mkdtempSync(join(tmpdir(), 'orch-streams-'));
    const file = (name: string, content: string): string => {
      const path = join(directory, name);
      writeFileSync(path, content, { mode: 0o600 });
      return path;
    };
    server = await startProcess({
      args: [
        '--naming=kubernetes',
        `--token-auth-file=${file('tokens.csv', 'secret,admin,1,"system:masters"\nothers,other,2,"others"\n')}`,
        `--kubelet-client-certificate=${file('client.crt', agent.client.cert)}`,
        `--kubelet-client-key=${file('client.key', agent.client.key)}`,
        `--kubelet-certificate-authority=${file('agents.crt', agent.certificate.cert)}`,
        '--disable-admission-plugins=ServiceAccount',
      ],
    });
    await makeNode('node', agent.port);
    await makeNode('closed', 1);
    await makePod('one', 'node', ['a']);
    await makePod('two', 'node', ['a', 'b'], ['i']);
    await makePod('free', '', ['a']);
    await makePod('lost', 'gone', ['a']);
    await makePod('deaf', 'closed', ['a']);
  });
  after(async () => {
    await server?.stop();
    await agent?.close();
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  });

  const asker = (token: string) => ({ server: server.url, token });
  const { makeNode, makePod } = agentObjects(() => asker('secret'), PODS);

  /** Asks for another protocol with SPDY's headers, or others. */
  async function open(line: string, headers: Record<string, string> = {}): Promise<Connection> {
    const [method = '', path = ''] = line.split(' ');
    const sent = request(server.url + PODS + path, {
      method,
      rejectUnauthorized: false,
      agent: false,
      headers: { authorization: 'Bearer secret', ...SPDY, ...headers },
    });
    const opened = new Promise<Connection>((resolve, reject) => {
      sent.once('response', (answer) => resolve({ answer }));
      sent.once('upgrade', (answer: IncomingMessage, socket: Duplex) => resolve({ answer, socket }));
      sent.once('error', reject);
    });
    sent.end();
    return opened;
  }

  function openWebSocket(path: string, protocols: string | string[]): WebSocket {
    const url = `${server.url.replace('https', 'wss')}${PODS}${path}`;
    const headers = { authorization: 'Bearer secret' };
    return new WebSocket(url, protocols, { rejectUnauthorized: false, headers });
  }

  /** Has the agent agree to SPDY on a path, once. */
  function agreeTo(path: string, protocol = 'v4.channel.k8s.io'): Promise<Agreed> {
    return new Promise((resolve) =>
      agent.upgrades.set(path, (asked, socket) => {
        const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: SPDY/3.1'];
        socket.write([...lines, `X-Stream-Protocol-Version: ${protocol}`, '', ''].join('\r\n'));
        resolve({ asked, socket });
      }),
    );
  }

  for (const [line, status, reason, message] of [
    ['GET one/exec?command=ls&stdout=1', 400, 'BadRequest', /^Upgrade request required$/],
    ['POST one/attach', 400, 'BadRequest', /^Upgrade request required$/],
    ['GET one/portforward', 400, 'BadRequest', /^Upgrade request required$/],
    ['PUT one/exec', 405, 'MethodNotAllowed', /./],
    ['POST one/exec?dryRun=All', 400, 'BadRequest', /^dryRun is not supported$/],
    ['POST none/exec', 404, 'NotFound', /pods "none" not found/],
    ['POST two/exec', 400, 'BadRequest', /name must be specified for pod two, choose one of: \[i a b\]/],
    ['POST two/attach?container=x', 400, 'BadRequest', /container x is not valid for pod two/],
    ['POST free/exec', 400, 'BadRequest', /pod free does not have a host assigned/],
    ['POST free/portforward', 400, 'BadRequest', /pod free does not have a host assigned/],
    ['POST lost/portforward', 404, 'NotFound', /gone/],
    ['POST one/portforward?ports=x', 400, 'BadRequest', /"x"/],
    ['POST one/portforward?ports=80,65536', 400, 'BadRequest', /"65536"/],
    ['POST one/portforward?ports=', 400, 'BadRequest', /""/],
  ] as const) {
    it(`are refused with ${status} for ${line}`, async () => {
      const [method, path] = line.split(' ');
      const { status: code, object } = await askAs(asker('secret'), `${method} ${PODS}/${path}`);
      assert.equal(code, status);
      assert.equal(object['reason'], reason);
      assert.match(textAt(object, 'message'), message);
    });
  }

  it('need the verb of the method on the subresource', async () => {
    for (const [method, verb] of [
      ['GET', 'get'],
      ['POST', 'create'],
    ]) {
      const { status, object } = await askAs(asker('others'), `${method} ${PODS}/one/exec`);
      assert.equal(status, 403);
      assert.match(textAt(object, 'message'), new RegExp(`cannot ${verb} resource "pods/exec"`));
    }
  });

  it('are refused with 500 where the agent can not be reached', async () => {
    const { answer } = await open('POST /deaf/exec');
    assert.equal(answer.statusCode, 500);
    const status = JSON.parse(await text(answer)) as JsonObject;
    assert.equal(status['reason'], undefined);
    assert.match(textAt(status, 'message'), /^error dialing backend: /);
  });

  it('are refused with what the agent says that refuses', async () => {
    const { answer } = await open('POST /two/exec?container=b');
    assert.equal(answer.statusCode, 403);
    assert.equal(answer.headers['x-agent'], 'yes');
    assert.equal(await text(answer), 'not so');
  });

  it('are refused with 500 where the agent answers otherwise', async () => {
    agent.upgrades.set('/exec/default/two/i', (_asked, socket) =>
      socket.end('HTTP/1.1 302 Found\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n'),
    );
    const { answer } = await open('POST /two/exec?container=i');
    assert.equal(answer.statusCode, 500);
    assert.match(await text(answer), /invalid upgrade response: status code 302/);
  });

  describe('in SPDY', () => {
    for (const [line, path] of [
      [
        'POST /one/exec?command=sh&command=-c&command=a%20b&stdin=true&stdout=1&stderr=0&tty=true',
        '/exec/default/one/a?command=sh&command=-c&command=a+b&input=1&output=1&tty=1',
      ],
      ['GET /one/exec?stderr=true', '/exec/default/one/a?error=1'],
      ['POST /two/attach?container=i&stdout=1', '/attach/default/two/i?output=1'],
      ['POST /one/portforward', '/portForward/default/one'],
      ['GET /one/portforward?ports=80,81&ports=82', '/portForward/default/one?port=80%2C81%2C82'],
    ] as const) {
      it(`go to the agent’s ${path}`, async () => {
        const agreed = agreeTo(path.split('?')[0] as string);
        const { answer, socket } = await open(line, {
          'x-stream-protocol-version': 'v4.channel.k8s.io, v3.channel.k8s.io',
        });
        assert.equal(answer.statusCode, 101);
        assert.equal(answer.headers.upgrade, 'SPDY/3.1');
        assert.equal(answer.headers['x-stream-protocol-version'], 'v4.channel.k8s.io');
        const { asked } = await agreed;
        assert.equal(asked.method, line.split(' ')[0]);
        assert.equal(asked.url, path);
        assert.equal(asked.headers['x-stream-protocol-version'], 'v4.channel.k8s.io, v3.channel.k8s.io');
        assert.equal(asked.headers.authorization, undefined);
        socket?.destroy();
      });
    }

    it('are bytes both ways; what was sent before an end arrives', async () => {
      const agreed = agreeTo('/exec/default/one/a');
      const { socket } = await open('POST /one/exec');
      assert.ok(socket);
      const there = (await agreed).socket;
      socket.write('to the agent');
      assert.equal(String((await once(there, 'data'))[0]), 'to the agent');
      const much = Buffer.alloc(5_000_000, 'x');
      there.end(much);
      let length = 0;
      for await (const chunk of socket as AsyncIterable<Buffer>) length += chunk.length;
      assert.equal(length, much.length);
    });

    for (const [who, other] of [
      ['client', 'agent'],
      ['agent', 'client'],
    ] as const) {
      it(`end for the ${other} when the ${who} is gone`, async () => {
        const agreed = agreeTo('/portForward/default/one');
        const { socket } = await open('POST /one/portforward');
        assert.ok(socket);
        const there = (await agreed).socket;
        const [goes, stays] = who === 'client' ? [socket, there] : [there, socket];
        stays.on('error', () => undefined).resume();
        const ended = once(stays, 'close');
        goes.destroy();
        await ended;
      });
    }
  });

  it('in an older protocol of WebSockets are the agent’s', async () => {
    const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'v4.channel.k8s.io' });
    agent.upgrades.set('/exec/default/one/a', (asked, socket, head) =>
      sockets.handleUpgrade(asked, socket, head, (accepted) =>
        accepted.on('message', (message: Buffer) => accepted.send(message)),
      ),
    );
    const client = openWebSocket('/one/exec?stdin=1', ['v4.channel.k8s.io', 'channel.k8s.io']);
    await once(client, 'open');
    assert.equal(client.protocol, 'v4.channel.k8s.io');
    client.send('\0hello');
    assert.equal(String((await once(client, 'message'))[0]), '\0hello');
    client.close();
    await once(client, 'close');
  });

  describe('of a program over a WebSocket', () => {
    const QUERY = '/one/exec?command=cat&stdin=1&stdout=1&stderr=1';

    /** Runs a program whose agent does as `agree` says. @returns all messages, the status apart. */
    async function run(
      query: string,
      act: (peer: SpdyPeer, client: WebSocket) => Promise<void>,
      protocol?: string,
    ): Promise<{ messages: string[]; status: JsonObject; code: number }> {
      const agreed = agreeTo('/exec/default/one/a', protocol);
      const client = openWebSocket(query, [V5]);
      const messages: string[] = [];
      client.on('message', (message: Buffer) => messages.push(message.toString('latin1')));
      const closed = once(client, 'close') as Promise<[number]>;
      const { socket, asked } = await agreed;
      assert.equal(asked.method, 'POST');
      assert.equal(asked.headers['x-stream-protocol-version']?.includes('v5.channel.k8s.io, v4.'), true);
      await act(new SpdyPeer(socket), client);
      const [code] = await closed;
      const status = messages.find((message) => message.startsWith('\x03{')) ?? '\x03{}';
      return {
        code,
        messages: messages.filter((message) => message !== status),
        status: JSON.parse(status.slice(1)) as JsonObject,
      };
    }

    const SUCCESS = { metadata: {}, status: 'Success' };

    it('are streams of SPDY', async () => {
      const { messages, status, code } = await run(QUERY, async (peer, client) => {
        const { error = 0, stdin = 0, stdout = 0, stderr = 0 } = await peer.streams(4);
        client.send('\0from the ');
        client.send('\0client');
        client.send(Buffer.from([255, 0]));
        await peer.until((frames) => frames.find(({ type, fin }) => type === 0 && fin));
        assert.equal(peer.textOf(stdin), 'from the client');
        peer.data(stdout, 'out');
        peer.data(stderr, 'err', true);
        peer.data(stdout, '', true);
        peer.data(error, JSON.stringify(SUCCESS));
        peer.close(error, stdin, stdout, stderr);
      });
      assert.deepEqual(messages, ['\x01', '\x01out', '\x02err']);
      assert.deepEqual(status, SUCCESS);
      assert.equal(code, 1000);
    });

    it('have sizes and one stream for both outputs with a terminal', async () => {
      const { messages, status } = await run(`${QUERY}&tty=1`, async (peer, client) => {
        const { error = 0, resize = 0, stdout = 0, stderr } = await peer.streams(4);
        assert.equal(stderr, undefined);
        client.send('\x04{"Width":80,"Height":24}');
        await peer.until((frames) => frames.find(({ type }) => type === 0));
        assert.equal(peer.textOf(resize), '{"Width":80,"Height":24}');
        peer.close(error, stdout);
      });
      assert.deepEqual(messages, ['\x01']);
      assert.deepEqual(status, SUCCESS);
    });

    it('have no sizes where the agent knows none, and begin with an error’s channel where there is no output', async () => {
      const { messages } = await run(
        '/one/exec?stdin=1&tty=1',
        async (peer) => {
          assert.deepEqual(Object.keys(await peer.streams(2)), ['error', 'stdin']);
          peer.close(1, 3);
        },
        'v2.channel.k8s.io',
      );
      assert.deepEqual(messages, ['\x03']);
    });

    const exited = (message: string): JsonObject => ({
      metadata: {},
      status: 'Failure',
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message }] },
    });
    for (const [what, words, protocol, message] of [
      ['another exit code', exited('7'), undefined, /with exit code 7$/],
      ['an exit code that is none', { ...exited('x'), message: 'odd' }, undefined, /error occurred: odd$/],
      ['a refusal', { status: 'Failure', message: 'no such program' }, undefined, /: no such program$/],
      ['something else', 'oh', undefined, /no status/],
      ['an older protocol’s error', 'oh dear', 'v3.channel.k8s.io', /remote command: oh dear$/],
    ] as const) {
      it(`tell ${what}`, async () => {
        const { status } = await run(
          QUERY,
          async (peer) => {
            const { error = 0, ...others } = await peer.streams(4);
            peer.data(error, typeof words === 'string' ? words : JSON.stringify(words));
            peer.close(error, ...Object.values(others));
          },
          protocol,
        );
        assert.equal(status['status'], 'Failure');
        assert.match(textAt(status, 'message'), message);
        const [isExit, reason] =
          what === 'another exit code' ? [true, 'NonZeroExitCode'] : [false, 'InternalError'];
        assert.equal(status['reason'], reason);
        assert.equal(status['code'], isExit ? undefined : 500);
      });
    }

    for (const [what, act, message] of [
      ['is lost', async (peer: SpdyPeer) => void (await peer.streams(4), peer.socket.end()), /lost/],
      ['refuses a stream', (peer: SpdyPeer) => Promise.resolve(peer.reset(5)), /refused/],
      [
        'speaks no SPDY',
        (peer: SpdyPeer) => Promise.resolve(void peer.socket.write(Buffer.alloc(8))),
        /no stream/,
      ],
    ] as const) {
      it(`tell that the agent ${what}`, async () => {
        const { status, code } = await run(QUERY, act);
        assert.equal(status['reason'], 'InternalError');
        assert.match(textAt(status, 'message'), message);
        assert.equal(code, 1000);
      });
    }

    it('tell what the agent says that refuses', async () => {
      const client = openWebSocket('/two/exec?container=b&stdout=1', [V5, 'v4.channel.k8s.io']);
      const messages: string[] = [];
      client.on('message', (message: Buffer) => messages.push(message.toString()));
      await once(client, 'close');
      assert.equal(client.protocol, V5);
      assert.equal(messages[0], '\x01');
      assert.match(messages[1] ?? '', /\{.*unable to upgrade connection: not so/);
    });

    it('end for the agent when the client is gone', async () => {
      const agreed = agreeTo('/exec/default/one/a');
      const client = openWebSocket(QUERY, [V5]);
      const { socket } = await agreed;
      const peer = new SpdyPeer(socket);
      await peer.streams(4);
      const ended = once(socket, 'end');
      client.terminate();
      await ended;
      assert.ok(peer.frames.some(({ type }) => type === 7));
    });

    for (const [what, message] of [
      ['closes a channel that there isn’t', [255, 5]],
      ['closes no channel', [255]],
      ['closes two', [255, 0, 1]],
    ] as const) {
      it(`end for a client that ${what}`, async () => {
        const { code } = await run(QUERY, async (peer, client) => {
          await peer.streams(4);
          client.send(Buffer.from(message));
        });
        assert.equal(code, 1002);
      });
    }

    it('are refused without a handshake', async () => {
      const { answer } = await open(`GET ${QUERY}`, {
        upgrade: 'websocket',
        'sec-websocket-version': '12',
        'sec-websocket-protocol': V5,
      });
      assert.equal(answer.statusCode, 400);
    });
  });

  describe('in SPDY over a WebSocket', () => {
    const TUNNEL = 'SPDY/3.1+portforward.k8s.io';

    /** `ws` takes no protocol with a slash: its client is shown one that was chosen without being asked for. */
    async function openTunnel(path: string, protocol = TUNNEL): Promise<Connection> {
      return open(`GET ${path}`, {
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'sec-websocket-protocol': protocol,
      });
    }

    /** A short message of a client, whose mask changes nothing. */
    const frame = (type: number, payload: string): Buffer =>
      Buffer.concat([Buffer.from([0x80 | type, 0x80 | payload.length, 0, 0, 0, 0]), Buffer.from(payload)]);

    it('are bytes in messages', async () => {
      const agreed = agreeTo('/portForward/default/one', 'portforward.k8s.io');
      const { answer, socket } = await openTunnel('/one/portforward');
      assert.equal(answer.statusCode, 101);
      assert.equal(answer.headers['sec-websocket-protocol'], TUNNEL);
      assert.ok(socket);
      const { asked, socket: there } = await agreed;
      assert.equal(asked.method, 'POST');
      assert.equal(asked.headers.upgrade, 'SPDY/3.1');
      assert.equal(asked.headers['x-stream-protocol-version'], 'portforward.k8s.io');
      assert.equal(asked.headers['sec-websocket-key'], undefined);
      socket.write(frame(2, 'to the agent'));
      assert.equal(String((await once(there, 'data'))[0]), 'to the agent');
      there.write('and back');
      assert.deepEqual((await once(socket, 'data'))[0], Buffer.from('\x82\x08and back', 'latin1'));
      there.end();
      assert.deepEqual((await once(socket, 'data'))[0], Buffer.from('\x88\x02\x03\xe8', 'latin1'));
      socket.destroy();
    });

    it('end with a message that is text', async () => {
      const agreed = agreeTo('/portForward/default/one', 'portforward.k8s.io');
      const { socket } = await openTunnel('/one/portforward');
      assert.ok(socket);
      const there = (await agreed).socket;
      const closed = once(there, 'close');
      there.on('error', () => undefined).resume();
      socket.write(frame(1, 'text'));
      assert.deepEqual((await once(socket, 'data'))[0], Buffer.from('\x88\x02\x03\xeb', 'latin1'));
      await closed;
      socket.destroy();
    });

    it('are refused with what the agent says that refuses', async () => {
      const { answer } = await openTunnel('/two/portforward');
      assert.equal(answer.statusCode, 403);
      assert.equal(await text(answer), 'not so');
    });

    it('are refused with 500 where the agent can not be reached', async () => {
      const { answer } = await openTunnel('/deaf/portforward');
      assert.equal(answer.statusCode, 500);
    });
  });

  describe('of a server that stops', () => {
    it('end with it', async () => {
      const agreed = agreeTo('/exec/default/one/a');
      const { socket } = await open('POST /one/exec');
      assert.ok(socket);
      const there = (await agreed).socket;
      const program = openWebSocket('/one/exec?stdout=1', [V5]);
      const closed = once(program, 'close') as Promise<[number]>;
      const second = agreeTo('/exec/default/one/a');
      await once(program, 'open');
      await second;
      socket.on('error', () => undefined).resume();
      there.resume();
      const ends = Promise.all([once(socket, 'close'), once(there, 'close')]);
      server.process.kill('SIGTERM');
      await ends;
      assert.equal((await closed)[0], 1001);
    });
  });
});
