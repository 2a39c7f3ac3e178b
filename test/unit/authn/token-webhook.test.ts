import assert from 'node:assert/strict';
import { tokenWebhook } from '../../../src/authn/webhook/authenticator.ts';

const TOKEN = 'a-secret-token';

/** What comes of a token when a webhook answers with this status. */
function asked(status: unknown, wanted: readonly string[] = ['orch']) {
  const reviews: object[] = [];
  const authenticate = tokenWebhook({
    review: (review) => {
      reviews.push(review);
      return Promise.resolve({ status });
    },
    apiVersion: 'authentication.example.com/v1',
    audiences: ['orch', 'api'],
  });
  return { reviews, result: authenticate(TOKEN, wanted) };
}

const user = { username: 'jane', uid: '7', groups: ['dev'], extra: { 'acme.io/team': ['blue'] } };

describe('token webhook', () => {
  it('says whose a token is', async () => {
    const { reviews, result } = asked({ authenticated: true, user });
    assert.deepEqual(await result, {
      user: {
        ...{ name: 'jane', uid: '7', groups: ['dev', 'system:authenticated'] },
        extra: { 'acme.io/team': ['blue'] },
      },
      audiences: ['orch'],
    });
    assert.deepEqual(reviews, [
      {
        apiVersion: 'authentication.example.com/v1',
        kind: 'TokenReview',
        spec: { token: TOKEN, audiences: ['orch'] },
      },
    ]);
  });

  const accepted: readonly (readonly [string, unknown, readonly string[], readonly string[]])[] = [
    ['a name alone', { authenticated: true, user: { username: 'jane' } }, ['orch'], ['orch']],
    ['audiences that it knows', { authenticated: true, user, audiences: ['x', 'y'] }, ['y'], ['y']],
    [
      'no audiences, for those of this server',
      { authenticated: true, user, audiences: [] },
      ['api', 'x'],
      ['api'],
    ],
  ];
  for (const [name, status, wanted, audiences] of accepted) {
    it(`may answer ${name}`, async () => {
      const known = await asked(status, wanted).result;
      assert.equal(known?.user.name, 'jane');
      assert.deepEqual(known?.audiences, audiences);
    });
  }

  const nobody: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['no', { authenticated: false }, ['orch']],
    ['nothing', {}, ['orch']],
    ['no status', undefined, ['orch']],
    ['a status that is a text', 'authenticated', ['orch']],
    ['yes in words', { authenticated: 'true', user }, ['orch']],
    ['yes for others', { authenticated: true, user, audiences: ['elsewhere'] }, ['orch']],
    ['yes without audiences, where others are wanted', { authenticated: true, user }, ['elsewhere']],
  ];
  for (const [name, status, wanted] of nobody) {
    it(`lets nobody in with ${name}`, async () => {
      assert.equal(await asked(status, wanted).result, undefined);
    });
  }

  const wrong: readonly (readonly [string, unknown, RegExp])[] = [
    ['no user', { authenticated: true }, /status\.user\.username/],
    ['an empty name', { authenticated: true, user: { username: '' } }, /status\.user\.username/],
    ['a uid that is a number', { authenticated: true, user: { ...user, uid: 7 } }, /status\.user\.uid/],
    [
      'groups that are a text',
      { authenticated: true, user: { ...user, groups: 'dev' } },
      /status\.user\.groups/,
    ],
    [
      'extra values that are texts',
      { authenticated: true, user: { ...user, extra: { a: 'b' } } },
      /status\.user\.extra/,
    ],
    ['audiences that are numbers', { authenticated: true, user, audiences: [1] }, /status\.audiences/],
    ['a reason', { authenticated: false, error: 'expired' }, /^expired$/],
    ['a reason that holds the token', { error: `no ${TOKEN}` }, /^no <token>$/],
    ['a long reason', { error: 'x'.repeat(10_000) }, /^x{200}$/],
  ];
  for (const [name, status, message] of wrong) {
    it(`is refused with ${name}`, async () => {
      await assert.rejects(asked(status).result, { message });
    });
  }
});
