/** Roles, bindings and users as a large cluster has them, the same for every server that is measured. */

export const NAMESPACES = 100;

/** How many there are. */
export interface Size {
  readonly bindings: number;
  readonly users: number;
}

/** Groups and resources go by other names in other profiles. */
export interface PolicyNames {
  readonly rbacGroup: string;
}

export const RULES = [
  {
    apiGroups: [''],
    resources: ['pods', 'pods/log', 'services', 'secrets'],
    verbs: ['get', 'list', 'watch'],
  },
  { apiGroups: ['apps'], resources: ['*'], verbs: ['*'] },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'update'] },
];

/** What every user is in, besides what authentication adds. */
export const TEAM = 'team';

/** The bindings are spread over all namespaces and users: each user has one in as many namespaces as there are for it. */
export function bindingOf(i: number, { users }: Size): { namespace: string; name: string; user: string } {
  return {
    namespace: `n${(i + Math.floor(i / users)) % NAMESPACES}`,
    name: `b${i}`,
    user: `user-${i % users}`,
  };
}

/** What a user of {@link bindingOf} may get. */
export function pathOf(i: number, size: Size): string {
  return `/api/v1/namespaces/${bindingOf(i, size).namespace}/configmaps/c`;
}

/** Makes an object by its path. @throws Error unless that is done. */
type Create = (path: string, body: object) => Promise<void>;

const AT_ONCE = 32;

/** Makes the namespaces, a ConfigMap of 1 KB in each, the role and the bindings. */
export async function seed(create: Create, size: Size, { rbacGroup }: PolicyNames): Promise<void> {
  const rbac = `${rbacGroup}/v1`;
  await create(`/apis/${rbac}/clusterroles`, {
    ...{ apiVersion: rbac, kind: 'ClusterRole', metadata: { name: TEAM } },
    rules: RULES,
  });
  for (let n = 0; n < NAMESPACES; n++) {
    await create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `n${n}` } });
    await create(`/api/v1/namespaces/n${n}/configmaps`, {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: 'b'.repeat(1000) } },
    });
  }
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let i = next++; i < size.bindings; i = next++) {
      const { namespace, name, user } = bindingOf(i, size);
      await create(`/apis/${rbac}/namespaces/${namespace}/rolebindings`, {
        ...{ apiVersion: rbac, kind: 'RoleBinding', metadata: { name } },
        roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: TEAM },
        subjects: [{ apiGroup: rbacGroup, kind: 'User', name: user }],
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Lines of a file of tokens: each user's token is its name. */
export function tokenLines(prefix: string, group: string, { users }: Size): string {
  return Array.from({ length: users }, (_, i) => `${prefix}-${i},${prefix}-${i},,${group}\n`).join('');
}
