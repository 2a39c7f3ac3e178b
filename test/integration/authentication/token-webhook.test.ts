import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startControlPlane, type TestControlPlane } from '../../../src/testing/index.ts';
import { selfSigned } from '../../support/certificates.ts';
import { whoAmI, type KnownUser } from '../../support/who-am-i.ts';

interface Review {
  readonly apiVersion: string;
  readonly spec: { readonly token: string; readonly audiences: readonly string[] };
}

describe('a token webhook', function () {
  this.timeout(60_000);
  let folder: string;
  let server: Server;
  let plane: TestControlPlane;
  let respond: (review: Review, answer: ServerResponse) => void;
  const reviews: Review[] = [];
  const log: string[] = [];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'orch-webhook-'));
    const certificate = await selfSigned();
    server = createServer(certificate, (request, answer) => void take(request, answer));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    writeFileSync(join(folder, 'webhook.kubeconfig'), kubeconfig(server, certificate.cert));
    plane = await startControlPlane({
      flags: [
        `--authentication-token-webhook-config-file=${folder}/webhook.kubeconfig`,
        '--authentication-token-webhook-version=v1',
        '--v=3',
      ],
      log: (line) => void log.push(line),
    });
  });
  beforeEach(() => void reviews.splice(0));
  after(async () => {
    await plane.stop();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function take(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    assert.equal(`${request.method} ${request.url}`, 'POST /authenticate');
    assert.equal(request.headers.authorization, 'Bearer our-own-token');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const review = JSON.parse(Buffer.concat(chunks).toString()) as Review;
    reviews.push(review);
    respond(review, answer);
  }

  const yes = ({ spec }: Review, answer: ServerResponse): void => {
    const user = { username: `user-of-${spec.token}`, groups: ['dev'] };
    answer.end(JSON.stringify({ status: { authenticated: true, user } }));
  };

  it('says whose tokens are, once for each', async () => {
    respond = yes;
    for (let time = 0; time < 3; time++) {
      const known = (await whoAmI(plane.url, { token: 'one' })) as KnownUser;
      assert.deepEqual(known, { username: 'user-of-one', groups: ['dev', 'system:authenticated'] });
    }
    assert.equal(reviews.length, 1);
    assert.equal(reviews[0]?.apiVersion, 'authentication.orch.io/v1');
    assert.ok(Number(reviews[0].spec.audiences.length) > 0);
  });

  it('says no, which is remembered too', async () => {
    respond = (_review, answer) => void answer.end('{"status":{"authenticated":false}}');
    assert.equal(await whoAmI(plane.url, { token: 'nobodys' }), 401);
    assert.equal(await whoAmI(plane.url, { token: 'nobodys' }), 401);
    assert.equal(reviews.length, 1);
  });

  const misbehaving: readonly (readonly [string, (answer: ServerResponse) => void])[] = [
    ['answers garbage', (answer) => void answer.end('<html>')],
    ['answers half of a review', (answer) => void answer.end('{"status":{"authenticated":true')],
    ['redirects', (answer) => void answer.writeHead(307, { location: '/authenticate' }).end()],
    ['refuses', (answer) => void answer.writeHead(403).end()],
    ['sends 100 MB', (answer) => sendMuch(answer, 100)],
  ];
  for (const [name, misbehave] of misbehaving) {
    it(`lets nobody in when it ${name}, and is asked again`, async () => {
      respond = (_review, answer) => misbehave(answer);
      const token = `secret-${name.replaceAll(' ', '-')}`;
      assert.equal(await whoAmI(plane.url, { token }), 401);
      respond = yes;
      assert.equal(((await whoAmI(plane.url, { token })) as KnownUser).username, `user-of-${token}`);
      assert.ok(!log.some((line) => line.includes(token)), 'tokens are in no log');
    });
  }

  it('slows nobody else down when it hangs', async () => {
    respond = () => undefined;
    const waiting = whoAmI(plane.url, { token: 'hanging' });
    const started = performance.now();
    await plane.client.json({ path: '/api/v1/namespaces/default' });
    assert.ok(performance.now() - started < 3000);
    server.closeAllConnections();
    respond = yes;
    assert.equal(((await waiting) as KnownUser).username, 'user-of-hanging', 'it is tried again');
  });

  it('must be named by a file that is there', async () => {
    const flags = [`--authentication-token-webhook-config-file=${folder}/none`];
    await assert.rejects(startControlPlane({ flags }), /--authentication-token-webhook-config-file/);
  });
});

function kubeconfig(server: Server, authority: string): string {
  const { port } = server.address() as AddressInfo;
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'webhook',
        cluster: {
          server: `https://127.0.0.1:${port}/authenticate`,
          'certificate-authority-data': Buffer.from(authority).toString('base64'),
        },
      },
    ],
    users: [{ name: 'us', user: { token: 'our-own-token' } }],
    contexts: [{ name: 'it', context: { cluster: 'webhook', user: 'us' } }],
    'current-context': 'it',
  });
}

function sendMuch(answer: ServerResponse, megabytes: number): void {
  const chunk = Buffer.alloc(1 << 20, 0x20);
  const send = (left: number): void => {
    if (left > 0) answer.write(chunk, (error) => (error ? undefined : send(left - 1)));
    else answer.end();
  };
  send(megabytes);
}
