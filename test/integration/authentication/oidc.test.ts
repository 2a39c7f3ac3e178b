import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startControlPlane, type TestControlPlane } from '../../../src/testing/index.ts';
import { fetchStatus } from '../../support/fetch-status.ts';
import { startIssuer, type HttpsIssuer } from '../../support/https-issuer.ts';
import { makeKey, sign, type TestKey } from '../../support/test-issuer.ts';
import { whoAmI, type KnownUser } from '../../support/who-am-i.ts';

const HEAD = 'apiVersion: apiserver.config.orch.io/v1beta1\nkind: AuthenticationConfiguration\n';

describe('OpenID Connect', function () {
  this.timeout(60_000);
  let folder: string;
  let key: TestKey;
  let provider: HttpsIssuer;
  const planes: TestControlPlane[] = [];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'orch-oidc-'));
    key = await makeKey('one');
    provider = await startIssuer([key]);
    writeFileSync(join(folder, 'ca.crt'), provider.authority);
  });
  afterEach(async () => {
    provider.respond = undefined;
    provider.issuer.keys = [key];
    await Promise.all(planes.splice(0).map((plane) => plane.stop()));
  });
  after(async () => {
    await provider[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(flags: readonly string[], log: string[] = []): Promise<TestControlPlane> {
    const plane = await startControlPlane({ flags, log: (line) => void log.push(line) });
    planes.push(plane);
    return plane;
  }

  function byFlags(...more: readonly string[]): readonly string[] {
    const { url } = provider.issuer;
    return [`--oidc-issuer-url=${url}`, '--oidc-client-id=orch', `--oidc-ca-file=${folder}/ca.crt`, ...more];
  }

  function token(more: Record<string, unknown> = {}, by = key): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    return sign(by, { iss: provider.issuer.url, aud: 'orch', sub: 'jane', exp: now + 600, ...more });
  }

  function configure(name: string, change: (issuer: string) => string = (text) => text): string {
    const path = join(folder, name);
    const { url } = provider.issuer;
    const authority = provider.authority.trim().replaceAll('\n', '\n        ');
    const issuer = [
      'jwt:',
      '  - issuer:',
      `      url: ${url}`,
      '      audiences: [orch]',
      `      certificateAuthority: |\n        ${authority}`,
      '    claimMappings:',
      "      username: { claim: sub, prefix: 'file:' }",
    ].join('\n');
    writeFileSync(path, change(`${HEAD}${issuer}\n`));
    return path;
  }

  it('lets users in whom its tokens name, by flags', async () => {
    const plane = await start(
      byFlags('--oidc-groups-claim=groups', '--oidc-groups-prefix=oidc:', '--oidc-required-claim=hd=a,b'),
    );
    const claims = { groups: ['dev'], hd: 'a,b', jti: 'x' };
    assert.deepEqual(await whoAmI(plane.url, { token: await token(claims) }), {
      username: `${provider.issuer.url}#jane`,
      groups: ['oidc:dev', 'system:authenticated'],
      extra: { 'authentication.orch.io/credential-id': ['JTI=x'] },
    });
    assert.equal(await whoAmI(plane.url, { token: await token({ ...claims, hd: 'a' }) }), 401);
    assert.equal(await whoAmI(plane.url, { token: await token({ ...claims, exp: 1 }) }), 401);
    assert.equal(await whoAmI(plane.url, { token: await token(claims, await makeKey('one')) }), 401);
  });

  it('lets users in as a file says, which may change', async () => {
    const path = configure('changing.yaml');
    const log: string[] = [];
    const plane = await start([`--authentication-config=${path}`], log);
    const name = async (): Promise<string> =>
      ((await whoAmI(plane.url, { token: await token() })) as KnownUser).username;
    assert.equal(await name(), 'file:jane');
    configure('changing.yaml', (text) => text.replace('claim: sub', 'clam: sub'));
    await until(() => log.some((line) => line.includes('the authentication configuration is wrong')));
    assert.equal(await name(), 'file:jane');
    configure('changing.yaml', (text) =>
      text.replace("{ claim: sub, prefix: 'file:' }", '{ expression: "\'new:\' + claims.sub" }'),
    );
    await until(() => log.some((line) => line.includes('reloaded the authentication configuration')));
    assert.equal(await name(), 'new:jane');
    const metrics = await plane.client.text({ path: '/metrics' });
    for (const status of ['success', 'failure']) {
      const pattern = `automatic_reloads_total\\{apiserver_id_hash="sha256:[0-9a-f]+",status="${status}"\\} [1-9]`;
      assert.match(metrics, new RegExp(pattern));
    }
    assert.doesNotMatch(log.join('\n'), /BEGIN CERTIFICATE/);
  });

  it('lets nobody in by a file without issuers, until it has some', async () => {
    const path = configure('empty.yaml', () => HEAD);
    const log: string[] = [];
    const plane = await start([`--authentication-config=${path}`], log);
    assert.equal(await whoAmI(plane.url, { token: await token() }), 401);
    configure('empty.yaml');
    await until(() => log.some((line) => line.includes('reloaded')));
    assert.equal(((await whoAmI(plane.url, { token: await token() })) as KnownUser).username, 'file:jane');
  });

  it('goes on when the issuer changes its keys', async () => {
    const plane = await start(byFlags());
    const next = await makeKey('two');
    assert.notEqual(await whoAmI(plane.url, { token: await token() }), 401);
    provider.issuer.keys = [key, next];
    assert.equal(
      await whoAmI(plane.url, { token: await token({}, next) }),
      401,
      'it is not asked again at once',
    );
    assert.notEqual(await whoAmI(plane.url, { token: await token({ jti: 'other' }) }), 401);
  });

  const misbehaving: readonly (readonly [string, NonNullable<HttpsIssuer['respond']>])[] = [
    ['answers garbage', (_url, answer) => void answer.end('<html>')],
    ['redirects', (_url, answer) => void answer.writeHead(302, { location: '/elsewhere' }).end()],
    ['sends 100 MB', (_url, answer) => sendMuch(answer, 100)],
    ['closes the connection', (_url, answer) => void answer.destroy()],
    ['hangs in the middle', (_url, answer) => void answer.write('{"issuer":')],
  ];
  for (const [name, respond] of misbehaving) {
    it(`harms nobody else when the issuer ${name}`, async () => {
      provider.respond = respond;
      const log: string[] = [];
      const plane = await start(byFlags(), log);
      const waiting = whoAmI(plane.url, { token: await token() });
      const started = performance.now();
      await plane.client.json({ path: '/api/v1/namespaces/default' });
      assert.ok(performance.now() - started < 3000);
      assert.equal(await waiting, 401);
      assert.ok(log.some((line) => line.includes('the keys of an issuer can not be had')));
    });
  }

  const refused: readonly (readonly [string, () => readonly string[], RegExp])[] = [
    [
      'a file and flags',
      () => [`--authentication-config=${configure('a.yaml')}`, ...byFlags()],
      /--authentication-config can't be given with --oidc-/,
    ],
    [
      'an issuer without TLS',
      () => ['--oidc-issuer-url=http://issuer', '--oidc-client-id=orch'],
      /--oidc-issuer-url can't be/,
    ],
    [
      'an issuer without client id',
      () => ['--oidc-issuer-url=https://issuer'],
      /--oidc-issuer-url needs --oidc-client-id/,
    ],
    ['an authority that is missing', () => [...byFlags(), `--oidc-ca-file=${folder}/none`], /--oidc-ca-file/],
    [
      'a file that is missing',
      () => [`--authentication-config=${folder}/none`],
      /--authentication-config: .*none/,
    ],
    [
      'half of a file',
      () => [`--authentication-config=${configure('half.yaml', (text) => text.slice(0, 200))}`],
      /--authentication-config/,
    ],
    [
      'a file that is wrong',
      () => [`--authentication-config=${configure('wrong.yaml', (text) => text.replace('[orch]', '[]'))}`],
      /--authentication-config/,
    ],
    [
      'a file and a flag about anonymous requests',
      () => [
        `--authentication-config=${configure('anon.yaml', () => `${HEAD}anonymous: {enabled: true}`)}`,
        '--anonymous-auth=true',
      ],
      /--authentication-config/,
    ],
  ];
  for (const [name, flags, message] of refused) {
    it(`does not start with ${name}`, async () => {
      await assert.rejects(start(flags()), (error: Error) => {
        assert.match(`${error.message} ${(error.cause as Error | undefined)?.message ?? ''}`, message);
        return true;
      });
    });
  }

  it('says which paths need no credentials', async () => {
    const conditions = '{enabled: true, conditions: [{path: /healthz}]}';
    const path = configure('paths.yaml', (text) => `${text}anonymous: ${conditions}\n`);
    const plane = await start([`--authentication-config=${path}`]);
    const status = (path: string): Promise<number> => fetchStatus(`${plane.url}${path}`);
    assert.equal(await status('/healthz'), 200);
    assert.equal(await status('/healthz?verbose'), 200);
    for (const other of ['/livez', '/healthz/', '//healthz', '/healthz/../livez', '/Healthz', '/api']) {
      assert.equal(await status(other), 401, other);
    }
  });
});

function sendMuch(answer: ServerResponse, megabytes: number): void {
  const chunk = Buffer.alloc(1 << 20, 0x20);
  const send = (left: number): void => {
    if (left > 0) answer.write(chunk, (error) => (error ? undefined : send(left - 1)));
    else answer.end();
  };
  send(megabytes);
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
