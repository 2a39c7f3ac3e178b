import assert from 'node:assert/strict';
import { notFoundError } from '../../../src/errors/status-errors.ts';
import type { ApiObject } from '../../../src/meta/object.ts';
import {
  tokenRequest,
  type TokenRequests,
  type WantedToken,
} from '../../../src/registry/serviceaccount/token-request.ts';

const OBJECTS: Readonly<Record<string, object>> = {
  'nodes//w': { metadata: { uid: 'wu' } },
  'pods/n/lost': { metadata: { uid: 'lu' }, spec: { serviceAccountName: 'a', nodeName: 'gone' } },
  'pods/n/other': { metadata: { uid: 'ou' }, spec: { serviceAccountName: 'b' } },
  'pods/n/p': { metadata: { uid: 'pu' }, spec: { serviceAccountName: 'a', nodeName: 'w' } },
  'secrets/n/s': { metadata: { uid: 'su' } },
};

/** What a request with this spec comes to. */
async function ask(spec: object, flags: Partial<TokenRequests> = {}) {
  const issued: WantedToken[] = [];
  const warnings: string[] = [];
  const answer = tokenRequest({
    issue: (token) => `token ${issued.push(token)}`,
    ...{ audiences: ['api', 'old'], maxSeconds: 0, extend: true, bindsNodes: true },
    ...flags,
  });
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {} };
  const answered = await answer(
    { ...request, spec: { expirationSeconds: 3600, ...spec } },
    {
      ...{ namespace: 'n', name: 'a', now: 1_000_000 },
      user: { name: 'u', uid: '', groups: [], extra: {} },
      parent: () => Promise.resolve({ metadata: { uid: 'au' } } as ApiObject),
      read(resource, { namespace, name }) {
        const object = OBJECTS[`${resource}/${namespace}/${name}`];
        if (object === undefined) return Promise.reject(notFoundError({ group: '', resource }, name));
        return Promise.resolve(object as ApiObject);
      },
      admit: () => Promise.resolve(),
      warn: (text) => warnings.push(text),
      dryRun: false,
      ...{ list: unused, change: unused, remove: unused },
    },
  );
  assert.ok('kind' in answered);
  const [token] = issued;
  assert.ok(token);
  return { token, warnings, spec: answered['spec'] as object, status: answered['status'] as object };
}

const unused = (): Promise<never> => Promise.reject(new Error('tokens need nothing of it'));

const to = (kind: string, name: string, more: object = {}): object => ({
  boundObjectRef: { apiVersion: 'v1', kind, name, ...more },
});
const POD_TOKEN = { expirationSeconds: 3607, ...to('Pod', 'p') };
const YEAR = 31_536_000;

describe('requests for tokens', () => {
  it('come to a token for this server and an hour, unless they say otherwise', async () => {
    const { token, status } = await ask({});
    assert.deepEqual(token, {
      ...{ namespace: 'n', account: { name: 'a', uid: 'au' }, audiences: ['api', 'old'] },
      ...{ issuedAt: 1000, expiresAfter: 3600 },
    });
    assert.deepEqual(status, { token: 'token 1', expirationTimestamp: '1970-01-01T01:16:40Z' });
  });

  for (const [name, spec, binding] of [
    ['a Secret', to('Secret', 's'), { secret: { name: 's', uid: 'su' } }],
    ['a Node', to('Node', 'w'), { node: { name: 'w', uid: 'wu' } }],
    [
      'a Pod and where it runs',
      to('Pod', 'p'),
      { pod: { name: 'p', uid: 'pu' }, node: { name: 'w', uid: 'wu' } },
    ],
    [
      'a Pod on a node that is gone',
      to('Pod', 'lost'),
      { pod: { name: 'lost', uid: 'lu' }, node: { name: 'gone', uid: '' } },
    ],
  ] as const) {
    it(`bind the token to ${name}`, async () => {
      const { pod, secret, node } = (await ask(spec)).token;
      assert.deepEqual(JSON.parse(JSON.stringify({ pod, secret, node })), binding);
    });
  }

  for (const [name, spec, flags, code] of [
    ['for less than 10 minutes', { expirationSeconds: 599 }, {}, 422],
    ['for longer than 2^32 seconds', { expirationSeconds: 2 ** 32 + 1 }, {}, 422],
    ['for a Pod of another account', to('Pod', 'other'), {}, 400],
    ['for a Pod that is not there', to('Pod', 'absent'), {}, 404],
    ['for an object with another uid', to('Secret', 's', { uid: 'x' }), {}, 409],
    ['for another kind', to('ConfigMap', 's'), {}, 400],
    ['for a kind of another group', to('Pod', 'p', { apiVersion: 'apps/v1' }), {}, 400],
    ['for a kind that is no kind', to('constructor', 's'), {}, 400],
    ['for a Node where tokens are not bound to nodes', to('Node', 'w'), { bindsNodes: false }, 400],
  ] as const) {
    it(`are refused ${name}`, () => assert.rejects(ask(spec, flags), { code }));
  }

  it('come to a year for what pods ask for, which is told of after the hour', async () => {
    const { token, spec, status } = await ask(POD_TOKEN);
    assert.deepEqual([token.expiresAfter, token.warnAfter], [YEAR, 3607]);
    assert.equal((spec as { expirationSeconds: number }).expirationSeconds, 3607);
    assert.equal((status as { expirationTimestamp: string }).expirationTimestamp, '1970-01-01T01:16:47Z');
  });

  for (const [name, spec, flags] of [
    ['without a Pod', { expirationSeconds: 3607 }, {}],
    ['for another time', { ...POD_TOKEN, expirationSeconds: 3608 }, {}],
    ['for another audience', { ...POD_TOKEN, audiences: ['api', 'x'] }, {}],
    ['where that is switched off', POD_TOKEN, { extend: false }],
  ] as const) {
    it(`come to no more than was asked ${name}`, async () => {
      const { token } = await ask(spec, flags);
      assert.equal(token.expiresAfter, spec.expirationSeconds);
      assert.equal(token.warnAfter, undefined);
    });
  }

  it('are shortened to the longest life of a token, with a warning', async () => {
    const { token, warnings, spec } = await ask({ expirationSeconds: 7200 }, { maxSeconds: 3600 });
    assert.equal(token.expiresAfter, 3600);
    assert.equal((spec as { expirationSeconds: number }).expirationSeconds, 3600);
    assert.deepEqual(warnings, ['requested expiration of 7200 seconds shortened to 3600 seconds']);
  });
});
