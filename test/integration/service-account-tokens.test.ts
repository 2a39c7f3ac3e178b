import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiObject } from '../../src/meta/object.ts';
import { askAs, waitAs, type Asker } from '../support/https-ask.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const ME = '/apis/authentication.orch.io/v1/selfsubjectreviews';
const REQUEST = { apiVersion: 'authentication.orch.io/v1', kind: 'TokenRequest', spec: {} };
const REVIEW = { apiVersion: 'authentication.orch.io/v1', kind: 'SelfSubjectReview' };

/** Whoever the files of a server let in: its administrator without a token, else the token's user. */
function asker({ url, directory }: ServerProcess, token?: string): Asker {
  const pki = (name: string): string => readFileSync(join(directory, 'pki', name), 'utf8');
  const trusts = { server: url, ca: pki('ca.crt') };
  return token === undefined
    ? { ...trusts, cert: pki('admin.crt'), key: pki('admin.key') }
    : { ...trusts, token };
}

async function issue(server: ServerProcess, account: string, spec: object = {}): Promise<string> {
  const { status, object } = await askAs(asker(server), `POST ${ACCOUNTS}/${account}/token`, {
    ...REQUEST,
    spec,
  });
  assert.equal(status, 201);
  return (object['status'] as { token: string }).token;
}

/** 201, or why not. */
async function use(server: ServerProcess, token: string): Promise<number> {
  const { status, object } = await askAs(asker(server, token), `POST ${ME}`, REVIEW);
  // Nobody learns why.
  if (status !== 201) assert.equal(object['message'], 'Unauthorized');
  return status;
}

async function make(server: ServerProcess, path: string, object: object): Promise<ApiObject> {
  const reply = await askAs(asker(server), `POST ${path}`, { apiVersion: 'v1', ...object });
  assert.equal(reply.status, 201);
  return reply.object;
}

const makeAccount = (server: ServerProcess, name: string): Promise<ApiObject> =>
  make(server, ACCOUNTS, { kind: 'ServiceAccount', metadata: { name } });

describe('tokens of service accounts on a server', function () {
  this.timeout(60_000);
  let server: ServerProcess;
  let log = '';

  before(async () => {
    server = await startProcess({ args: ['--v=10'] });
    server.process.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  });
  after(() => server.stop());

  it('let their bearer in until the account is gone, and not a request longer', async () => {
    await makeAccount(server, 'a');
    const token = await issue(server, 'a');
    assert.equal(await use(server, token), 201);
    await askAs(asker(server), `DELETE ${ACCOUNTS}/a`);
    assert.equal(await use(server, token), 401);
    await makeAccount(server, 'a');
    assert.equal(await use(server, token), 401);
    assert.ok(!log.includes(token.split('.')[2] ?? ''), 'the log holds a token');
  });

  for (const [kind, path, object] of [
    ['Secret', '/api/v1/namespaces/default/secrets', { metadata: { name: 'x' } }],
    ['Node', '/api/v1/nodes', { metadata: { name: 'x' } }],
  ] as const) {
    it(`end with the ${kind} that they are bound to`, async () => {
      const account = `of-${kind.toLowerCase()}`;
      await makeAccount(server, account);
      await make(server, path, { kind, ...object });
      const token = await issue(server, account, { boundObjectRef: { apiVersion: 'v1', kind, name: 'x' } });
      assert.equal(await use(server, token), 201);
      await askAs(asker(server), `DELETE ${path}/x`);
      assert.equal(await use(server, token), 401);
    });
  }

  it('last while a Secret holds them, where they are those of Secrets, and are told of when they are used', async () => {
    await makeAccount(server, 's');
    const secrets = '/api/v1/namespaces/default/secrets';
    const annotations = { 'orch.io/service-account.name': 's' };
    const type = 'orch.io/service-account-token';
    await make(server, secrets, { kind: 'Secret', metadata: { name: 's', annotations }, type });
    const watched = `${secrets}?watch=true&fieldSelector=metadata.name%3Ds`;
    const data = (secret: ApiObject): Record<string, string> =>
      (secret['data'] ?? {}) as Record<string, string>;
    const filled = await waitAs(asker(server), watched, (secret) => data(secret)['token'] !== undefined);
    const token = Buffer.from(data(filled)['token'] ?? '', 'base64').toString();
    assert.equal(await use(server, token), 201);
    const label = 'orch.io/legacy-token-last-used';
    await waitAs(asker(server), watched, ({ metadata }) => metadata.labels?.[label] !== undefined);
    await askAs(asker(server), `DELETE ${secrets}/s`);
    assert.equal(await use(server, token), 401);
  });

  it('are not made for what has another uid', async () => {
    await makeAccount(server, 'u');
    const secrets = '/api/v1/namespaces/default/secrets';
    await make(server, secrets, { kind: 'Secret', metadata: { name: 'u' } });
    const boundObjectRef = { apiVersion: 'v1', kind: 'Secret', name: 'u', uid: 'other' };
    const asked = { ...REQUEST, spec: { boundObjectRef } };
    const { status, object } = await askAs(asker(server), `POST ${ACCOUNTS}/u/token`, asked);
    assert.deepEqual([status, object['reason']], [409, 'Conflict']);
  });

  it('are told of as wrong without a reason, whatever is wrong with them', async () => {
    await makeAccount(server, 'w');
    const token = await issue(server, 'w', { audiences: ['others'] });
    for (const wrong of [token, 'x', `${token}x`, 'a.b.c']) assert.equal(await use(server, wrong), 401);
  });
});

describe('keys of service-account tokens', function () {
  this.timeout(60_000);

  it('are kept over a restart, and verify after others have come to sign', async () => {
    let server = await startProcess();
    const { directory } = server;
    await makeAccount(server, 'a');
    const first = await issue(server, 'a');
    await server.kill();

    const old = join(directory, 'pki/sa.key');
    const next = join(directory, 'next.key');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(next, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    server = await startProcess({ directory });
    assert.equal(await use(server, first), 201);
    await server.kill();

    const signing = `--service-account-signing-key-file=${next}`;
    server = await startProcess({ directory, args: [signing, `--service-account-key-file=${old}`] });
    const second = await issue(server, 'a');
    assert.deepEqual([await use(server, first), await use(server, second)], [201, 201]);
    const { object } = await askAs(asker(server), 'GET /openid/v1/jwks');
    assert.equal((object as unknown as { keys: object[] }).keys.length, 2);
    await server.kill();

    server = await startProcess({ directory, args: [signing] });
    assert.deepEqual([await use(server, first), await use(server, second)], [401, 201]);
    await server.kill();
    rmSync(directory, { recursive: true, force: true });
  });
});
