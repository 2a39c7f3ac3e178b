import assert from 'node:assert/strict';
import * as jose from 'jose';
import { jwtAuthenticator, type JwtAuthenticator } from '../../../../src/authn/oidc/authenticator.ts';
import { compileIssuers } from '../../../../src/authn/oidc/compile.ts';
import { readAuthenticationConfiguration } from '../../../../src/authn/oidc/configuration.ts';
import { loadNames } from '../../../../src/names/load.ts';
import { loadExpressions, type ExpressionCompiler } from '../../../../src/schema/expressions/compile.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { makeKey, sign, TestIssuer, type TestKey } from '../../../support/test-issuer.ts';

const URL = 'https://issuer.example.com';
const NOW = 1_700_000_000;
const ALGORITHMS = ['RS256', 'ES256'];
const names = loadNames({ profile: 'kubernetes' });

type Part = Record<string, unknown>;

describe('tokens of OpenID Connect', () => {
  let compiler: ExpressionCompiler;
  let key: TestKey;
  let other: TestKey;
  before(async () => {
    compiler = await loadExpressions();
    [key, other] = await Promise.all([makeKey('one'), makeKey('two', 'ES256')]);
  });

  function claims(more: Part = {}): Part {
    return { iss: URL, aud: 'orch', sub: 'jane', exp: NOW + 600, ...more };
  }

  function setUp(change: Part = {}, issuer = new TestIssuer(URL, [key])) {
    const clock = new ManualClock(NOW * 1000);
    const failures: unknown[] = [];
    const jwt = {
      issuer: { url: URL, audiences: ['orch', 'other'], audienceMatchPolicy: 'MatchAny' },
      claimMappings: { username: { claim: 'sub', prefix: 'oidc:' } },
      ...change,
    };
    const document = {
      apiVersion: 'apiserver.config.k8s.io/v1beta1',
      kind: 'AuthenticationConfiguration',
      jwt: [jwt],
    };
    const { jwt: configurations } = readAuthenticationConfiguration(JSON.stringify(document), names);
    const { compiled, errors } = compileIssuers(configurations, {
      ...{ compiler, disallowedIssuers: [], reservedDomains: [] },
    });
    assert.deepEqual(errors, []);
    const authenticator = jwtAuthenticator(compiled, {
      ...{ jose, clock, algorithms: ALGORITHMS, credentialKey: 'credential-id' },
      fetchFor: () => issuer.fetch,
      onFailure: (_url, error) => failures.push(error),
    });
    return { authenticator, issuer, clock, failures };
  }

  const user = (authenticator: JwtAuthenticator, token: string) =>
    authenticator.authenticate(token).then((known) => known?.user);

  it('name a user, in the group of all who are authenticated', async () => {
    const { authenticator } = setUp();
    assert.deepEqual(await authenticator.authenticate(await sign(key, claims({ jti: 'id-1' }))), {
      user: {
        ...{ name: 'oidc:jane', uid: '', groups: ['system:authenticated'] },
        extra: { 'credential-id': ['JTI=id-1'] },
      },
      expires: (NOW + 600) * 1000,
    });
  });

  it('of other issuers, and what is no token, are not theirs', async () => {
    const { authenticator, issuer } = setUp();
    const foreign = await sign(key, claims({ iss: `${URL}/` }));
    for (const token of [
      foreign,
      '',
      'a',
      'a.b.c',
      'a.b.c.d',
      '..',
      `.${Buffer.from('null').toString('base64url')}.`,
    ]) {
      assert.equal(await authenticator.authenticate(token), undefined);
    }
    assert.deepEqual(issuer.asked, []);
  });

  const accepted: readonly (readonly [string, Part, Part, Part])[] = [
    ['one of several audiences', {}, { aud: ['x', 'other'] }, { name: 'oidc:jane' }],
    ['a clock that is a little ahead', {}, { nbf: NOW + 50 }, { name: 'oidc:jane' }],
    [
      'groups of a claim',
      { claimMappings: { username: { claim: 'sub', prefix: '' }, groups: { claim: 'g', prefix: 'p:' } } },
      { g: ['a', 'b'] },
      { name: 'jane', groups: ['p:a', 'p:b', 'system:authenticated'] },
    ],
    [
      'one group as a text',
      { claimMappings: { username: { claim: 'sub', prefix: '' }, groups: { claim: 'g', prefix: '' } } },
      { g: 'a' },
      { groups: ['a', 'system:authenticated'] },
    ],
    [
      'a claim without groups',
      { claimMappings: { username: { claim: 'sub', prefix: '' }, groups: { claim: 'g', prefix: '' } } },
      { g: null },
      { groups: ['system:authenticated'] },
    ],
    [
      'a uid of a claim',
      { claimMappings: { username: { claim: 'sub', prefix: '' }, uid: { claim: 'id' } } },
      { id: 'u-1' },
      { uid: 'u-1' },
    ],
    [
      'a verified email',
      { claimMappings: { username: { claim: 'email', prefix: '' } } },
      { email: 'jane@example.com', email_verified: true },
      { name: 'jane@example.com' },
    ],
    [
      'mappings by expressions',
      {
        claimMappings: {
          username: { expression: "'id:' + claims.sub" },
          groups: { expression: 'claims.roles.map(r, "role-" + r) + [""]' },
          uid: { expression: 'string(claims.number)' },
          extra: [
            { key: 'acme.io/team', valueExpression: 'claims.team' },
            { key: 'acme.io/none', valueExpression: 'claims.?none.orValue("")' },
            { key: 'acme.io/null', valueExpression: 'claims.nothing' },
          ],
        },
        claimValidationRules: [{ expression: 'claims.exp - claims.iat <= 3600', message: 'too long' }],
        userValidationRules: [
          {
            expression:
              "!user.username.startsWith('system:') && 'role-x' in user.groups && user.uid == '7' && user.extra['acme.io/team'] == ['blue']",
          },
        ],
      },
      { roles: ['x', 'y'], number: 7, team: 'blue', nothing: null, iat: NOW },
      {
        ...{ name: 'id:jane', uid: '7', groups: ['role-x', 'role-y', 'system:authenticated'] },
        extra: { 'acme.io/team': ['blue'] },
      },
    ],
    [
      'a required claim',
      { claimValidationRules: [{ claim: 'hd', requiredValue: 'acme' }] },
      { hd: 'acme' },
      {},
    ],
  ];
  for (const [name, change, more, expected] of accepted) {
    it(`with ${name} are taken`, async () => {
      const { authenticator } = setUp(change);
      const known = await user(authenticator, await sign(key, claims(more)));
      assert.partialDeepStrictEqual(known, expected);
    });
  }

  const bySub = { username: { claim: 'sub', prefix: '' } };
  const refused: readonly (readonly [string, Part, Part, RegExp])[] = [
    ['expired', {}, { exp: NOW }, /token is expired/],
    ['without an end', {}, { exp: undefined }, /"exp"/],
    ['whose end is a text', {}, { exp: '9999999999' }, /"exp"/],
    ['not yet valid', {}, { nbf: NOW + 120 }, /"nbf"/],
    ['for another audience', {}, { aud: 'elsewhere' }, /"aud"/],
    ['for nobody', {}, { aud: undefined }, /"aud"/],
    ['without a name', {}, { sub: undefined }, /parse username claims "sub": claim not present/],
    ['whose name is a number', {}, { sub: 7 }, /parse username claims "sub": not a text/],
    ['whose name is empty', {}, { sub: '' }, /is empty/],
    [
      'whose name comes from Object',
      { claimMappings: { username: { claim: 'constructor', prefix: '' } } },
      {},
      /claim not present/,
    ],
    [
      'of an email that is not verified',
      { claimMappings: { username: { claim: 'email', prefix: '' } } },
      { email: 'a@b', email_verified: false },
      /email not verified/,
    ],
    [
      'of an email verified by a text',
      { claimMappings: { username: { claim: 'email', prefix: '' } } },
      { email: 'a@b', email_verified: 'true' },
      /email_verified/,
    ],
    [
      'whose groups are numbers',
      { claimMappings: { ...bySub, groups: { claim: 'g', prefix: '' } } },
      { g: [1] },
      /parse groups claim "g"/,
    ],
    [
      'without the uid',
      { claimMappings: { ...bySub, uid: { claim: 'id' } } },
      {},
      /parse uid claim "id": claim not present/,
    ],
    [
      'without a required claim',
      { claimValidationRules: [{ claim: 'hd', requiredValue: 'acme' }] },
      {},
      /required claim hd not present/,
    ],
    [
      'with another value of it',
      { claimValidationRules: [{ claim: 'hd', requiredValue: 'acme' }] },
      { hd: 'evil' },
      /required claim hd value does not match$/,
    ],
    [
      'with a list of values of it',
      { claimValidationRules: [{ claim: 'hd', requiredValue: 'acme' }] },
      { hd: ['acme'] },
      /parse claim hd: not a text/,
    ],
    [
      'against a rule',
      { claimValidationRules: [{ expression: 'claims.sub == "joe"', message: 'only joe' }] },
      {},
      /validation expression 'claims.sub == "joe"' failed: only joe/,
    ],
    [
      'that a rule can not judge',
      { claimValidationRules: [{ expression: 'claims.hd == "joe"' }] },
      {},
      /no such key: hd/,
    ],
    [
      'against a rule of users',
      { userValidationRules: [{ expression: '!user.username.startsWith("oidc:")', message: 'reserved' }] },
      {},
      /failed: reserved/,
    ],
    [
      'that map to no name',
      { claimMappings: { username: { expression: 'claims.nick' } } },
      { nick: '' },
      /empty username via CEL expression is not allowed/,
    ],
    [
      'that map to a number',
      { claimMappings: { username: { expression: 'claims.nick' } } },
      { nick: 7 },
      /username claim expression must return a string/,
    ],
    [
      'whose groups map to numbers',
      { claimMappings: { ...bySub, groups: { expression: 'claims.g' } } },
      { g: [1] },
      /must return a string or a list of strings/,
    ],
  ];
  for (const [name, change, more, message] of refused) {
    it(`${name} are refused`, async () => {
      const { authenticator } = setUp(change);
      const token = await sign(key, claims(more));
      await assert.rejects(authenticator.authenticate(token), (error: Error) => {
        assert.match(error.message, message);
        assert.ok(!error.message.includes(token.split('.')[1] ?? ''));
        return true;
      });
    });
  }

  describe('that are forged', () => {
    const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const forged: readonly (readonly [string, () => string | Promise<string>])[] = [
      ['are unsigned', () => `${part({ alg: 'none' })}.${part(claims())}.`],
      ['are unsigned, in capitals', () => `${part({ alg: 'None', kid: 'one' })}.${part(claims())}.`],
      ['name no algorithm', () => `${part({ kid: 'one' })}.${part(claims())}.AAAA`],
      [
        'are signed by the public key as a secret',
        () =>
          new jose.SignJWT(claims())
            .setProtectedHeader({ alg: 'HS256', kid: 'one' })
            .sign(Buffer.from(JSON.stringify(key.jwk))),
      ],
      ['are signed by another key of the same name', async () => sign(await makeKey('one'), claims())],
      ['use an algorithm that is not allowed', async () => sign(await makeKey('one', 'PS256'), claims())],
      ['bring their own key', async () => sign(await makeKey('x'), claims(), { kid: 'one', jwk: other.jwk })],
      [
        'name a place for keys',
        async () => sign(await makeKey('x'), claims(), { jku: 'https://evil.example.com/keys' }),
      ],
      [
        'say that something is critical',
        () =>
          sign(key, claims(), { crit: ['exp2'], exp2: 1 }).catch(
            () => `${part({ alg: 'RS256', kid: 'one', crit: ['x'], x: 1 })}.${part(claims())}.AAAA`,
          ),
      ],
      [
        'were changed',
        async () => (await sign(key, claims())).replace(/\.[^.]+\./, `.${part(claims({ sub: 'root' }))}.`),
      ],
      ['lost their signature', async () => (await sign(key, claims())).replace(/[^.]+$/, '')],
    ];
    for (const [name, make] of forged) {
      it(`and ${name} are refused`, async () => {
        const { authenticator } = setUp();
        const token = await make();
        await assert.rejects(authenticator.authenticate(token), /^Error: oidc: verify token: /);
      });
    }
  });

  describe('are verified by keys that', () => {
    it('are asked for once, however many tokens come at a time', async () => {
      const { authenticator, issuer } = setUp();
      const token = await sign(key, claims());
      await Promise.all(Array.from({ length: 50 }, () => user(authenticator, token)));
      assert.deepEqual(issuer.asked, [`${URL}/.well-known/openid-configuration`, `${URL}/keys`]);
    });

    it('are asked for where the configuration says', async () => {
      const { authenticator, issuer } = setUp({
        issuer: { url: URL, audiences: ['orch'], discoveryURL: 'https://inside/d' },
      });
      await user(authenticator, await sign(key, claims()));
      assert.deepEqual(issuer.asked, ['https://inside/d', `${URL}/keys`]);
    });

    it('are asked for again when a token names another, but not for every such token', async () => {
      const { authenticator, issuer, clock } = setUp();
      await user(authenticator, await sign(key, claims()));
      issuer.keys = [key, other];
      const rotated = await sign(other, claims());
      await assert.rejects(user(authenticator, rotated), /no applicable key/);
      clock.advance(10_000);
      const many = await Promise.all(Array.from({ length: 20 }, () => user(authenticator, rotated)));
      assert.ok(many.every((one) => one?.name === 'oidc:jane'));
      assert.equal(issuer.asked.length, 4);
      const unknown = await sign(await makeKey('three'), claims());
      for (let time = 0; time < 20; time++) await assert.rejects(user(authenticator, unknown));
      assert.equal(issuer.asked.length, 4);
    });

    it('are taken back by the issuer within minutes', async () => {
      const { authenticator, issuer, clock } = setUp();
      const token = await sign(key, claims({ exp: NOW + 7200 }));
      await user(authenticator, token);
      issuer.keys = [other];
      clock.advance(5 * 60_000);
      await user(authenticator, token);
      await assert.rejects(user(authenticator, token), /no applicable key/);
    });

    it('serve on while the issuer is away, for an hour', async () => {
      const { authenticator, issuer, clock } = setUp();
      const token = await sign(key, claims({ exp: NOW + 7200 }));
      await user(authenticator, token);
      issuer.answer = () => Promise.reject(new Error('away'));
      clock.advance(50 * 60_000);
      assert.ok(await user(authenticator, token));
      clock.advance(10 * 60_000);
      await assert.rejects(user(authenticator, token), /the keys of the issuer can't be had: away/);
    });

    it('have names that several share, or none', async () => {
      const first = await makeKey('same');
      const second = await makeKey('same');
      const { authenticator } = setUp({}, new TestIssuer(URL, [first, second]));
      for (const one of [first, second]) {
        assert.ok(await user(authenticator, await sign(one, claims())));
        assert.ok(await user(authenticator, await sign(one, claims(), { kid: undefined as never })));
      }
      const stranger = await makeKey('same');
      await assert.rejects(
        user(authenticator, await sign(stranger, claims())),
        /signature verification failed/,
      );
    });

    const lies: readonly (readonly [string, (issuer: TestIssuer) => void, RegExp])[] = [
      ['is another', (issuer) => (issuer.named = 'https://evil.example.com'), /issuer did not match/],
      ['is the same but for a slash', (issuer) => (issuer.named = `${URL}/`), /issuer did not match/],
      [
        'answers HTML',
        (issuer) => (issuer.answer = () => Promise.resolve('<html>')),
        /the discovery document is not JSON/,
      ],
      ['answers null', (issuer) => (issuer.answer = () => Promise.resolve('null')), /is no object/],
      [
        'names no keys',
        (issuer) => (issuer.answer = () => Promise.resolve(`{"issuer":"${URL}"}`)),
        /names no jwks_uri/,
      ],
      [
        'has keys that are none',
        (issuer) =>
          (issuer.answer = (url) =>
            url.endsWith('/keys') ? Promise.resolve('{"keys":"x"}') : issuer.document(url)),
        /JSON Web Key Set/,
      ],
    ];
    for (const [name, lie, message] of lies) {
      it(`are not had of an issuer that ${name}`, async () => {
        const { authenticator, issuer, clock, failures } = setUp();
        lie(issuer);
        const token = await sign(key, claims());
        await assert.rejects(user(authenticator, token), message);
        const { length } = issuer.asked;
        await assert.rejects(user(authenticator, token), message);
        assert.equal(issuer.asked.length, length, 'it is not asked again at once');
        assert.equal(failures.length, 1);
        issuer.named = URL;
        issuer.answer = undefined;
        clock.advance(10_000);
        assert.ok(await user(authenticator, token));
      });
    }
  });
});
