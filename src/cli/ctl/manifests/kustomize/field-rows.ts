import type { FieldSpec } from './field-spec.ts';

/** A field of a built-in kind. */
export interface FieldRow extends Omit<FieldSpec, 'group'> {
  /** Identifier of the group in the naming profiles, or '' for one that has no domain in its name. */
  readonly group?: string;
  /** A group by its name. */
  readonly groupName?: string;
}

const APPS = { groupName: 'apps' } as const;
const BATCH = { groupName: 'batch' } as const;

/** The kinds that have `spec.template`, and what says which pods are theirs. */
const TEMPLATES: readonly (Omit<FieldRow, 'path'> & { readonly kind: string })[] = [
  { kind: 'ReplicationController', version: 'v1' },
  { kind: 'Deployment' },
  { kind: 'ReplicaSet' },
  { kind: 'DaemonSet' },
  { kind: 'StatefulSet', ...APPS },
  { kind: 'Job', ...BATCH },
];

const CRON_JOB_METADATA = ['spec/jobTemplate/metadata', 'spec/jobTemplate/spec/template/metadata'];

function metadataRows(field: 'labels' | 'annotations'): FieldRow[] {
  return [
    { path: `metadata/${field}`, create: true },
    ...TEMPLATES.map((row) => ({ ...row, path: `spec/template/metadata/${field}`, create: true })),
    ...CRON_JOB_METADATA.map((path) => ({
      path: `${path}/${field}`,
      kind: 'CronJob',
      ...BATCH,
      create: true,
    })),
  ];
}

/** Labels of objects and of what they make. */
export const TEMPLATE_LABEL_FIELDS: readonly FieldRow[] = [
  ...metadataRows('labels'),
  { path: 'spec/volumeClaimTemplates[]/metadata/labels', kind: 'StatefulSet', ...APPS, create: true },
];

export const ANNOTATION_FIELDS: readonly FieldRow[] = metadataRows('annotations').map((row) =>
  row.kind === 'StatefulSet' ? withoutGroup(row) : row,
);

function withoutGroup({ groupName: _group, ...row }: FieldRow): FieldRow {
  return row;
}

const AFFINITIES = ['podAffinity', 'podAntiAffinity'].flatMap((affinity) => [
  `affinity/${affinity}/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm`,
  `affinity/${affinity}/requiredDuringSchedulingIgnoredDuringExecution`,
]);

/** Where pods of a workload are told from others, so that they keep away from each other or spread. */
const SELECTORS_IN_PODS: readonly FieldRow[] = ['Deployment', 'StatefulSet'].flatMap((kind) =>
  [...AFFINITIES, 'topologySpreadConstraints'].map((path) => ({
    path: `spec/template/spec/${path}/labelSelector/matchLabels`,
    kind,
    ...APPS,
  })),
);

const POLICY_SELECTORS = ['spec/podSelector', 'spec/ingress/from/podSelector', 'spec/egress/to/podSelector'];

/** Labels, and the selectors that find them. */
export const LABEL_FIELDS: readonly FieldRow[] = [
  { path: 'spec/selector', kind: 'Service', version: 'v1', create: true },
  { path: 'spec/selector', kind: 'ReplicationController', version: 'v1', create: true },
  ...['Deployment', 'ReplicaSet', 'DaemonSet'].map((kind) => ({
    path: 'spec/selector/matchLabels',
    kind,
    create: true,
  })),
  { path: 'spec/selector/matchLabels', kind: 'StatefulSet', ...APPS, create: true },
  ...SELECTORS_IN_PODS,
  { path: 'spec/selector/matchLabels', kind: 'Job', ...BATCH },
  { path: 'spec/jobTemplate/spec/selector/matchLabels', kind: 'CronJob', ...BATCH },
  { path: 'spec/selector/matchLabels', kind: 'PodDisruptionBudget', groupName: 'policy' },
  ...POLICY_SELECTORS.map((path) => ({
    path: `${path}/matchLabels`,
    kind: 'NetworkPolicy',
    group: 'group.networking',
  })),
  ...TEMPLATE_LABEL_FIELDS,
];

export const REPLICA_FIELDS: readonly FieldRow[] = [
  'Deployment',
  'ReplicationController',
  'ReplicaSet',
  'StatefulSet',
].map((kind) => ({ path: 'spec/replicas', kind, create: true }));

/** Where a namespace is named, but for metadata. */
export const NAMESPACE_FIELDS: readonly FieldRow[] = [
  { path: 'metadata/name', kind: 'Namespace', groupName: '', version: 'v1', create: true },
  { path: 'spec/service/namespace', kind: 'APIService', group: 'group.apiregistration', create: true },
  {
    path: 'spec/conversion/webhook/clientConfig/service/namespace',
    kind: 'CustomResourceDefinition',
    group: 'group.apiextensions',
  },
];
