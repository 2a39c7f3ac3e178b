/** Whom a binding is for, as objects have it. */
export interface Subject {
  /** `User`, `Group` or `ServiceAccount`. */
  readonly kind: string;
  readonly name: string;
  /** Of a service account. */
  readonly namespace?: string;
}

/** A role by its kind; `namespace` is '' for a ClusterRole. */
export interface RoleRef {
  readonly kind: 'Role' | 'ClusterRole';
  readonly namespace: string;
  readonly name: string;
}

/** A RoleBinding, or a ClusterRoleBinding where `namespace` is ''. */
export interface Binding {
  readonly namespace: string;
  readonly name: string;
  readonly role: RoleRef;
  readonly subjects: readonly Subject[];
}

export const ALL = '*';

/** The user that a service account is. */
export function serviceAccountUser(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** The subject that `namespace/name` stands for. */
export function serviceAccountSubject(account: string): {
  kind: 'ServiceAccount';
  namespace: string;
  name: string;
} {
  const [namespace = '', name = ''] = account.split('/');
  return { kind: 'ServiceAccount', namespace, name };
}
