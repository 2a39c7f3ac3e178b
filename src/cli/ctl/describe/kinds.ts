import type { NamingProfile } from '../../../names/profile.ts';
import type { ApiResource } from '../api/resource.ts';
import type { Describer } from './describer.ts';
import { groupName, type KindName } from './world.ts';

/** A kind that has a description of its own; how that is made is loaded when it is asked for. */
export interface DescribedKind extends KindName {
  /** The version that is read, where it is not the one that was asked for. */
  readonly version?: string;
  load(): Promise<Describer>;
}

/** A line here and a file in `kinds/` are all that a new one needs. */
export const DESCRIBED_KINDS: readonly DescribedKind[] = [
  { group: '', kind: 'Pod', load: async () => (await import('./kinds/pod.ts')).pod },
  {
    group: '',
    kind: 'ReplicationController',
    load: async () => (await import('./kinds/replica-set.ts')).replicationController,
  },
  { group: '', kind: 'Service', load: async () => (await import('./kinds/service.ts')).service },
  { group: '', kind: 'ConfigMap', load: async () => (await import('./kinds/data.ts')).configMap },
  { group: '', kind: 'Secret', load: async () => (await import('./kinds/data.ts')).secret },
  { group: '', kind: 'Node', load: async () => (await import('./kinds/node.ts')).node },
  { group: '', kind: 'Namespace', load: async () => (await import('./kinds/namespace.ts')).namespace },
  {
    group: '',
    kind: 'PersistentVolumeClaim',
    load: async () => (await import('./kinds/volume.ts')).persistentVolumeClaim,
  },
  {
    group: '',
    kind: 'PersistentVolume',
    load: async () => (await import('./kinds/volume.ts')).persistentVolume,
  },
  { group: 'apps', kind: 'Deployment', load: async () => (await import('./kinds/deployment.ts')).deployment },
  {
    group: 'apps',
    kind: 'ReplicaSet',
    load: async () => (await import('./kinds/replica-set.ts')).replicaSet,
  },
  {
    group: 'apps',
    kind: 'StatefulSet',
    load: async () => (await import('./kinds/stateful-set.ts')).statefulSet,
  },
  { group: 'apps', kind: 'DaemonSet', load: async () => (await import('./kinds/daemon-set.ts')).daemonSet },
  { group: 'batch', kind: 'Job', load: async () => (await import('./kinds/job.ts')).job },
  { group: 'batch', kind: 'CronJob', load: async () => (await import('./kinds/job.ts')).cronJob },
  {
    group: 'group.networking',
    kind: 'Ingress',
    load: async () => (await import('./kinds/ingress.ts')).ingress,
  },
  {
    group: '',
    kind: 'ServiceAccount',
    load: async () => (await import('./kinds/service-account.ts')).serviceAccount,
  },
  { group: '', kind: 'ResourceQuota', load: async () => (await import('./kinds/quota.ts')).resourceQuota },
  { group: '', kind: 'LimitRange', load: async () => (await import('./kinds/quota.ts')).limitRange },
  { group: '', kind: 'Endpoints', load: async () => (await import('./kinds/endpoints.ts')).endpoints },
  {
    group: 'group.discovery',
    kind: 'EndpointSlice',
    load: async () => (await import('./kinds/endpoints.ts')).endpointSlice,
  },
  {
    group: 'group.networking',
    kind: 'IngressClass',
    load: async () => (await import('./kinds/classes.ts')).ingressClass,
  },
  {
    group: 'group.networking',
    kind: 'NetworkPolicy',
    load: async () => (await import('./kinds/network-policy.ts')).networkPolicy,
  },
  { group: 'group.rbac', kind: 'Role', load: async () => (await import('./kinds/rbac.ts')).role },
  { group: 'group.rbac', kind: 'ClusterRole', load: async () => (await import('./kinds/rbac.ts')).role },
  {
    group: 'group.rbac',
    kind: 'RoleBinding',
    load: async () => (await import('./kinds/rbac.ts')).roleBinding,
  },
  {
    group: 'group.rbac',
    kind: 'ClusterRoleBinding',
    load: async () => (await import('./kinds/rbac.ts')).roleBinding,
  },
  {
    group: 'policy',
    kind: 'PodDisruptionBudget',
    load: async () => (await import('./kinds/disruption-budget.ts')).podDisruptionBudget,
  },
  {
    group: 'autoscaling',
    kind: 'HorizontalPodAutoscaler',
    version: 'v2',
    load: async () => (await import('./kinds/autoscaler.ts')).horizontalPodAutoscaler,
  },
  {
    group: 'group.scheduling',
    kind: 'PriorityClass',
    load: async () => (await import('./kinds/classes.ts')).priorityClass,
  },
  {
    group: 'group.storage',
    kind: 'StorageClass',
    load: async () => (await import('./kinds/classes.ts')).storageClass,
  },
  {
    group: 'group.storage',
    kind: 'VolumeAttributesClass',
    load: async () => (await import('./kinds/classes.ts')).volumeAttributesClass,
  },
  {
    group: 'group.storage',
    kind: 'CSINode',
    load: async () => (await import('./kinds/csi-node.ts')).csiNode,
  },
  {
    group: 'group.certificates',
    kind: 'CertificateSigningRequest',
    load: async () => (await import('./kinds/certificate-request.ts')).certificateSigningRequest,
  },
];

/** The row of a resource's kind; undefined for those that are described by all of their fields. */
export function describedKind(
  { group, kind }: Pick<ApiResource, 'group' | 'kind'>,
  names: NamingProfile,
): DescribedKind | undefined {
  return DESCRIBED_KINDS.find((row) => row.kind === kind && groupName(names, row.group) === group);
}
