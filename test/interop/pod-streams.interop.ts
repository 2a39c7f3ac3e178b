import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { agentNode } from '../support/agent-objects.ts';
import { selfSigned } from '../support/certificates.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';
import { buildGo } from './go-clients.ts';
import { findPeer, run, type Outcome } from './peers.ts';

const ADDRESS = '127.0.0.1';

/** Node and pods as they are once they run. */
const objects = (port: number): string =>
  [agentNode('node', port, ADDRESS), pod('one', ['main']), pod('two', ['first', 'second'])]
    .map((object) => JSON.stringify({ apiVersion: 'v1', ...object }))
    .join('\n');

function pod(name: string, containers: readonly string[]): object {
  return {
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: {
      nodeName: 'node',
      containers: containers.map((container) => ({ name: container, image: 'i', stdin: true, tty: false })),
    },
  };
}

/** kubectl 1.32 through orch to a node agent with the streams of the Go kubelet. */
describe('streams of pods, with kubectl and a Go node agent', function () {
  this.timeout(120_000);
  const program = findPeer('kubectl');
  let directory: string;
  let agent: ChildProcess;
  let server: ServerProcess;

  before(async function () {
    const built = buildGo('node-agent');
    if (built === undefined) return this.skip();
    directory = mkdtempSync(join(tmpdir(), 'orch-streams-'));
    const certificate = await selfSigned(undefined, ADDRESS);
    const cert = join(directory, 'tls.crt');
    const key = join(directory, 'tls.key');
    writeFileSync(cert, certificate.cert);
    writeFileSync(key, certificate.key, { mode: 0o600 });
    agent = spawn(built, [ADDRESS, cert, key], { stdio: ['pipe', 'pipe', 'ignore'] });
    assert.ok(agent.stdout);
    const [port] = (await once(createInterface({ input: agent.stdout }), 'line')) as [string];
    server = await startProcess({
      args: [
        '--naming=kubernetes',
        '--disable-admission-plugins=ServiceAccount',
        `--kubelet-client-certificate=${cert}`,
        `--kubelet-client-key=${key}`,
        `--kubelet-certificate-authority=${cert}`,
      ],
    });
    ok(['create', '-f', '-'], objects(Number(port)));
    for (const name of ['one', 'two'])
      ok(['patch', 'pod', name, '--subresource=status', '-p', '{"status":{"phase":"Running"}}']);
  });
  after(async () => {
    await server?.stop();
    agent?.stdin?.end();
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  });

  let environment: NodeJS.ProcessEnv = {};
  const kubectl = (args: readonly string[], input = ''): Outcome =>
    run(program, ['--kubeconfig', server.kubeconfig, ...args], input, {
      HOME: server.directory,
      ...environment,
    });
  const ok = (args: readonly string[], input?: string): string => {
    const outcome = kubectl(args, input);
    assert.equal(outcome.status, 0, `kubectl ${args.join(' ')}: ${outcome.stderr}`);
    return outcome.stdout;
  };

  for (const [how, webSockets] of [
    ['over WebSockets', 'true'],
    ['in SPDY', 'false'],
  ] as const) {
    describe(how, () => {
      before(() => {
        environment = {
          KUBECTL_REMOTE_COMMAND_WEBSOCKETS: webSockets,
          KUBECTL_PORT_FORWARD_WEBSOCKETS: webSockets,
        };
      });

      it('runs a program and gives back both of its outputs', () => {
        const { status, stdout, stderr } = kubectl([
          'exec',
          'one',
          '--',
          'sh',
          '-c',
          'echo out; echo err >&2',
        ]);
        assert.deepEqual([status, stdout, stderr], [0, 'out\n', 'err\n']);
      });

      it('gives a program what it is to read, until its end', () => {
        const text = 'line\n'.repeat(200_000);
        assert.equal(ok(['exec', '-i', 'two', '-c', 'second', '--', 'cat'], text), text);
      });

      it('ends with the program’s exit code', () => {
        const { status, stderr } = kubectl(['exec', 'one', '--', 'sh', '-c', 'exit 42']);
        assert.equal(status, 42);
        assert.match(stderr, /exit code 42/);
      });

      it('tells what fails in the container, and what the server refuses', () => {
        const missing = kubectl(['exec', 'one', '--', 'no-such-program']);
        assert.equal(missing.status, 1);
        assert.match(missing.stderr, /executable file not found/);
        const wrong = kubectl(['exec', 'two', '-c', 'third', '--', 'ls']);
        assert.equal(wrong.status, 1);
        assert.match(wrong.stderr, /container third is not valid for pod two/);
      });

      it('passes on 100 MB', async () => {
        const args = ['exec', 'one', '--', 'head', '-c', '100000000', '/dev/zero'];
        const child = spawn(program, ['--kubeconfig', server.kubeconfig, ...args], {
          env: { ...process.env, HOME: server.directory, ...environment },
        });
        let length = 0;
        for await (const chunk of child.stdout as AsyncIterable<Buffer>) length += chunk.length;
        assert.equal(length, 100_000_000);
      });

      it('attaches', () => {
        const out = ok(['attach', '-i', 'two', '-c', 'first'], 'hello\n');
        assert.match(out, /^attached to first\nhello\n$/);
      });

      it('copies files there and back', () => {
        const bytes = randomBytes(5_000_000);
        const [from, there, back] = ['from', 'there', 'back'].map((name) =>
          join(directory, name + webSockets),
        );
        assert.ok(from && there && back);
        writeFileSync(from, bytes);
        ok(['cp', from, `one:${there}`]);
        assert.ok(readFileSync(there).equals(bytes));
        ok(['cp', `one:${there}`, back]);
        assert.ok(readFileSync(back).equals(bytes));
      });

      it('forwards ports, for several connections one after the other and at once', async () => {
        const echo = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket));
        echo.listen(0, ADDRESS);
        await once(echo, 'listening');
        const { port } = echo.address() as AddressInfo;
        const args = ['--kubeconfig', server.kubeconfig, 'port-forward', 'pod/one', `:${port}`];
        const child = spawn(program, args, {
          env: { ...process.env, HOME: server.directory, ...environment },
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        try {
          const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
          const local = Number(/:(\d+) ->/.exec(line)?.[1]);
          const bytes = randomBytes(2_000_000);
          const through = async (): Promise<boolean> => {
            const socket = connect({ port: local, host: ADDRESS, allowHalfOpen: true });
            socket.end(bytes);
            return (await buffer(socket)).equals(bytes);
          };
          assert.ok(await through());
          assert.deepEqual(await Promise.all([through(), through(), through()]), [true, true, true]);
        } finally {
          child.kill();
          echo.close();
        }
      });
    });
  }
});
