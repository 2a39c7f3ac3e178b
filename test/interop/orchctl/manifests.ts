const POD = (name: string, labels: string, image: string): string => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  labels: {${labels}}
spec:
  containers:
  - name: main
    image: ${image}
`;

const SETTINGS = (b: string): string => `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  annotations:
    long: a text that is longer than eighty characters, so that it goes on below, in YAML of that kind
data:
  a: "1"
  b: ${b}
  text: |
    line
      and line
`;

const DEPLOYMENT = (image: string): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: main
        image: ${image}
`;

const SERVICE = `apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  clusterIP: None
  selector: {app: web}
  ports:
  - {name: http, port: 80}
`;

const ACCESS = (verb: string, user: string, role: string): string => `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: access
  labels: {team: blue}
rules:
- {apiGroups: [""], resources: [pods, pods/log], verbs: [get, ${verb}]}
- {apiGroups: [apps], resources: [deployments], resourceNames: [web], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: access}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: ${role}}
subjects:
- {apiGroup: rbac.authorization.k8s.io, kind: User, name: ${user}}
- {kind: ServiceAccount, name: robot, namespace: elsewhere}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: no-access}
`;

/** The files that the lines name. */
export const FILES: Readonly<Record<string, string>> = {
  'many.yaml': [
    POD('web-1', 'app: web, tier: front', 'nginx:2'),
    POD('web-2', 'app: web, tier: back', 'nginx:1'),
    POD('db', 'app: db', 'postgres:16'),
    SERVICE,
    DEPLOYMENT('nginx:1'),
    SETTINGS('"2"'),
  ].join('---\n'),
  'changed.yaml': [DEPLOYMENT('nginx:2'), SETTINGS('"3"')].join('---\n'),
  'access.yaml': ACCESS('list', 'jane', 'access'),
  'other-access.yaml': ACCESS('watch', 'joe', 'access'),
  'other-role.yaml': ACCESS('watch', 'joe', 'view'),
  'broken.yaml': [SETTINGS('[1]'), POD('good', 'app: good', 'nginx')].join('---\n'),
};
