import type { Clock } from '../../lib/clock.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import { followResource } from '../../store/follow.ts';
import { joinFollowing, type Following } from '../../store/following.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import type { PolicyRule } from '../../meta/policy-rule.ts';
import type { Binding, RoleRef, Subject } from './policy.ts';
import type { PolicyIndex } from './policy-index.ts';

/** The rows of the four kinds; of any version. */
export interface PolicyResources {
  readonly roles: readonly ResourceDefinition[];
  readonly bindings: readonly ResourceDefinition[];
}

/** Keeps `index` up to date with the roles and bindings of a store. */
export function followPolicy(
  parts: { readonly store: ObjectStore; readonly clock: Clock },
  { roles, bindings }: PolicyResources,
  index: PolicyIndex,
): Following {
  const all = [
    ...roles.map((resource) =>
      followResource(parts, resource, {
        set: (entry) => index.setRole(entry.namespace, entry.name, rulesOf(entry.object())),
        remove: (namespace, name) => index.removeRole(namespace, name),
      }),
    ),
    ...bindings.map((resource) =>
      followResource(parts, resource, {
        set: (entry) => index.setBinding(bindingOf(entry.object())),
        remove: (namespace, name) => index.removeBinding(namespace, name),
      }),
    ),
  ];
  return joinFollowing(all);
}

/** The rules of a role, as its type has them. */
export function rulesOf(role: JsonObject): readonly PolicyRule[] {
  return (role['rules'] ?? []) as readonly PolicyRule[];
}

/** What a binding object says. */
export function bindingOf(object: ApiObject): Binding {
  const { namespace = '', name = '' } = object.metadata;
  const { kind, name: roleName } = object['roleRef'] as { kind: string; name: string };
  return {
    namespace,
    name,
    role: roleRef(kind, namespace, roleName),
    subjects: (object['subjects'] ?? []) as unknown as readonly Subject[],
  };
}

function roleRef(kind: string, namespace: string, name: string): RoleRef {
  return kind === 'Role' ? { kind, namespace, name } : { kind: 'ClusterRole', namespace: '', name };
}
