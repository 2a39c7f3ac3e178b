import assert from 'node:assert/strict';
import { authorizeUnion, type AuthorizationRequest, type Authorizer } from '../../../src/authz/authorizer.ts';
import { alwaysAllow, alwaysDeny, masters } from '../../../src/authz/built-in.ts';
import { accessDenied } from '../../../src/authz/forbidden.ts';
import { joinRules } from '../../../src/authz/rules.ts';
import { pathInfo } from '../../../src/request/request-info.ts';

const request = (
  path: string,
  over: Partial<AuthorizationRequest['info']> = {},
  groups: string[] = [],
): AuthorizationRequest => ({
  user: { name: 'jane', uid: '', groups, extra: {} },
  info: pathInfo(path, { method: 'GET', verb: 'get', ...over }),
});

describe('built-in authorizers', () => {
  it('masters may do everything', async () => {
    assert.equal((await masters(request('/x', { method: 'DELETE' }, ['system:masters']))).verdict, 'allow');
    assert.equal((await masters(request('/x', {}, ['system:master']))).verdict, 'noOpinion');
  });

  it('everything is allowed, or nothing, and rules say so', async () => {
    const { user } = request('/');
    assert.equal((await alwaysAllow.authorize(request('/x'))).verdict, 'allow');
    assert.equal((await alwaysDeny.authorize(request('/x'))).verdict, 'noOpinion');
    const { rules } = joinRules([alwaysDeny.rulesFor, alwaysAllow.rulesFor])(user, 'n');
    assert.deepEqual(rules, [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ]);
  });

  it('the first decision counts, and reasons of those without one are told', async () => {
    const says =
      (verdict: 'allow' | 'deny' | 'noOpinion', reason: string): Authorizer =>
      () =>
        Promise.resolve({ verdict, reason });
    const none = [says('noOpinion', 'a'), says('noOpinion', ''), says('noOpinion', 'b')];
    assert.deepEqual(await authorizeUnion(none)(request('/')), { verdict: 'noOpinion', reason: 'a, b' });
    const denied = await authorizeUnion([says('noOpinion', 'a'), says('deny', 'no'), says('allow', '')])(
      request('/'),
    );
    assert.deepEqual(denied, { verdict: 'deny', reason: 'no' });
  });
});

describe('the answer to a denied request', () => {
  it('is 500 where an authorizer failed, and does not say how', () => {
    const error = accessDenied(request('/x'), { reason: 'r', problem: 'https://10.0.0.1 is gone' });
    assert.equal(error.code, 500);
    assert.doesNotMatch(error.message, /10\.0\.0\.1/);
  });

  const resource = { isResourceRequest: true, verb: 'list', resource: 'deployments', group: 'apps' };
  for (const [name, info, message] of [
    ['a path', {}, 'forbidden: User "jane" cannot get path "/x"'],
    [
      'a collection',
      resource,
      'deployments.apps is forbidden: User "jane" cannot list resource "deployments" in API group "apps" at the cluster scope',
    ],
    [
      'a subresource in a namespace',
      { ...resource, verb: 'update', subresource: 'status', name: 'd', namespace: 'n' },
      'deployments.apps "d" is forbidden: User "jane" cannot update resource "deployments/status" in API group "apps" in the namespace "n"',
    ],
  ] as const) {
    it(`names ${name}`, () => {
      const error = accessDenied(request('/x', info), { reason: '' });
      assert.equal(error.message, message);
      assert.equal(error.code, 403);
    });
  }
});
