import type { Line } from './lines.ts';

/** `NAMESPACE` stands for that of the program: kubectl takes none of the context here. */
const access = (verb: string, user: string, role: string): string => `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: access
  namespace: NAMESPACE
  labels: {team: blue}
rules:
- {apiGroups: [""], resources: [pods, pods/log], verbs: [get, ${verb}]}
- {apiGroups: [apps], resources: [deployments], resourceNames: [web], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: access, namespace: NAMESPACE}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: ${role}}
subjects:
- {apiGroup: rbac.authorization.k8s.io, kind: User, name: ${user}}
- {kind: ServiceAccount, name: robot, namespace: elsewhere}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: no-access}
`;
const FIRST = access('list', 'jane', 'access');
const OTHER = access('watch', 'joe', 'access');
const OTHER_ROLE = access('watch', 'joe', 'view');

const exact = (line: string): Line => ({ line, like: 'exact' });
const reconcile = (flags: string, input: string): Line => ({
  line: `auth reconcile -f - ${flags}`.trim(),
  like: 'exact',
  input,
});

/** Who one is, what one may do, and manifests that say who may do what. */
export const ACCESS_LINES: readonly Line[] = [
  ...[
    'auth whoami',
    'auth whoami -o name',
    'auth whoami --as=jane --as-group=b --as-uid=u',
    'auth whoami -o jsonpath={.status.userInfo}',
    'auth can-i list pods --as=jane',
    'auth can-i lst pods',
    'auth can-i list nonsense',
    'auth can-i list nodes',
    'auth can-i get /metrics --as=jane',
    'auth can-i get /metrics --subresource=a',
    'auth can-i --list pods',
    'auth can-i --list -q',
    'auth can-i list pods --no-headers',
  ].map(exact),
  reconcile('--dry-run=client', FIRST),
  reconcile('--dry-run=client -o yaml', FIRST),
  reconcile('--dry-run=server', FIRST),
  reconcile('', FIRST),
  reconcile('', FIRST),
  ...[
    'auth can-i --list --as=jane',
    'auth can-i --list --as=jane --no-headers',
    'auth can-i --list --as=system:serviceaccount:elsewhere:robot',
  ].map(exact),
  reconcile('--dry-run=client -o yaml', OTHER),
  reconcile('-o yaml', OTHER),
  reconcile('--remove-extra-permissions --remove-extra-subjects -o yaml', OTHER),
  reconcile('-o yaml', OTHER_ROLE),
  exact('auth reconcile -f missing.yaml'),
];
