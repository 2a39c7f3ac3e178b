import { code, exact, exactOnReference, type Line } from './lines.ts';

/** A node of each program's own, with a pod of every fate. */
export const DRAINED = (namespace: string): string =>
  [
    `apiVersion: v1
kind: Node
metadata: {name: node-${namespace}, labels: {of: ${namespace}}}
`,
    `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: daemons}
spec:
  selector: {matchLabels: {app: daemon}}
  template: {metadata: {labels: {app: daemon}}, spec: {containers: [{name: c, image: i}]}}
`,
    pod('managed', namespace, owner('ReplicaSet', 'web')),
    pod('daemon', namespace, owner('DaemonSet', 'daemons')),
    pod('alone', namespace, ''),
    pod('stores', namespace, owner('StatefulSet', 'db'), 'volumes: [{name: v, emptyDir: {}}]'),
  ].join('---\n');

function pod(name: string, namespace: string, metadata: string, spec = ''): string {
  return `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  labels: {name: ${name}}
  ${metadata}
spec:
  nodeName: node-${namespace}
  containers: [{name: c, image: i}]
  ${spec}
`;
}

function owner(kind: string, name: string): string {
  return `ownerReferences: [{apiVersion: apps/v1, kind: ${kind}, name: ${name}, uid: of-${name}, controller: true}]`;
}

/** In an order in which each finds what those before it left. */
export const DRAIN_LINES: readonly Line[] = [
  code('cordon'),
  code('cordon nowhere'),
  exact('cordon node-NAMESPACE --dry-run=client'),
  exact('cordon node-NAMESPACE --dry-run=server'),
  exact('cordon -l of=NAMESPACE'),
  exact('cordon node/node-NAMESPACE'),
  exact('get node node-NAMESPACE -o jsonpath={.spec}'),
  exact('uncordon node-NAMESPACE'),
  exact('uncordon node-NAMESPACE'),
  exact('get node node-NAMESPACE -o jsonpath={.spec}'),
  exact('drain node-NAMESPACE'),
  exact('drain node-NAMESPACE --ignore-daemonsets'),
  exact('drain node-NAMESPACE --ignore-daemonsets --pod-selector=name=managed --dry-run=client'),
  exactOnReference('drain node-NAMESPACE --ignore-daemonsets --pod-selector=name=managed --dry-run=server'),
  // Our server doesn't serve pods/eviction yet; kubectl takes that for pods that are gone.
  exactOnReference('drain node-NAMESPACE --ignore-daemonsets --pod-selector=name=managed --grace-period=0'),
  exactOnReference('get pods -o name'),
  exact(
    'drain node-NAMESPACE --ignore-daemonsets --force --pod-selector=name=alone --disable-eviction --grace-period=0',
  ),
  exactOnReference(
    'drain node-NAMESPACE --ignore-daemonsets --delete-emptydir-data --grace-period=0 --pod-selector=name=stores',
  ),
  exactOnReference('get pods -o name'),
  exactOnReference('drain node-NAMESPACE --ignore-daemonsets'),
];
