import type { ApiObject, Json } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { PolicyRule } from '../../meta/policy-rule.ts';
import { serviceAccountSubject } from './policy.ts';

/** The default policy as `schemas/bootstrap/rbac.yaml` has it; the outer keys of `roles` and `roleBindings` are namespaces. */
export interface DefaultPolicy {
  readonly clusterRoles: Readonly<Record<string, DefaultRole>>;
  readonly roles: Readonly<Record<string, Readonly<Record<string, DefaultRole>>>>;
  readonly clusterRoleBindings: Readonly<Record<string, DefaultBinding>>;
  readonly roleBindings: Readonly<Record<string, Readonly<Record<string, DefaultBinding>>>>;
}

/** Which roles it is part of, and what it is made of: rules, or other roles. */
export interface DefaultRole {
  readonly aggregateTo?: readonly Aggregate[];
  readonly aggregates?: readonly Aggregate[];
  readonly rules?: readonly PolicyRule[];
}

type Aggregate = 'admin' | 'edit' | 'view';

/** A binding to a role of its own scope. Accounts are `namespace/name`. */
export interface DefaultBinding {
  readonly role: string;
  readonly users?: readonly string[];
  readonly groups?: readonly string[];
  readonly accounts?: readonly string[];
}

/** The objects that a default policy stands for: roles before what binds them. */
export function defaultPolicyObjects(policy: DefaultPolicy, names: NamingProfile): ApiObject[] {
  const objects = new PolicyObjects(names);
  return [
    ...Object.entries(policy.clusterRoles).map(([name, role]) => objects.role({ name }, role)),
    ...inNamespaces(policy.roles, (place, role) => objects.role(place, role)),
    ...Object.entries(policy.clusterRoleBindings).map(([name, of]) => objects.binding({ name }, of)),
    ...inNamespaces(policy.roleBindings, (place, of) => objects.binding(place, of)),
  ];
}

/** Where an object is; without a namespace at cluster scope. */
interface Place {
  readonly name: string;
  readonly namespace?: string;
}

function inNamespaces<T>(
  all: Readonly<Record<string, Readonly<Record<string, T>>>>,
  make: (place: Place, item: T) => ApiObject,
): ApiObject[] {
  return Object.entries(all).flatMap(([namespace, items]) =>
    Object.entries(items).map(([name, item]) => make({ name, namespace }, item)),
  );
}

class PolicyObjects {
  readonly #names: NamingProfile;
  readonly #group: string;

  constructor(names: NamingProfile) {
    this.#names = names;
    this.#group = names.get('group.rbac');
  }

  role(place: Place, { aggregateTo = [], aggregates, rules = [] }: DefaultRole): ApiObject {
    const labels = Object.fromEntries(aggregateTo.map((to) => [this.#aggregateLabel(to), 'true']));
    const object = this.#object('Role', place, labels);
    if (aggregates === undefined) return { ...object, rules: rules as unknown as Json[] };
    const clusterRoleSelectors = aggregates.map((of) => ({
      matchLabels: { [this.#aggregateLabel(of)]: 'true' },
    }));
    return { ...object, aggregationRule: { clusterRoleSelectors }, rules: null };
  }

  binding(place: Place, { role, users = [], groups = [], accounts = [] }: DefaultBinding): ApiObject {
    const apiGroup = this.#group;
    const kind = place.namespace === undefined ? 'ClusterRole' : 'Role';
    const subjects = [
      ...users.map((name) => ({ apiGroup, kind: 'User', name })),
      ...groups.map((name) => ({ apiGroup, kind: 'Group', name })),
      ...accounts.map(serviceAccountSubject),
    ];
    return {
      ...this.#object('RoleBinding', place, {}),
      roleRef: { apiGroup, kind, name: role },
      ...(subjects.length === 0 ? {} : { subjects }),
    };
  }

  #object(kind: 'Role' | 'RoleBinding', place: Place, labels: Record<string, string>): ApiObject {
    const names = this.#names;
    return {
      apiVersion: `${this.#group}/v1`,
      kind: place.namespace === undefined ? `Cluster${kind}` : kind,
      metadata: {
        ...place,
        labels: { [names.get('label.bootstrapping')]: 'rbac-defaults', ...labels },
        annotations: { [names.get('annotation.rbac-autoupdate')]: 'true' },
      },
    };
  }

  #aggregateLabel(role: Aggregate): string {
    return this.#names.get(`label.aggregate-to-${role}`);
  }
}
