import type { KubeObject } from '../../../src/client/index.ts';
import type { Cluster } from './cluster.ts';
import { autoscale } from './steps/autoscaler.ts';
import { drainNode } from './steps/drain.ts';
import { completeJobs, fireCronJob } from './steps/jobs.ts';
import { deleteOwners } from './steps/owners.ts';
import { countQuota } from './steps/quota.ts';
import { rollOut } from './steps/rollout.ts';
import { runDaemons, scaleStatefulSet } from './steps/sets.ts';
import type { Step } from './steps/step.ts';
import { bindClaims } from './steps/volumes.ts';

/** In this order, but that the CronJob waits for its minute beside them all. */
const STEPS: Readonly<Record<string, Step>> = {
  rollOut,
  scaleStatefulSet,
  completeJobs,
  countQuota,
  bindClaims,
  autoscale,
  deleteOwners,
  runDaemons,
  drainNode,
};

/** Runs all steps once, in a namespace of their own. @returns what each saw, a line each */
export async function runCycle(cluster: Cluster, namespace: string): Promise<string[]> {
  await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await given(cluster, namespace, 'ServiceAccount', 'default');
  await given(cluster, namespace, 'ConfigMap', 'kube-root-ca.crt');
  const fired = fireCronJob(cluster, namespace);
  fired.catch(() => undefined); // The steps go first.
  const seen: string[] = [];
  for (const [name, step] of Object.entries(STEPS)) {
    for (const line of await step(cluster, namespace)) seen.push(`${name}: ${line}`);
  }
  for (const line of await fired) seen.push(`fireCronJob: ${line}`);
  await cluster.kubectl(`delete namespace ${namespace}`);
  return seen;
}

/** Waits for what controllers put into every namespace. */
async function given(cluster: Cluster, namespace: string, kind: string, name: string): Promise<void> {
  await cluster.until<KubeObject>({
    what: `the namespace gets its ${kind} ${name}`,
    of: ['v1', kind],
    namespace,
    holds: (all) => all.some(({ metadata }) => metadata.name === name),
  });
}
