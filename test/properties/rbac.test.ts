import assert from 'node:assert/strict';
import fc from 'fast-check';
import { rbacAuthorizer } from '../../src/authz/rbac/authorizer.ts';
import { uncovered } from '../../src/authz/rbac/covers.ts';
import type { PolicyRule } from '../../src/meta/policy-rule.ts';
import type { Binding, Subject } from '../../src/authz/rbac/policy.ts';
import { PolicyIndex } from '../../src/authz/rbac/policy-index.ts';
import type { UserInfo } from '../../src/request/context.ts';
import type { RequestInfo } from '../../src/request/request-info.ts';
import { lawRuns } from '../support/laws.ts';

const names = fc.constantFrom('a', 'b', 'c');
const namespaces = fc.constantFrom('', 'n', 'm');
const verbs = fc.constantFrom('get', 'list', 'update');
const groups = fc.constantFrom('', 'apps');
const resources = fc.constantFrom('pods', 'nodes');
const subresources = fc.constantFrom('', 'status', 'scale');
const paths = fc.constantFrom('/', '/api', '/api/v1', '/healthz', '/healthz/etcd');

const orAll = (values: fc.Arbitrary<string>): fc.Arbitrary<string[]> =>
  fc.array(fc.oneof({ weight: 5, arbitrary: values }, { weight: 1, arbitrary: fc.constant('*') }), {
    maxLength: 3,
  });

const resourcePattern = fc.oneof(
  resources,
  fc
    .tuple(fc.oneof(resources, fc.constant('*')), fc.constantFrom('status', 'scale'))
    .map((parts) => parts.join('/')),
);

const rule: fc.Arbitrary<PolicyRule> = fc.oneof(
  fc.record({
    verbs: orAll(verbs),
    apiGroups: orAll(groups),
    resources: orAll(resourcePattern),
    resourceNames: fc.oneof(fc.constant([]), fc.array(names, { maxLength: 2 })),
  }),
  fc.record({
    verbs: orAll(verbs),
    nonResourceURLs: fc.array(
      fc.oneof(
        paths,
        paths.map((path) => `${path}*`),
        fc.constant('*'),
      ),
      { maxLength: 3 },
    ),
  }),
);

const subject: fc.Arbitrary<Subject> = fc.oneof(
  fc.record({ kind: fc.constantFrom('User', 'Group'), name: names }),
  fc.record({ kind: fc.constant('ServiceAccount'), name: names, namespace: fc.constantFrom('n', 'm') }),
);

const user: fc.Arbitrary<UserInfo> = fc
  .record({
    name: fc.oneof(
      names,
      fc.tuple(fc.constantFrom('n', 'm'), names).map(([n, a]) => `system:serviceaccount:${n}:${a}`),
    ),
    groups: fc.uniqueArray(names, { maxLength: 2 }),
  })
  .map((some) => ({ ...some, uid: '', extra: {} }));

const info: fc.Arbitrary<RequestInfo> = fc
  .record({
    isResourceRequest: fc.boolean(),
    path: paths,
    verb: verbs,
    group: groups,
    namespace: namespaces,
    resource: resources,
    subresource: subresources,
    name: fc.oneof(fc.constant(''), names),
  })
  .map((some) => ({ ...some, method: 'GET', apiPrefix: '', version: 'v1', parts: [], legacyWatch: false }));

type Step =
  | {
      readonly role: readonly [namespace: string, name: string];
      readonly rules: readonly PolicyRule[] | undefined;
    }
  | { readonly binding: Binding; readonly remove: boolean };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    role: fc.tuple(namespaces, names),
    rules: fc.option(fc.array(rule, { maxLength: 3 }), { nil: undefined }),
  }),
  fc.record({
    binding: fc
      .record({
        namespace: namespaces,
        name: names,
        kind: fc.constantFrom('Role' as const, 'ClusterRole' as const),
        of: names,
        subjects: fc.array(subject, { maxLength: 3 }),
      })
      .map(({ namespace, name, kind, of, subjects }) => {
        const isRole = kind === 'Role' && namespace !== '';
        const role = isRole
          ? ({ kind: 'Role', namespace, name: of } as const)
          : ({ kind: 'ClusterRole', namespace: '', name: of } as const);
        return { namespace, name, role, subjects };
      }),
    remove: fc.boolean(),
  }),
);

/** What the specification says, word for word, over everything there is. */
class NaivePolicy {
  readonly roles = new Map<string, readonly PolicyRule[]>();
  readonly bindings = new Map<string, Binding>();

  apply(step: Step): void {
    if ('role' in step) {
      if (step.rules === undefined) this.roles.delete(step.role.join('/'));
      else this.roles.set(step.role.join('/'), step.rules);
    } else {
      const key = `${step.binding.namespace}/${step.binding.name}`;
      if (step.remove) this.bindings.delete(key);
      else this.bindings.set(key, step.binding);
    }
  }

  rulesFor(user: UserInfo, namespace: string): PolicyRule[] {
    return [...this.bindings.values()]
      .filter((binding) => binding.namespace === '' || binding.namespace === namespace)
      .filter(({ subjects }) => subjects.some((one) => isSubject(one, user)))
      .flatMap(({ role }) => this.roles.get(`${role.namespace}/${role.name}`) ?? []);
  }

  /** The names of those in one scope alone. */
  bindingsOf(user: UserInfo, scope: string): string[] {
    return [...this.bindings.values()]
      .filter(
        ({ namespace, subjects }) => namespace === scope && subjects.some((one) => isSubject(one, user)),
      )
      .map(({ name }) => name)
      .sort();
  }

  allows(user: UserInfo, info: RequestInfo): boolean {
    const namespace = info.isResourceRequest ? info.namespace : '';
    return this.rulesFor(user, namespace).some((rule) => naivelyAllows(rule, info));
  }
}

function isSubject({ kind, name, namespace }: Subject, user: UserInfo): boolean {
  if (kind === 'Group') return user.groups.includes(name);
  return user.name === (kind === 'User' ? name : `system:serviceaccount:${namespace}:${name}`);
}

function naivelyAllows(rule: PolicyRule, info: RequestInfo): boolean {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  if (!verbs.some((verb) => verb === '*' || verb === info.verb)) return false;
  if (!info.isResourceRequest) {
    return nonResourceURLs.some((url) =>
      url.endsWith('*') ? info.path.startsWith(url.slice(0, -1)) : url === info.path,
    );
  }
  const full = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`;
  const any = info.subresource === '' ? [] : [`*/${info.subresource}`];
  return (
    apiGroups.some((group) => group === '*' || group === info.group) &&
    resources.some((resource) => ['*', full, ...any].includes(resource)) &&
    (resourceNames.length === 0 || resourceNames.includes(info.name))
  );
}

function apply(index: PolicyIndex, step: Step): void {
  if ('role' in step) {
    if (step.rules === undefined) index.removeRole(...step.role);
    else index.setRole(...step.role, step.rules);
  } else if (step.remove) index.removeBinding(step.binding.namespace, step.binding.name);
  else index.setBinding(step.binding);
}

describe('role-based access control, for any roles, bindings and requests', function () {
  this.timeout(0);

  it('decides as the specification says, after every change', async () => {
    // The same few objects stand for users all the time, as those of authentication do.
    const users = fc.array(user, { minLength: 1, maxLength: 4 });
    const requests = fc.array(fc.tuple(fc.nat(3), info), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), users, requests, async (steps, who, asked) => {
        const index = new PolicyIndex();
        const naive = new NaivePolicy();
        const authorize = rbacAuthorizer(index, 'rbac', () => undefined);
        for (const one of steps) {
          naive.apply(one);
          apply(index, one);
          for (const [i, what] of asked) {
            const of = who[i % who.length] as UserInfo;
            const { verdict } = await authorize({ user: of, info: what });
            assert.equal(verdict, naive.allows(of, what) ? 'allow' : 'noOpinion');
          }
        }
      }),
      { numRuns: lawRuns() },
    );
  });

  it('knows at any time which bindings apply to a user', () => {
    const users = fc.array(user, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), users, (steps, who) => {
        const index = new PolicyIndex();
        const naive = new NaivePolicy();
        for (const one of steps) {
          naive.apply(one);
          apply(index, one);
          for (const of of who) {
            for (const namespace of ['', 'n', 'm']) {
              const found = index.appliedTo(of, namespace).map(({ binding }) => binding.name);
              assert.deepEqual([...new Set(found)].sort(), naive.bindingsOf(of, namespace));
            }
          }
        }
      }),
      { numRuns: lawRuns() },
    );
  });

  it('lets nobody hand out what is more than they hold', () => {
    const rules = fc.array(rule, { maxLength: 3 });
    fc.assert(
      fc.property(rules, rules, fc.array(info, { minLength: 1, maxLength: 8 }), (held, wanted, asked) => {
        if (uncovered(held, wanted).length > 0) return;
        for (const what of asked) {
          if (wanted.some((one) => naivelyAllows(one, what))) {
            assert.ok(held.some((one) => naivelyAllows(one, what)));
          }
        }
      }),
      { numRuns: lawRuns() },
    );
  });

  it('lets everybody hand out what they hold', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 4 }), (held) => {
        assert.deepEqual(uncovered(held, held), []);
      }),
      { numRuns: lawRuns() },
    );
  });
});
