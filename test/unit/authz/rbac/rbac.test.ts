import assert from 'node:assert/strict';
import { rbacAuthorizer } from '../../../../src/authz/rbac/authorizer.ts';
import { describeRules, uncovered } from '../../../../src/authz/rbac/covers.ts';
import { followPolicy } from '../../../../src/authz/rbac/follow-policy.ts';
import { PolicyIndex } from '../../../../src/authz/rbac/policy-index.ts';
import { systemClock } from '../../../../src/lib/clock.ts';
import { resourceInfo, type RequestInfo } from '../../../../src/request/request-info.ts';
import { MemoryStorage } from '../../../support/memory-storage.ts';
import { openObjectStore, row, thing } from '../../../support/object-store.ts';

function asks(over: Partial<RequestInfo>): RequestInfo {
  const pods = { version: 'v1', namespace: 'n', resource: 'pods', name: 'p' };
  return resourceInfo({ path: '/', method: 'GET', verb: 'get', ...pods, ...over });
}

const jane = { name: 'jane', uid: '', groups: ['devs'], extra: {} };
const GET_PODS = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }];

describe('the reason of a decision', () => {
  const index = new PolicyIndex();
  index.setRole('', 'viewer', GET_PODS);
  index.setRole('n', 'viewer', GET_PODS);
  const authorize = rbacAuthorizer(index, 'rbac.authorization.k8s.io', () => Promise.resolve());
  const viewer = { kind: 'ClusterRole', namespace: '', name: 'viewer' } as const;
  const reasonOf = async (
    binding: Parameters<PolicyIndex['setBinding']>[0],
    user = jane,
  ): Promise<string> => {
    index.setBinding(binding);
    const { reason } = await authorize({ user, info: asks({}) });
    index.removeBinding(binding.namespace, binding.name);
    return reason;
  };

  it('names the binding, the role and the subject', async () => {
    const toDevs = { namespace: '', name: 'b', role: viewer, subjects: [{ kind: 'Group', name: 'devs' }] };
    assert.equal(
      await reasonOf(toDevs),
      'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "viewer" to Group "devs"',
    );
    const role = { kind: 'Role', namespace: 'n', name: 'viewer' } as const;
    const account = { kind: 'ServiceAccount', name: 'a', namespace: 'm' };
    const robot = { ...jane, name: 'system:serviceaccount:m:a' };
    assert.equal(
      await reasonOf({ namespace: 'n', name: 'b', role, subjects: [account] }, robot),
      'RBAC: allowed by RoleBinding "b/n" of Role "viewer" to ServiceAccount "a/m"',
    );
  });

  it('names roles that are bound and missing', async () => {
    const role = { kind: 'Role', namespace: 'n', name: 'gone' } as const;
    assert.equal(
      await reasonOf({ namespace: 'n', name: 'b', role, subjects: [{ kind: 'User', name: 'jane' }] }),
      'RBAC: role.rbac.authorization.k8s.io "gone" not found',
    );
  });

  it('is empty where nothing is bound', async () => {
    assert.deepEqual(await authorize({ user: jane, info: asks({}) }), { verdict: 'noOpinion', reason: '' });
  });
});

describe('rules beyond what somebody holds', () => {
  for (const [title, held, wanted, expected] of [
    ['none of what is held', GET_PODS, GET_PODS, []],
    [
      'other verbs, together',
      GET_PODS,
      [{ verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'] }],
      ['{APIGroups:[""], Resources:["pods"], Verbs:["list","watch"]}'],
    ],
    [
      'all names, for who holds one',
      [{ ...GET_PODS[0], resourceNames: ['p'] }],
      GET_PODS,
      ['{APIGroups:[""], Resources:["pods"], Verbs:["get"]}'],
    ],
    [
      'names, for who holds others',
      [{ ...GET_PODS[0], resourceNames: ['p'] }],
      [{ ...GET_PODS[0], resourceNames: ['p', 'q'] }],
      ['{APIGroups:[""], Resources:["pods"], ResourceNames:["q"], Verbs:["get"]}'],
    ],
    [
      'none of a subresource of anything',
      [{ verbs: ['get'], apiGroups: ['*'], resources: ['*/status'] }],
      [{ verbs: ['get'], apiGroups: ['apps'], resources: ['deployments/status'] }],
      [],
    ],
    [
      'paths',
      [{ verbs: ['get'], nonResourceURLs: ['/api/*'] }],
      [{ verbs: ['get'], nonResourceURLs: ['/api/v1', '/apis'] }],
      ['{NonResourceURLs:["/apis"], Verbs:["get"]}'],
    ],
    [
      'everything',
      GET_PODS,
      [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
      ['{APIGroups:["*"], Resources:["*"], Verbs:["*"]}'],
    ],
  ] as const) {
    it(title, () => assert.deepEqual(describeRules(uncovered(held, wanted)), expected));
  }

  it('are bounded', () => {
    const many = Array.from({ length: 400 }, (_, i) => `x${i}`);
    const bomb = [{ verbs: many, apiGroups: many, resources: many }];
    assert.throws(() => uncovered(GET_PODS, bomb), RangeError);
    assert.deepEqual(uncovered([{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }], bomb), []);
  });
});

describe('what applies to a user', () => {
  const viewer = { kind: 'ClusterRole', namespace: '', name: 'viewer' } as const;

  it('is found in every namespace, however many are asked for', () => {
    const index = new PolicyIndex();
    const namespaces = Array.from({ length: 200 }, (_, i) => `n${i}`);
    for (const namespace of namespaces) {
      const subjects = [{ kind: 'User', name: 'jane' }];
      index.setBinding({ namespace, name: namespace, role: viewer, subjects });
    }
    for (const round of [1, 2]) {
      for (const namespace of namespaces) {
        const applied = index.appliedTo(jane, namespace).map(({ binding }) => binding.name);
        assert.deepEqual(applied, [namespace], `${namespace}, round ${round}`);
      }
    }
  });

  it('is as the role of a binding comes to be', () => {
    const index = new PolicyIndex();
    index.setBinding({
      ...{ namespace: 'n', name: 'b', role: viewer },
      subjects: [{ kind: 'User', name: 'jane' }],
    });
    const allowed = (): boolean | undefined => index.appliedTo(jane, 'n')[0]?.rules?.allows(asks({}));
    assert.equal(allowed(), undefined);
    index.setRole('', 'viewer', GET_PODS);
    assert.equal(allowed(), true);
    index.setRole('', 'viewer', []);
    assert.equal(allowed(), false);
    index.removeRole('', 'viewer');
    assert.equal(allowed(), undefined);
    index.setRole('', 'viewer', GET_PODS);
    assert.equal(allowed(), true);
  });
});

describe('the policy of a store', () => {
  const ROLES = row('roles', { group: 'rbac' });
  const BINDINGS = row('rolebindings', { group: 'rbac', kind: 'RoleBinding' });

  it('is followed from what is there to what becomes of it', async () => {
    const store = openObjectStore(new MemoryStorage());
    await store.start([ROLES, BINDINGS]);
    const role = thing(ROLES, 'viewer', { namespace: 'n', rules: GET_PODS });
    await store.create({ resource: ROLES, object: role });
    const roleRef = { kind: 'Role', name: 'viewer' };
    const subjects = [{ kind: 'User', name: 'jane' }];
    const binding = thing(BINDINGS, 'b', { namespace: 'n', roleRef, subjects });
    const index = new PolicyIndex();
    const authorize = rbacAuthorizer(index, 'rbac', () => Promise.resolve());
    const resources = { roles: [ROLES], bindings: [BINDINGS] };
    const following = followPolicy({ store, clock: systemClock }, resources, index);
    await following.ready;
    const verdict = async (): Promise<string> => (await authorize({ user: jane, info: asks({}) })).verdict;
    const becomes = async (expected: string): Promise<void> => {
      while ((await verdict()) !== expected) await new Promise((resolve) => setImmediate(resolve));
    };
    assert.equal(await verdict(), 'noOpinion');
    await store.create({ resource: BINDINGS, object: binding });
    await becomes('allow');
    await store.write({
      ...{ resource: BINDINGS, namespace: 'n', name: 'b' },
      attempt: () => Promise.resolve({ action: 'delete' }),
    });
    await becomes('noOpinion');
    following.close();
    store.close();
  });
});
