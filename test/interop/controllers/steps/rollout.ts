import { told, type Workload } from '../objects.ts';
import type { Cluster } from '../cluster.ts';
import type { KubeObject } from '../../../../src/client/index.ts';
import { workload, type Step } from './step.ts';

const REPLICAS = 100;

interface EndpointSlice extends KubeObject {
  readonly endpoints: readonly { readonly conditions: { readonly ready: boolean } }[] | null;
}

interface Endpoints extends KubeObject {
  readonly subsets?: readonly { readonly addresses?: readonly unknown[] }[];
}

/** A Deployment of a hundred behind a Service rolls out and back, and shrinks. */
export const rollOut: Step = async (cluster, namespace) => {
  await cluster.create({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  });
  await cluster.create(workload('Deployment', { name: 'web', namespace, replicas: REPLICAS }));
  await rolledOut(cluster, namespace, 'example.com/main:1');
  await cluster.kubectl(`-n ${namespace} set image deployment/web main=example.com/main:2`);
  const second = await rolledOut(cluster, namespace, 'example.com/main:2');
  await cluster.kubectl(`-n ${namespace} rollout undo deployment/web`);
  const third = await rolledOut(cluster, namespace, 'example.com/main:1');
  const serving = await served(cluster, namespace, REPLICAS);
  await cluster.kubectl(`-n ${namespace} scale deployment/web --replicas=4`);
  await served(cluster, namespace, 4);
  return [...second, ...third, ...serving];
};

/** Waits as `kubectl rollout status` does. @returns conditions, and the sizes of the ReplicaSets by revision */
async function rolledOut(cluster: Cluster, namespace: string, image: string): Promise<string[]> {
  const [deployment] = await cluster.until<Workload>({
    what: `the Deployment rolls out ${image}`,
    of: ['apps/v1', 'Deployment'],
    namespace,
    holds: ([it]) =>
      it !== undefined &&
      it.spec.template.spec.containers[0]?.image === image &&
      it.status?.observedGeneration === it.metadata.generation &&
      it.status?.updatedReplicas === REPLICAS &&
      it.status?.availableReplicas === REPLICAS &&
      it.status?.replicas === REPLICAS,
  });
  const sets = await cluster.until<Workload>({
    what: 'old ReplicaSets are empty',
    of: ['apps/v1', 'ReplicaSet'],
    namespace,
    holds: (all) => all.reduce((sum, { status }) => sum + (status?.replicas ?? 0), 0) === REPLICAS,
  });
  const revision = 'deployment.kubernetes.io/revision';
  return [
    `revision ${deployment?.metadata.annotations?.[revision]}`,
    ...told(deployment?.status?.conditions),
    ...sets.map(({ metadata, status }) => `${metadata.annotations?.[revision]}: ${status?.replicas}`).sort(),
  ];
}

/** Waits until so many addresses stand behind the Service, in both kinds. */
async function served(cluster: Cluster, namespace: string, count: number): Promise<string[]> {
  await cluster.until<EndpointSlice>({
    what: `${count} ready endpoints`,
    of: ['discovery.k8s.io/v1', 'EndpointSlice'],
    namespace,
    holds: (slices) => {
      const endpoints = slices.flatMap((slice) => slice.endpoints ?? []);
      return endpoints.length === count && endpoints.every(({ conditions }) => conditions.ready);
    },
  });
  await cluster.until<Endpoints>({
    what: `${count} addresses`,
    of: ['v1', 'Endpoints'],
    namespace,
    holds: (all) =>
      all.flatMap(({ subsets = [] }) => subsets).flatMap((one) => one.addresses).length === count,
  });
  return [`${count} endpoints`];
}
