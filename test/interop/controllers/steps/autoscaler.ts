import { told, type Condition, type Workload } from '../objects.ts';
import type { KubeObject } from '../../../../src/client/index.ts';
import { workload, type Step } from './step.ts';

interface Autoscaler extends KubeObject {
  readonly status?: { readonly currentReplicas?: number; readonly conditions?: readonly Condition[] };
}

/** An autoscaler reads the scale of its Deployment, raises it to its minimum, and says that nobody serves metrics. */
export const autoscale: Step = async (cluster, namespace) => {
  await cluster.create(workload('Deployment', { name: 'scaled', namespace, replicas: 1 }));
  await cluster.create({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'scaled', namespace },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'scaled' },
      minReplicas: 2,
      maxReplicas: 4,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
        },
      ],
    },
  });
  await cluster.until<Workload>({
    what: 'the autoscaler raises the Deployment to its minimum',
    of: ['apps/v1', 'Deployment'],
    namespace,
    holds: (all) => all.some(({ metadata, spec }) => metadata.name === 'scaled' && spec.replicas === 2),
  });
  const [autoscaler] = await cluster.until<Autoscaler>({
    what: 'the autoscaler has read the scale and found no metrics',
    of: ['autoscaling/v2', 'HorizontalPodAutoscaler'],
    namespace,
    holds: ([it]) =>
      it?.status?.currentReplicas === 2 &&
      (it.status.conditions?.some(({ reason }) => reason === 'FailedGetResourceMetric') ?? false),
  });
  const messages = autoscaler?.status?.conditions?.map(({ message }) => message ?? '') ?? [];
  return [...told(autoscaler?.status?.conditions), ...messages.sort()];
};
