import type { AnyObject, KubeObject } from '../../../../src/client/index.ts';
import type { Cluster } from '../cluster.ts';
import type { Step } from './step.ts';

interface Quota extends KubeObject {
  readonly status?: {
    readonly hard?: Readonly<Record<string, string>>;
    readonly used?: Readonly<Record<string, string>>;
  };
}

/** A quota counts what is there, refuses what is too much, and notices what goes. */
export const countQuota: Step = async (cluster, namespace) => {
  await cluster.create({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'few', namespace },
    spec: { hard: { secrets: '2', 'count/leases.coordination.k8s.io': '2' } },
  });
  await used(cluster, namespace, '0');
  const secret = (name: string): AnyObject => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
  });
  await cluster.create(secret('one'));
  await cluster.create(secret('two'));
  const refused = await cluster.create(secret('three')).then(
    () => 'not refused',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  await used(cluster, namespace, '2');
  await cluster.kubectl(`-n ${namespace} delete secret/one`);
  await used(cluster, namespace, '1');
  return [refused.replaceAll(namespace, 'NAMESPACE')];
};

async function used(cluster: Cluster, namespace: string, count: string): Promise<void> {
  await cluster.until<Quota>({
    what: `the quota counts ${count}`,
    of: ['v1', 'ResourceQuota'],
    namespace,
    holds: ([quota]) => quota?.status?.used?.['secrets'] === count,
  });
}
