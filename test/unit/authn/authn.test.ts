import assert from 'node:assert/strict';
import type { TLSSocket } from 'node:tls';
import {
  ANONYMOUS,
  authenticateUnion,
  bearerToken,
  type Authenticator,
  type Credentials,
} from '../../../src/authn/authenticator.ts';
import { tokenFile } from '../../../src/authn/token-file.ts';
import { bearerTokens, forAudiences, tokenUnion, type TokenAuthenticator } from '../../../src/authn/token.ts';

/** No method under test looks at what the connection is, only which. */
const socket = {} as TLSSocket;
const without: Credentials = { authorization: undefined, socket, rawHeaders: [], path: '/' };
const withToken = (token: string): Credentials => ({ ...without, authorization: `Bearer ${token}` });
/** The tokens of a file, as requests show them. */
const fromFile = (text: string): Authenticator => bearerTokens(forAudiences(['us'], tokenFile(text)), ['us']);

describe('token file', () => {
  const cases = [
    { name: 'three columns', line: 't,jane,7', groups: [] },
    { name: 'groups as one quoted column', line: 't,jane,7,"dev,ops"', groups: ['dev', 'ops'] },
    { name: 'groups as further columns', line: 't,jane,7,dev,ops', groups: ['dev', 'ops'] },
    { name: 'spaces and empty lines around', line: '\n t , jane ,7, "dev, ops"\n\n', groups: ['dev', 'ops'] },
  ];
  for (const { name, line, groups } of cases) {
    it(`reads ${name}`, async () => {
      const user = await fromFile(line)(withToken('t'));
      assert.deepEqual(user, {
        name: 'jane',
        uid: '7',
        groups: [...groups, 'system:authenticated'],
        extra: {},
      });
    });
  }

  for (const [name, text, message] of [
    ['fewer than three columns', 'a,jane,1\nb,joe', /row 2: want token/],
    ['an empty token', ',jane,1', /row 1: the token is empty/],
    ['a token given twice', 'a,jane,1\na,joe,2', /row 2: the token occurs a second time/],
  ] as const) {
    it(`refuses ${name}`, () => assert.throws(() => tokenFile(text), message));
  }

  it('takes the scheme in any case and knows no other token', async () => {
    const authenticate = fromFile('t,jane,7');
    assert.equal((await authenticate({ ...without, authorization: 'bEaReR t' }))?.name, 'jane');
    assert.equal(await authenticate(withToken('T')), undefined);
    assert.equal(await authenticate({ ...without, authorization: 'Basic t' }), undefined);
    assert.equal(await authenticate(without), undefined);
  });

  it('goes by what a request shows, whatever its connection and others have shown before', async () => {
    const authenticate = fromFile('j,jane,7\no,joe,8');
    const ask = async (token: string, on: TLSSocket): Promise<string | undefined> =>
      (await authenticate({ ...withToken(token), socket: on }))?.name;
    const other = {} as TLSSocket;
    for (const [token, on, name] of [
      ['j', socket, 'jane'],
      ['j', socket, 'jane'],
      ['o', socket, 'joe'],
      ['j', other, 'jane'],
      ['x', socket, undefined],
      ['x', socket, undefined],
      ['j', socket, 'jane'],
    ] as const) {
      assert.equal(await ask(token, on), name, token);
    }
    assert.equal(await authenticate(without), undefined);
  });
});

describe('bearer tokens', () => {
  for (const [authorization, token] of [
    ['Bearer t', 't'],
    ['bEARER t', 't'],
    [' Bearer t ', 't'],
    ['Bearer t more words', 't more words'],
    ['Bearer  t', undefined],
    ['Bearer ', undefined],
    ['Bearer', undefined],
    ['Bearert', undefined],
    ['Basic t', undefined],
    [undefined, undefined],
  ] as const) {
    it(`${JSON.stringify(authorization)} is ${token ?? 'none'}`, () => {
      assert.equal(bearerToken({ ...without, authorization }), token);
    });
  }
});

describe('union of authenticators', () => {
  const jane = fromFile('j,jane,1');
  const joe = fromFile('o,joe,2');
  const broken = (): Promise<undefined> => Promise.reject(new Error('broken'));

  it('takes the first method that knows the user', async () => {
    const authenticate = authenticateUnion({ methods: [broken, jane, joe], anonymous: false });
    assert.equal((await authenticate(withToken('o'))).name, 'joe');
  });

  it('makes a request without credentials anonymous, if that is allowed', async () => {
    assert.equal(await authenticateUnion({ methods: [jane], anonymous: true })(without), ANONYMOUS);
    await assert.rejects(authenticateUnion({ methods: [jane], anonymous: false })(without), { code: 401 });
  });

  it('refuses a wrong credential even where anonymous requests are allowed, and says why only to the log', async () => {
    const reasons: unknown[] = [];
    const options = { anonymous: true, onRefusal: (reason: unknown) => reasons.push(reason) };
    await assert.rejects(authenticateUnion({ ...options, methods: [jane] })(withToken('x')), { code: 401 });
    await assert.rejects(authenticateUnion({ ...options, methods: [broken] })(without), {
      code: 401,
      message: 'Unauthorized',
    });
    assert.equal(reasons.length, 1);
  });
});

describe('union of token authenticators', () => {
  const jane = { name: 'jane', uid: '', groups: [], extra: {} };
  const knows = (own: string, audience: string): TokenAuthenticator =>
    forAudiences([audience], (token) => Promise.resolve(token === own ? { user: jane } : undefined));
  const broken = (reason: string): TokenAuthenticator => {
    return () => Promise.reject(new Error(reason));
  };

  it('takes the first method that knows the token, whatever others have against it', async () => {
    const authenticate = tokenUnion([broken('expired'), knows('x', 'us'), knows('t', 'us')]);
    assert.deepEqual(await authenticate('t', ['them', 'us']), { user: jane, audiences: ['us'] });
  });

  it('gives all reasons where every method refuses, and none where no method knows the token', async () => {
    await assert.rejects(tokenUnion([broken('expired')])('t', ['us']), { message: 'expired' });
    await assert.rejects(
      tokenUnion([broken('expired'), broken('of another'), knows('x', 'us')])('t', ['us']),
      {
        message: '[expired, of another]',
      },
    );
    assert.equal(await tokenUnion([knows('x', 'us')])('t', ['us']), undefined);
  });

  it('does not take a token for an audience that its method is not for', async () => {
    assert.equal(await knows('t', 'us')('t', ['them']), undefined);
  });

  it('asks again on the same connection unless the answer lasts', async () => {
    const users = [jane, { ...jane, name: 'joe' }];
    const authenticate = bearerTokens(
      forAudiences(['us'], () => Promise.resolve({ user: users.shift() ?? jane })),
      ['us'],
    );
    assert.equal((await authenticate(withToken('t')))?.name, 'jane');
    assert.equal((await authenticate(withToken('t')))?.name, 'joe');
  });
});
