import { code, exact, type Line } from './lines.ts';

/** What services are to lead to. */
export const EXPOSED = `apiVersion: v1
kind: Pod
metadata: {name: labelled, labels: {app: web, tier: front}}
spec: {containers: [{name: c, image: i, ports: [{containerPort: 80}, {containerPort: 53, protocol: UDP}, {containerPort: 53}]}]}
---
apiVersion: v1
kind: Pod
metadata: {name: bare}
spec: {containers: [{name: c, image: i}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {of: me}}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i, ports: [{containerPort: 8080}]}]}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: choosy}
spec:
  selector: {matchLabels: {app: web}, matchExpressions: [{key: x, operator: DoesNotExist}]}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i, ports: [{containerPort: 8080}]}]}}
---
apiVersion: v1
kind: ReplicationController
metadata: {name: old}
spec:
  selector: {app: old}
  template: {metadata: {labels: {app: old}}, spec: {containers: [{name: c, image: i, ports: [{containerPort: 1}, {containerPort: 2}]}]}}
`;

const DRY = '--dry-run=client -o yaml';

export const RUN_LINES: readonly Line[] = [
  exact(`run x --image=nginx ${DRY}`),
  exact(
    `run x --image=nginx:1 --port=80 --env=A=b --env=C= --labels=a=b,c=d --annotations=k=v ${DRY} -- a b`,
  ),
  exact(
    `run x --image=nginx --restart=Never --command --privileged --image-pull-policy=Always ${DRY} -- sh -c ls`,
  ),
  exact(`run x --image=nginx --overrides={"spec":{"nodeName":"n"},"metadata":{"labels":null}} ${DRY}`),
  exact(
    `run x --image=nginx --override-type=json --overrides=[{"op":"add","path":"/spec/nodeName","value":"n"}] ${DRY}`,
  ),
  exact('run x --image=nginx -n other --dry-run=client -o yaml'),
  exact('run made --image=registry.example:5000/a/b:tag --port=80 --expose'),
  exact('run made --image=nginx'),
  exact('run checked --image=nginx --dry-run=server'),
  exact('get pod made -o jsonpath={.spec.containers[*].image}'),
  exact('get service made -o jsonpath={.spec.selector}'),
  code('run'),
  code('run x'),
  code('run x --image=UPPER:'),
  code('run x --image=nginx --port=http'),
  code('run x --image=nginx --expose'),
  code('run x --image=nginx --restart=Sometimes'),
  code('run x --image=nginx --env=1'),
  exact(`expose pod labelled ${DRY}`),
  exact(`expose pod/labelled --port=80 --name=other ${DRY}`),
  exact(`expose deployment web --target-port=http --type=NodePort --labels=x=z --selector=s=t ${DRY}`),
  exact(`expose deployment web --cluster-ip=None --session-affinity=ClientIP --external-ip=1.2.3.4 ${DRY}`),
  exact(`expose deployment web --type=LoadBalancer --load-balancer-ip=1.2.3.4 --protocol=UDP ${DRY}`),
  exact(`expose rc old --overrides={"spec":{"type":"NodePort"}} ${DRY}`),
  exact('expose deployment web'),
  exact(`expose service web --name=again --port=1,2 ${DRY}`),
  exact('expose deployment web'),
  code('expose pod bare --port=80'),
  code('expose deployment choosy'),
  code('expose configmap kube-root-ca.crt'),
  code('expose deployment gone'),
  code('expose'),
];
