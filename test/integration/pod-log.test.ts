import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { agentObjects } from '../support/agent-objects.ts';
import { startNodeAgent, type TestNodeAgent } from '../support/node-agent.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';

const PODS = '/api/v1/namespaces/default/pods';

describe('the log of a pod', function () {
  this.timeout(60_000);
  let directory: string;
  let server: ServerProcess;
  let agent: TestNodeAgent;
  let stranger: TestNodeAgent;

  before(async () => {
    agent = await startNodeAgent('127.0.0.1');
    stranger = await startNodeAgent('127.0.0.1');
    directory = mkdtempSync(join(tmpdir(), 'orch-log-'));
    const file = (name: string, content: string): string => {
      const path = join(directory, name);
      writeFileSync(path, content, { mode: 0o600 });
      return path;
    };
    server = await startProcess({
      args: [
        `--token-auth-file=${file('tokens.csv', 'secret,admin,1,"system:masters"\n')}`,
        `--kubelet-client-certificate=${file('client.crt', agent.client.cert)}`,
        `--kubelet-client-key=${file('client.key', agent.client.key)}`,
        `--kubelet-certificate-authority=${file('agents.crt', agent.certificate.cert)}`,
        '--disable-admission-plugins=ServiceAccount',
      ],
    });
    await makeNode('n', agent.port);
    await makeNode('strange', stranger.port);
    await makePod('one', 'n', ['a']);
    await makePod('two', 'n', ['a', 'b'], ['i']);
    await makePod('free', '', ['a']);
    await makePod('lost', 'gone', ['a']);
    await makePod('odd', 'strange', ['a']);
    agent.handlers.set('/containerLogs/default/one/a', ({ url, headers }, response) => {
      response.setHeader('content-type', 'application/octet-stream');
      response.end(`${url} ${headers.authorization}`);
    });
  });
  after(async () => {
    await server?.stop();
    await agent?.close();
    await stranger?.close();
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  });

  const { makeNode, makePod } = agentObjects(() => ({ server: server.url, token: 'secret' }), PODS);

  async function open(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
    const sent = request(server.url + path, {
      rejectUnauthorized: false,
      agent: false,
      headers: { authorization: 'Bearer secret', ...headers },
    });
    sent.end();
    return ((await once(sent, 'response')) as [IncomingMessage])[0];
  }

  async function ask(path: string): Promise<{ status: number; type: string | undefined; body: string }> {
    const response = await open(path);
    const { statusCode: status = 0, headers } = response;
    return { status, type: headers['content-type'], body: await text(response) };
  }

  it('comes from the node’s agent, as text, and without the client’s credentials', async () => {
    assert.deepEqual(await ask(`${PODS}/one/log`), {
      status: 200,
      type: 'text/plain',
      body: '/containerLogs/default/one/a undefined',
    });
  });

  it('is as much as is asked for', async () => {
    const query =
      'follow=true&previous=1&timestamps&sinceSeconds=5&tailLines=0&limitBytes=%2B7&pretty=true&container=a';
    const { body } = await ask(`${PODS}/one/log?${query}`);
    assert.equal(
      body.split(' ')[0],
      '/containerLogs/default/one/a?follow=true&previous=true&timestamps=true&sinceSeconds=5&tailLines=0&limitBytes=7',
    );
    const since = await ask(`${PODS}/one/log?sinceTime=2020-01-01T01:00:00%2B01:00&follow=false`);
    assert.match(since.body, /a\?sinceTime=2020-01-01T00%3A00%3A00Z /);
  });

  it('is empty where the pod has run nowhere', async () => {
    assert.deepEqual(await ask(`${PODS}/free/log`), { status: 204, type: undefined, body: '' });
  });

  it('is followed as it is written, until the client leaves', async () => {
    const begun = Promise.withResolvers<ServerResponse>();
    agent.handlers.set('/containerLogs/default/two/i', (_request, response) => {
      response.write('line 1\n');
      begun.resolve(response);
    });
    const log = await open(`${PODS}/two/log?container=i&follow=true`, { accept: 'application/json, */*' });
    const written = await begun.promise;
    assert.equal(String((await once(log, 'data'))[0]), 'line 1\n');
    written.write('line 2\n');
    assert.equal(String((await once(log, 'data'))[0]), 'line 2\n');
    const closed = once(written, 'close');
    log.destroy();
    await closed;
  });

  for (const [path, status, pattern] of [
    ['two/log', 400, /choose one of: \[i a b\]/],
    ['two/log?container=x', 400, /container x is not valid for pod two/],
    ['none/log', 404, /pods \\"none\\" not found/],
    ['lost/log', 404, /gone/],
    ['one/log?tailLines=-1', 422, /"field":"tailLines"/],
    ['one/log?limitBytes=0', 422, /"field":"limitBytes"/],
    ['one/log?sinceSeconds=0', 422, /"field":"sinceSeconds"/],
    ['one/log?sinceSeconds=1&sinceTime=2020-01-01T00:00:00Z', 422, /at most one of/],
    ['one/log?stream=Stdout', 422, /"field":"stream"/],
    ['one/log?tailLines=x', 400, /tailLines/],
    ['one/log?tailLines=9223372036854775808', 400, /tailLines/],
    ['one/log?limitBytes=1.5', 400, /limitBytes/],
    ['one/log?sinceTime=x', 400, /sinceTime/],
    ['odd/log', 500, /certificate/],
  ] as const) {
    it(`is refused with ${status} for ${path}`, async () => {
      const answer = await ask(`${PODS}/${path}`);
      assert.equal(answer.status, status, answer.body);
      assert.match(answer.body, pattern);
    });
  }

  for (const [code, status, reason] of [
    [400, 400, 'BadRequest'],
    [403, 403, 'Forbidden'],
    [404, 404, 'NotFound'],
    [500, 500, 'InternalError'],
    [302, 500, 'InternalError'],
  ] as const) {
    it(`is refused with ${status} where the agent answers ${code}`, async () => {
      agent.handlers.set('/containerLogs/default/two/b', (_request, response) => {
        response.writeHead(code, { location: '/elsewhere' }).end('because\n');
      });
      const answer = await ask(`${PODS}/two/log?container=b`);
      assert.equal(answer.status, status);
      const said = JSON.parse(answer.body) as { reason: string; message: string };
      assert.equal(said.reason, reason);
      assert.match(said.message, /because$/);
    });
  }

  it('may be taken from an agent that can not be verified, which is still shown the certificate', async () => {
    const { status, body } = await ask(`${PODS}/odd/log?insecureSkipTLSVerifyBackend=true`);
    // It wants another client: that it says so shows that its own certificate was no obstacle.
    assert.equal(status, 500, body);
    assert.doesNotMatch(body, /self-signed certificate/);
  });
});
