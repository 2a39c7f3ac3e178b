import { isReady, type Pod, type Workload } from '../objects.ts';
import type { Cluster } from '../cluster.ts';
import { workload, type Step } from './step.ts';

/** A StatefulSet grows and shrinks in order. */
export const scaleStatefulSet: Step = async (cluster, namespace) => {
  const set = workload('StatefulSet', { name: 'db', namespace, replicas: 3 });
  await cluster.create({ ...set, spec: { ...set.spec, serviceName: 'db' } });
  const three = await members(cluster, namespace, 3);
  await cluster.kubectl(`-n ${namespace} scale statefulset/db --replicas=5`);
  const five = await members(cluster, namespace, 5);
  await cluster.kubectl(`-n ${namespace} scale statefulset/db --replicas=1`);
  return [...three, ...five, ...(await members(cluster, namespace, 1))];
};

async function members(cluster: Cluster, namespace: string, count: number): Promise<string[]> {
  const pods = await cluster.until<Pod>({
    what: `the StatefulSet has ${count} pods`,
    of: ['v1', 'Pod'],
    namespace,
    labelSelector: 'app=db',
    holds: (all) => all.length === count && all.every(isReady),
  });
  await cluster.until<Workload>({
    what: `the StatefulSet says that it has ${count} pods`,
    of: ['apps/v1', 'StatefulSet'],
    namespace,
    holds: ([set]) => set?.status?.replicas === count && set.status.readyReplicas === count,
  });
  return [
    `members: ${pods
      .map(({ metadata }) => metadata.name)
      .sort()
      .join()}`,
  ];
}

/** A DaemonSet runs on every node. */
export const runDaemons: Step = async (cluster, namespace) => {
  await cluster.create(workload('DaemonSet', { name: 'agent', namespace }));
  const pods = await cluster.until<Pod>({
    what: 'the DaemonSet has a pod on every node',
    of: ['v1', 'Pod'],
    namespace,
    labelSelector: 'app=agent',
    holds: (all) => all.length === cluster.nodes.length && all.every(isReady),
  });
  return [
    `daemons on ${pods
      .map(({ spec }) => spec.nodeName)
      .sort()
      .join()}`,
  ];
};
