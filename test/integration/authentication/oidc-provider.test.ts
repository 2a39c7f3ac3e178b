import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeProtectedHeader, exportJWK, type JWK } from 'jose';
import type { Clock } from '../../../src/lib/clock.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { startControlPlane, type TestControlPlane } from '../../../src/testing/index.ts';
import { startProvider, type RunningProvider } from '../../support/oidc-provider.ts';
import { makeKey } from '../../support/test-issuer.ts';
import { whoAmI, type KnownUser } from '../../support/who-am-i.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A certified OpenID provider (the package oidc-provider), whose people log in by the authorization code flow. */
describe('people of an OpenID provider', function () {
  this.timeout(60_000);
  let folder: string;
  let keys: Record<'old' | 'new', JWK>;
  let provider: RunningProvider;
  let planes: Record<'flags' | 'file', TestControlPlane>;
  let ahead = 0;
  const clock: Clock = {
    ...systemClock,
    now: () => Date.now() + ahead,
    monotonic: () => performance.now() + ahead,
  };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'orch-provider-'));
    keys = { old: await privateKey('old'), new: await privateKey('new') };
    provider = await startProvider([keys.old], {
      jane: ['dev', 'qa'],
      crowd: Array.from({ length: 10_000 }, (_, n) => `team-${n}`),
    });
    writeFileSync(join(folder, 'ca.crt'), provider.authority);
    writeFileSync(join(folder, 'file.yaml'), configuration(provider));
    const start = (flags: readonly string[]): Promise<TestControlPlane> =>
      startControlPlane({ flags, clock, controllers: [] });
    const flags = [
      ...[`--oidc-issuer-url=${provider.issuer}`, '--oidc-client-id=orch', `--oidc-ca-file=${folder}/ca.crt`],
      ...['--oidc-groups-claim=groups', '--oidc-username-prefix=-'],
    ];
    planes = {
      flags: await start(flags),
      file: await start([`--authentication-config=${folder}/file.yaml`]),
    };
  });
  beforeEach(() => {
    provider.useKeys([keys.old]);
    provider.hang(false);
  });
  after(async () => {
    await Promise.all(Object.values(planes).map((plane) => plane.stop()));
    await provider[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The user's name, or the status of a refusal, by each way of configuring. */
  async function known(token: string): Promise<readonly (string | number)[]> {
    const users = await Promise.all(Object.values(planes).map(({ url }) => whoAmI(url, { token })));
    return users.map((user) => (typeof user === 'number' ? user : user.username));
  }

  const LET_IN = ['jane', 'company:jane'];
  const REFUSED = [401, 401];

  it('are known by their ID tokens, with their groups', async () => {
    const token = await provider.login('jane');
    assert.deepEqual(await known(token), LET_IN);
    const { groups } = (await whoAmI(planes.file.url, { token })) as KnownUser;
    assert.deepEqual(groups, ['dev', 'qa', 'system:authenticated']);
  });

  it('may be in 10,000 groups, as whoever reviews their token is told; headers have no room for it', async () => {
    const token = await provider.login('crowd');
    const started = performance.now();
    const { status } = await planes.flags.client.json<{ status: { user: KnownUser } }>({
      method: 'POST',
      path: '/apis/authentication.orch.io/v1/tokenreviews',
      body: { spec: { token } },
    });
    assert.equal(status.user.groups.length, 10_001);
    assert.ok(performance.now() - started < 3000);
    await assert.rejects(known(token), /REFUSED_STREAM/);
    assert.deepEqual(await known(await provider.login('jane')), LET_IN);
  });

  it('are refused with what was given to another client', async () => {
    assert.deepEqual(await known(await provider.login('jane', 'other')), REFUSED);
  });

  it('are refused with tokens of another provider, even where it has the same keys', async () => {
    await using other = await startProvider([keys.old]);
    assert.deepEqual(await known(await other.login('jane')), REFUSED);
    assert.equal(other.keySets(), 0, 'what a token says of its issuer makes nobody ask there');
  });

  it('are let in while the provider changes its keys, and no more by the key that it gave up', async () => {
    const before = await provider.login('jane');
    assert.deepEqual(await known(before), LET_IN);
    provider.useKeys([keys.new, keys.old]);
    ahead += MINUTE;
    const asked = provider.keySets();
    const after = await provider.login('jane');
    assert.equal(decodeProtectedHeader(after).kid, 'new');
    assert.deepEqual(await known(after), LET_IN);
    assert.equal(provider.keySets(), asked + 2, 'each asked once');
    assert.deepEqual(await known(before), LET_IN);
    provider.useKeys([keys.new]);
    await refetched(after);
    assert.deepEqual(await known(before), REFUSED);
    assert.deepEqual(await known(after), LET_IN);
  });

  it('are known as long as the provider can not be reached, for an hour', async () => {
    await refetched(await provider.login('jane'));
    const token = await provider.login('jane');
    provider.hang(true);
    ahead += 10 * MINUTE;
    const started = performance.now();
    assert.deepEqual(await known(token), LET_IN);
    assert.ok(performance.now() - started < 5000, 'nobody waits for the provider');
  });

  it('are let in until their tokens expire, and not a second longer', async () => {
    const token = await provider.login('jane');
    ahead = HOUR - MINUTE;
    assert.deepEqual(await known(token), LET_IN);
    ahead += MINUTE;
    assert.deepEqual(await known(token), REFUSED);
  });

  /** Uses a token when the keys that are known are old, until both have got new ones. */
  async function refetched(token: string): Promise<void> {
    ahead += 6 * MINUTE;
    const asked = provider.keySets();
    await known(token);
    while (provider.keySets() < asked + 2) await new Promise((resolve) => setTimeout(resolve, 20));
    // What was known for a few seconds is forgotten.
    ahead += MINUTE;
  }
});

async function privateKey(kid: string): Promise<JWK> {
  const { privateKey } = await makeKey(kid);
  return { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' };
}

function configuration({ issuer, authority }: RunningProvider): string {
  return JSON.stringify({
    apiVersion: 'apiserver.config.orch.io/v1beta1',
    kind: 'AuthenticationConfiguration',
    jwt: [
      {
        issuer: {
          url: issuer,
          audiences: ['orch', 'else'],
          audienceMatchPolicy: 'MatchAny',
          certificateAuthority: authority,
        },
        claimMappings: {
          username: { expression: '"company:" + claims.sub' },
          groups: { claim: 'groups', prefix: '' },
        },
      },
    ],
  });
}
