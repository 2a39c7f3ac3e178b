import { badRequestError, forbiddenError, notFoundError } from '../../errors/status-errors.ts';
import { isOnlyCollected } from '../../meta/collection-only.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { UserInfo } from '../../request/context.ts';
import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ResourceHooks } from '../hooks.ts';
import { validateBinding, validateBindingUpdate, validateRole } from './validate.ts';

/** What the rules of roles and bindings need to know of who may do what. */
export interface RoleGrants {
  /** Why a user may not grant rules; undefined: they may. */
  refusal(grant: RoleGrant, rules: readonly object[]): Promise<string | undefined>;
  rulesOf(role: BoundRole): Promise<readonly object[] | undefined>;
  /** Whether nothing of all this is asked of a user. */
  isExempt(user: UserInfo): boolean;
}

export interface RoleGrant {
  readonly user: UserInfo;
  readonly verb: 'escalate' | 'bind';
  readonly resource: 'roles' | 'clusterroles';
  readonly namespace: string;
  readonly name: string;
}

export interface BoundRole {
  readonly kind: 'Role' | 'ClusterRole';
  /** '' for a ClusterRole. */
  readonly namespace: string;
  readonly name: string;
}

/** Everything there is: what somebody must hold who lets others' labels decide what a role contains. */
const ALL_RULES: readonly object[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/** What the hooks of roles and bindings are made with. */
export interface RbacHooksParts {
  readonly names: NamingProfile;
  readonly grants: RoleGrants | undefined;
  /** Whether the kind is one of namespaces. */
  readonly namespaced: boolean;
}

/** Roles: nobody writes one with rules that they don't have themselves. */
export function roleHooks({ names, grants, namespaced }: RbacHooksParts): ResourceHooks {
  const group = names.get('group.rbac');
  return {
    validate: (role) => validateRole(role, namespaced),
    async mayWrite(role, old, { user }) {
      if (grants === undefined || grants.isExempt(user) || isOnlyCollected(role, old)) return;
      // Also where the rules stay: labels decide which other roles they flow into.
      const aggregates = [role, old].some((one) => objectAt(one, 'aggregationRule') !== undefined);
      const { namespace = '', name = '' } = role.metadata;
      const resource = namespaced ? 'roles' : 'clusterroles';
      const rules = aggregates ? [...objectsAt(role, 'rules'), ...ALL_RULES] : objectsAt(role, 'rules');
      const refusal = await grants.refusal({ user, verb: 'escalate', resource, namespace, name }, rules);
      if (refusal !== undefined) throw forbiddenError({ group, resource }, name, refusal);
    },
  };
}

/** Bindings: subjects' groups follow from their kinds, and nobody binds what they don't have themselves. */
export function roleBindingHooks({ names, grants, namespaced }: RbacHooksParts): ResourceHooks {
  const group = names.get('group.rbac');
  return {
    defaults(binding) {
      for (const subject of objectsAt(binding, 'subjects')) {
        if (textAt(subject, 'apiGroup') !== '') continue;
        if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup = group;
      }
    },
    validate: (binding) => validateBinding(binding, { group, namespaced }),
    validateUpdate: validateBindingUpdate,
    async mayWrite(binding, old, { user }) {
      if (grants === undefined || grants.isExempt(user) || isOnlyCollected(binding, old)) return;
      const { namespace = '', name = '' } = binding.metadata;
      const role = boundRole(binding, namespace);
      if (role.kind === 'Role' && namespace === '') throw badRequestError('Namespace parameter required.');
      const resource = role.kind === 'Role' ? 'roles' : 'clusterroles';
      const grant = { user, verb: 'bind', resource, namespace, name: role.name } as const;
      const rules = await grants.rulesOf(role);
      const refusal = await grants.refusal(grant, rules ?? []);
      const written = { group, resource: namespaced ? 'rolebindings' : 'clusterrolebindings' };
      if (refusal !== undefined) throw forbiddenError(written, name, refusal);
      // Whoever may bind any role may bind one that is still to come; others would not know what they hand out.
      if (rules === undefined && (await grants.refusal(grant, ALL_RULES)) !== undefined) {
        throw notFoundError(written, role.name);
      }
    },
  };
}

function boundRole(binding: ApiObject, namespace: string): BoundRole {
  const ref = objectAt(binding, 'roleRef');
  const name = textAt(ref, 'name');
  return textAt(ref, 'kind') === 'Role'
    ? { kind: 'Role', namespace, name }
    : { kind: 'ClusterRole', namespace: '', name };
}
