import assert from 'node:assert/strict';
import { grantFor } from '../../../../src/authz/explain/grant.ts';
import { grantingRule, missesOf, nearestRules } from '../../../../src/authz/explain/nearest.ts';
import type { Binding } from '../../../../src/authz/rbac/policy.ts';
import { PolicyIndex } from '../../../../src/authz/rbac/policy-index.ts';
import { reviewedRequest } from '../../../../src/registry/reviews/access-spec.ts';

const ask = (verb: string, resource: string, over: object = {}) =>
  reviewedRequest({ resourceAttributes: { verb, resource, namespace: 'n', ...over } });
const askPath = (verb: string, path: string) => reviewedRequest({ nonResourceAttributes: { verb, path } });

const pods = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };

describe('what a rule misses of a request', () => {
  for (const [name, rule, info, misses] of [
    ['nothing', pods, ask('get', 'pods'), []],
    ['the verb', pods, ask('list', 'pods'), ['verb']],
    ['the resource', pods, ask('get', 'secrets'), ['resource']],
    [
      'the group and the resource',
      pods,
      ask('get', 'deployments', { group: 'apps' }),
      ['apiGroup', 'resource'],
    ],
    ['the subresource', pods, ask('get', 'pods', { subresource: 'log' }), ['resource']],
    [
      'nothing of any subresource',
      { ...pods, resources: ['*/log'] },
      ask('get', 'pods', { subresource: 'log' }),
      [],
    ],
    ['the name', { ...pods, resourceNames: ['a'] }, ask('get', 'pods', { name: 'b' }), ['resourceName']],
    ['the path', { verbs: ['get'], nonResourceURLs: ['/a'] }, askPath('get', '/b'), ['path']],
    ['nothing below a path', { verbs: ['get'], nonResourceURLs: ['/a/*'] }, askPath('get', '/a/b'), []],
  ] as const) {
    it(name, () => assert.deepEqual(missesOf(rule, info), misses));
  }
});

describe('the rules nearest to a request', () => {
  const index = new PolicyIndex();
  const jane = { name: 'jane', uid: '', groups: ['dev'], extra: {} };
  const bind = (namespace: string, name: string, role: string, kind = 'ClusterRole'): void => {
    const of =
      kind === 'Role'
        ? { kind: 'Role', namespace, name: role }
        : { kind: 'ClusterRole', namespace: '', name: role };
    index.setBinding({
      namespace,
      name,
      role: of as Binding['role'],
      subjects: [{ kind: 'Group', name: 'dev' }],
    });
  };
  index.setRole('', 'pod-reader', [pods, { verbs: ['get'], nonResourceURLs: ['/version'] }]);
  index.setRole('', 'secret-keeper', [{ verbs: ['*'], apiGroups: [''], resources: ['secrets'] }]);
  bind('n', 'read-pods', 'pod-reader');
  bind('m', 'keep-secrets', 'secret-keeper');
  bind('n', 'broken', 'gone', 'Role');

  const near = async (info: ReturnType<typeof ask>) =>
    (await nearestRules(index, { user: jane, info })).map(
      ({ applied, misses }) => `${applied.binding.namespace}/${applied.binding.name}: ${misses.join()}`,
    );

  it('are those that miss the least, also in other namespaces, and roles that are not there', async () => {
    assert.deepEqual(await near(ask('list', 'pods')), ['n/read-pods: verb', 'n/broken: role']);
    assert.deepEqual(await near(ask('list', 'secrets')), [
      'n/broken: role',
      'm/keep-secrets: namespace',
      'n/read-pods: verb,resource',
    ]);
    assert.deepEqual(await near(ask('list', 'jobs', { group: 'batch' })), ['n/broken: role']);
  });

  it('are one that allows it, where there is one', () => {
    const rule = grantingRule(index, { user: jane, info: ask('get', 'pods') });
    assert.deepEqual([rule?.applied.binding.name, rule?.rule], ['read-pods', pods]);
    assert.equal(grantingRule(index, { user: jane, info: ask('list', 'pods') }), undefined);
  });
});

describe('what would allow a request', () => {
  const GROUP = 'rbac.example.com';
  const user = (name: string, ...groups: string[]) => ({ name, uid: '', groups, extra: {} });

  it('is a role in its namespace and what binds it', () => {
    const info = ask('get', 'pods', { subresource: 'log', name: 'web' });
    assert.deepEqual(grantFor({ user: user('Jane@example.com'), info }, GROUP), [
      {
        ...{ apiVersion: `${GROUP}/v1`, kind: 'Role', metadata: { name: 'get-pods-log', namespace: 'n' } },
        rules: [{ apiGroups: [''], resources: ['pods/log'], resourceNames: ['web'], verbs: ['get'] }],
      },
      {
        ...{ apiVersion: `${GROUP}/v1`, kind: 'RoleBinding' },
        metadata: { name: 'get-pods-log-jane-example.com', namespace: 'n' },
        roleRef: { apiGroup: GROUP, kind: 'Role', name: 'get-pods-log' },
        subjects: [{ apiGroup: GROUP, kind: 'User', name: 'Jane@example.com' }],
      },
    ]);
  });

  it('names no object that is still to be made', () => {
    const [role] = grantFor({ user: user('jane'), info: ask('create', 'pods', { name: 'web' }) }, GROUP);
    assert.deepEqual(role?.['rules'], [{ apiGroups: [''], resources: ['pods'], verbs: ['create'] }]);
  });

  for (const [name, who, subject] of [
    [
      'a service account',
      user('system:serviceaccount:shop:web'),
      { kind: 'ServiceAccount', namespace: 'shop', name: 'web' },
    ],
    ['a group', user('', 'dev'), { apiGroup: GROUP, kind: 'Group', name: 'dev' }],
  ] as const) {
    it(`is for ${name}, everywhere for paths and for what is in no namespace`, () => {
      for (const info of [askPath('get', '/metrics'), ask('list', 'nodes', { namespace: '' })]) {
        const [role, binding] = grantFor({ user: who, info }, GROUP);
        assert.equal(role?.['kind'], 'ClusterRole');
        assert.equal(binding?.['kind'], 'ClusterRoleBinding');
        assert.deepEqual(binding?.['subjects'], [subject]);
      }
    });
  }
});
