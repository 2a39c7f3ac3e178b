import type { KubeObject } from '../../../../src/client/index.ts';
import { isReady, told, type Condition, type Pod, type Workload } from '../objects.ts';
import { workload, type Step } from './step.ts';

interface Budget extends KubeObject {
  readonly status?: {
    readonly currentHealthy: number;
    readonly desiredHealthy: number;
    readonly disruptionsAllowed: number;
    readonly expectedPods: number;
    readonly conditions?: readonly Condition[];
  };
}

const REPLICAS = 6;

/** A node is drained of pods that a budget guards, and taken back. */
export const drainNode: Step = async (cluster, namespace) => {
  await cluster.create(workload('Deployment', { name: 'guarded', namespace, replicas: REPLICAS }));
  await cluster.create({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'guarded', namespace },
    spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'guarded' } } },
  });
  const pods = await cluster.until<Pod>({
    what: 'all guarded pods are ready',
    of: ['v1', 'Pod'],
    namespace,
    labelSelector: 'app=guarded',
    holds: (all) => all.length === REPLICAS && all.every(isReady),
  });
  const allows = {
    what: 'the budget allows one disruption',
    of: ['policy/v1', 'PodDisruptionBudget'] as const,
    namespace,
    holds: ([it]: Budget[]) => it?.status?.currentHealthy === REPLICAS && it.status.disruptionsAllowed === 1,
  };
  const [before] = await cluster.until<Budget>(allows);
  const node = pods[0]?.spec.nodeName ?? '';
  await cluster.kubectl(`drain ${node} --ignore-daemonsets --delete-emptydir-data --force --timeout=150s`);
  await cluster.until<Pod>({
    what: `${node} has no pods but daemons`,
    of: ['v1', 'Pod'],
    namespace,
    labelSelector: 'app!=agent',
    holds: (all) => all.every(({ spec }) => spec.nodeName !== node),
  });
  await cluster.until<Workload>({
    what: 'all guarded pods are available elsewhere',
    of: ['apps/v1', 'Deployment'],
    namespace,
    holds: (all) =>
      all.some(
        ({ metadata, status }) => metadata.name === 'guarded' && status?.availableReplicas === REPLICAS,
      ),
  });
  await cluster.kubectl(`uncordon ${node}`);
  const [after] = await cluster.until<Budget>(allows);
  return [before, after].map(budgetText);
};

function budgetText(budget: Budget | undefined): string {
  const { currentHealthy, desiredHealthy, expectedPods, conditions } = budget?.status ?? {};
  return `budget: ${currentHealthy} of ${expectedPods}, at least ${desiredHealthy} ${told(conditions).join()}`;
}
