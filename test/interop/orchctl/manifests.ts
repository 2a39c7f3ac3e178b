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
  'broken.yaml': [SETTINGS('[1]'), POD('good', 'app: good', 'nginx')].join('---\n'),
};
