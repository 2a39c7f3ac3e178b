import type { Cluster } from '../cluster.ts';

/**
 * One thing that people do with a cluster, seen through to its end, in a namespace that is there and is deleted afterwards.
 *
 * @returns what it saw, which has to be the same on both servers
 * @throws Error when the cluster doesn't do what it should
 */
export type Step = (cluster: Cluster, namespace: string) => Promise<readonly string[]>;

/** A Deployment, ReplicaSet or DaemonSet of one container. */
export function workload(kind: string, { name, namespace, replicas }: WorkloadOptions) {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace },
    spec: {
      ...(replicas !== undefined && { replicas }),
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: 'main',
              image: 'example.com/main:1',
              resources: { requests: { cpu: '1m', memory: '1Mi' } },
            },
          ],
        },
      },
    },
  };
}

export interface WorkloadOptions {
  readonly name: string;
  readonly namespace: string;
  readonly replicas?: number;
}
