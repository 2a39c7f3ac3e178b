import type { SortOptions } from './kustomization.ts';
import type { Resource } from './resource.ts';
import type { ResourceSet } from './resource-set.ts';

/** What others need, before them. */
const FIRST = [
  'Namespace',
  'ResourceQuota',
  'StorageClass',
  'CustomResourceDefinition',
  'ServiceAccount',
  'PodSecurityPolicy',
  'Role',
  'ClusterRole',
  'RoleBinding',
  'ClusterRoleBinding',
  'ConfigMap',
  'Secret',
  'Endpoints',
  'Service',
  'LimitRange',
  'PriorityClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Deployment',
  'StatefulSet',
  'CronJob',
  'PodDisruptionBudget',
];
/** What may refuse others, after them. */
const LAST = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

/** Brings resources into the order in which they can be written; `fifo` leaves them as they were read. */
export function sortResources(resources: ResourceSet, options: SortOptions = { order: 'legacy' }): void {
  if (options.order === 'fifo') return;
  const { orderFirst, orderLast } = options.legacySortOptions ?? { orderFirst: FIRST, orderLast: LAST };
  const ranks = new Map<string, number>();
  for (const [at, kind] of orderFirst.entries()) ranks.set(kind, at - orderFirst.length);
  for (const [at, kind] of orderLast.entries()) ranks.set(kind, at + 1);
  const keys = new Map(resources.all.map((resource) => [resource, keyOf(resource, ranks)]));
  resources.sort((a, b) => compare(keys.get(a), keys.get(b)));
}

type Key = readonly [rank: number, kind: string, name: string];

function keyOf({ id }: Resource, ranks: ReadonlyMap<string, number>): Key {
  const { group, version, kind, name, namespace } = id;
  return [
    ranks.get(kind) ?? 0,
    [group || '~G', version || '~V', kind].join('_'),
    [namespace || '~X', name || '~N'].join('|'),
  ];
}

function compare(a: Key | undefined, b: Key | undefined): number {
  if (a === undefined || b === undefined) return 0;
  for (let i = 0; i < a.length; i++) {
    const [one, other] = [a[i] ?? '', b[i] ?? ''];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}
