import assert from 'node:assert/strict';
import { bootstrapTokens } from '../../../src/authn/bootstrap-token/authenticator.ts';
import type { ApiObject } from '../../../src/meta/object.ts';

const NOW = Date.parse('2026-11-20T18:57:21Z');
const TYPE = 'bootstrap.orch.io/token';
const TOKEN = 'abcdef.0123456789abcdef';

interface SecretFields {
  readonly type?: string;
  readonly deletionTimestamp?: string;
  readonly data?: Record<string, string>;
}

function secret({ type = TYPE, deletionTimestamp, data = {} }: SecretFields = {}): ApiObject {
  const all: Record<string, string> = {
    'token-id': 'abcdef',
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-authentication': 'true',
    ...data,
  };
  const encoded = Object.entries(all).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'bootstrap-token-abcdef',
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    },
    type,
    data: Object.fromEntries(encoded) as Record<string, string>,
  };
}

describe('a bootstrap token', () => {
  /** Asks with a token where one Secret is kept. @returns the groups and the name, or undefined */
  async function ask(token: string, kept: ApiObject): Promise<readonly string[] | undefined> {
    const authenticate = bootstrapTokens({
      getSecret: (name) => Promise.resolve(name === 'bootstrap-token-abcdef' ? kept : undefined),
      secretType: TYPE,
      now: () => NOW,
    });
    const known = await authenticate(token);
    return known === undefined ? undefined : [known.user.name, ...known.user.groups];
  }

  it('is a user of its own among all bootstrap tokens', async () => {
    assert.deepEqual(await ask(TOKEN, secret()), [
      'system:bootstrap:abcdef',
      'system:bootstrappers',
      'system:authenticated',
    ]);
  });

  it('gives further groups, each once, in order', async () => {
    const groups = 'system:bootstrappers:b,system:bootstrappers:a:x,system:bootstrappers:b';
    assert.deepEqual(await ask(TOKEN, secret({ data: { 'auth-extra-groups': groups } })), [
      'system:bootstrap:abcdef',
      'system:bootstrappers',
      'system:bootstrappers:a:x',
      'system:bootstrappers:b',
      'system:authenticated',
    ]);
  });

  it('is good until its end, whatever the zone it is written in', async () => {
    for (const expiration of ['2026-11-20T18:57:22Z', '2026-11-20T19:57:22.5+01:00']) {
      assert.ok(await ask(TOKEN, secret({ data: { expiration } })));
    }
  });

  const unknown: readonly (readonly [string, string, SecretFields])[] = [
    ['another secret', 'abcdef.0123456789abcdeg', {}],
    ['another id', 'abcdeg.0123456789abcdef', {}],
    ['capitals', 'ABCDEF.0123456789abcdef', {}],
    ['a line end', `${TOKEN}\n`, {}],
    ['more text', `${TOKEN}.x`, {}],
    ['100 KB', 'a'.repeat(100_000), {}],
    ['a Secret of another type', TOKEN, { type: 'Opaque' }],
    ['a Secret without a secret', TOKEN, { data: { 'token-secret': '' } }],
  ];
  for (const [what, token, fields] of unknown) {
    it(`is nobody with ${what}`, async () => assert.equal(await ask(token, secret(fields)), undefined));
  }

  const refused: readonly (readonly [string, SecretFields, RegExp])[] = [
    ['it has expired', { data: { expiration: '2026-11-20T18:57:21Z' } }, /has expired/],
    ['its end can not be read', { data: { expiration: 'tomorrow' } }, /has expired/],
    ['its Secret is going', { deletionTimestamp: '2026-11-20T18:57:00Z' }, /is being deleted/],
    ['its Secret names another id', { data: { 'token-id': 'ghijkl' } }, /names another id/],
    ['it is for something else', { data: { 'usage-bootstrap-authentication': 'True' } }, /may not be used/],
    ['it gives a group outside', { data: { 'auth-extra-groups': 'system:masters' } }, /names a group/],
    ['it gives the prefix itself', { data: { 'auth-extra-groups': 'system:bootstrappers:' } }, /a group/],
    [
      'it gives a group with a line end',
      { data: { 'auth-extra-groups': 'system:bootstrappers:a\n' } },
      /names a group/,
    ],
    ['it gives an empty group', { data: { 'auth-extra-groups': 'system:bootstrappers:a,' } }, /a group/],
  ];
  for (const [when, fields, message] of refused) {
    it(`is refused when ${when}, without telling its secret`, async () => {
      await assert.rejects(
        () => ask(TOKEN, secret(fields)),
        (error: Error) => message.test(error.message) && !error.message.includes('0123456789abcdef'),
      );
    });
  }
});
