import type { KubeObject } from '../../../../src/client/index.ts';
import type { Workload } from '../objects.ts';
import { workload, type Step } from './step.ts';

interface Owned extends KubeObject {
  readonly metadata: KubeObject['metadata'] & { readonly ownerReferences?: readonly unknown[] };
}

/** Deployments are deleted without what they own, with it, and after it. */
export const deleteOwners: Step = async (cluster, namespace) => {
  for (const name of ['orphan', 'background', 'foreground']) {
    await cluster.create(workload('Deployment', { name, namespace, replicas: 2 }));
    await cluster.until<Workload>({
      what: `${name} is available`,
      of: ['apps/v1', 'Deployment'],
      namespace,
      holds: (all) =>
        all.some(({ metadata, status }) => metadata.name === name && status?.availableReplicas === 2),
    });
    await cluster.kubectl(`-n ${namespace} delete deployment/${name} --cascade=${name}`);
  }
  const of = ['apps/v1', 'ReplicaSet'] as const;
  const sets = await cluster.until<Owned>({
    what: 'one ReplicaSet stays, which nobody owns',
    of,
    namespace,
    labelSelector: 'app in (orphan,background,foreground)',
    holds: (all) => all.length === 1 && all.every(({ metadata }) => metadata.ownerReferences === undefined),
  });
  return sets.map(({ metadata }) => `left: ${metadata.labels?.['app']}`);
};
