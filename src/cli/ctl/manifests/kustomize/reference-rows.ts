import type { FieldRow } from './field-rows.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Fields that name objects of a kind. */
export interface ReferenceRow {
  /** The kind that is named; absent parts match anything. */
  readonly target: Omit<FieldRow, 'path'>;
  readonly fields: readonly FieldRow[];
}

const RBAC = { group: 'group.rbac' } as const;

/** Where pods are described, by kind. */
const IN_TEMPLATE = 'spec/template/spec';
const PODS: readonly [kind: string, path: string][] = [
  ['Pod', 'spec'],
  ['PodTemplate', 'template/spec'],
  ['Deployment', IN_TEMPLATE],
  ['ReplicaSet', IN_TEMPLATE],
  ['DaemonSet', IN_TEMPLATE],
  ['StatefulSet', IN_TEMPLATE],
  ['Job', IN_TEMPLATE],
  ['CronJob', 'spec/jobTemplate/spec/template/spec'],
];

/** As kustomize has it, some references are not followed from replica sets but from replication controllers. */
const OTHER_PODS: readonly [kind: string, path: string][] = [
  ...PODS.filter(([kind]) => kind !== 'PodTemplate' && kind !== 'ReplicaSet'),
  ['ReplicationController', IN_TEMPLATE],
];

function inPods(paths: readonly string[], pods = PODS): FieldRow[] {
  return pods.flatMap(([kind, spec]) => paths.map((path) => ({ path: `${spec}/${path}`, kind })));
}

/** Environment variables of containers that come from elsewhere. */
function inEnvironments(key: string, from: string): string[] {
  return ['containers', 'initContainers'].flatMap((containers) => [
    `${containers}/env/valueFrom/${key}/name`,
    `${containers}/envFrom/${from}/name`,
  ]);
}

function rows(path: string, kinds: readonly string[], more: Omit<FieldRow, 'path'> = {}): FieldRow[] {
  return kinds.map((kind) => ({ path, kind, ...more }));
}

const RULES = rows('rules/resourceNames', ['Role', 'ClusterRole']);

/** Every reference by name that there is between built-in kinds, as kustomize knows them. */
export function referenceRows(vocabulary: Vocabulary): readonly ReferenceRow[] {
  const annotated = (name: string): FieldRow[] =>
    vocabulary.ingressAnnotations(name).map((annotation) => ({
      path: `metadata/annotations/${annotation.replaceAll('/', '\\/')}`,
      kind: 'Ingress',
    }));
  return [
    ...['Deployment', 'ReplicationController', 'ReplicaSet', 'StatefulSet'].map((kind) => ({
      target: { kind },
      fields: rows('spec/scaleTargetRef/name', ['HorizontalPodAutoscaler']),
    })),
    {
      target: { kind: 'ConfigMap', version: 'v1' },
      fields: [
        ...inPods([
          'volumes/configMap/name',
          'volumes/projected/sources/configMap/name',
          ...inEnvironments('configMapKeyRef', 'configMapRef'),
        ]),
        ...rows('spec/configSource/configMap', ['Node']),
        ...RULES,
        ...annotated('nginx.ingress.DOMAIN/fastcgi-params-configmap'),
      ],
    },
    {
      target: { kind: 'Secret', version: 'v1' },
      fields: [
        ...inPods([
          'volumes/secret/secretName',
          'volumes/projected/sources/secret/name',
          'imagePullSecrets/name',
          ...inEnvironments('secretKeyRef', 'secretRef'),
        ]),
        ...rows('spec/tls/secretName', ['Ingress']),
        ...annotated('ingress.DOMAIN/auth-secret'),
        ...annotated('nginx.ingress.DOMAIN/auth-secret'),
        ...annotated('nginx.ingress.DOMAIN/auth-tls-secret'),
        ...rows('imagePullSecrets/name', ['ServiceAccount']),
        ...['secretName', 'adminSecretName', 'userSecretName', 'secretRef'].flatMap((name) =>
          rows(`parameters/${name}`, ['StorageClass']),
        ),
        ...RULES,
        ...rows('spec/azureFile/secretName', ['PersistentVolume']),
      ],
    },
    ...OTHER_REFERENCES,
  ];
}

const BACKENDS = [
  'spec/rules/http/paths/backend/serviceName',
  'spec/backend/serviceName',
  'spec/rules/http/paths/backend/service/name',
  'spec/defaultBackend/service/name',
];

const OTHER_REFERENCES: readonly ReferenceRow[] = [
  {
    target: { kind: 'Service', version: 'v1' },
    fields: [
      { path: 'spec/serviceName', kind: 'StatefulSet', groupName: 'apps' },
      ...BACKENDS.flatMap((path) => rows(path, ['Ingress'])),
      { path: 'spec/service/name', kind: 'APIService', group: 'group.apiregistration' },
      ...rows(
        'webhooks/clientConfig/service',
        ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'],
        {
          group: 'group.admissionregistration',
        },
      ),
    ],
  },
  { target: { kind: 'Role', ...RBAC }, fields: rows('roleRef/name', ['RoleBinding'], RBAC) },
  {
    target: { kind: 'ClusterRole', ...RBAC },
    fields: rows('roleRef/name', ['RoleBinding', 'ClusterRoleBinding'], RBAC),
  },
  {
    target: { kind: 'ServiceAccount', version: 'v1' },
    fields: [
      ...rows('subjects', ['RoleBinding', 'ClusterRoleBinding'], RBAC),
      ...inPods(['serviceAccountName'], OTHER_PODS),
    ],
  },
  {
    target: { kind: 'PersistentVolumeClaim', version: 'v1' },
    fields: inPods(['volumes/persistentVolumeClaim/claimName'], OTHER_PODS),
  },
  {
    target: { kind: 'PersistentVolume', version: 'v1' },
    fields: [
      ...rows('spec/volumeName', ['PersistentVolumeClaim']),
      ...rows('rules/resourceNames', ['ClusterRole']),
    ],
  },
  {
    target: { kind: 'StorageClass', version: 'v1', group: 'group.storage' },
    fields: [
      ...rows('spec/storageClassName', ['PersistentVolume', 'PersistentVolumeClaim']),
      ...rows('spec/volumeClaimTemplates/spec/storageClassName', ['StatefulSet']),
    ],
  },
  {
    target: { kind: 'PriorityClass', version: 'v1', group: 'group.scheduling' },
    fields: inPods(['priorityClassName'], OTHER_PODS),
  },
  {
    target: { kind: 'ValidatingAdmissionPolicy', group: 'group.admissionregistration' },
    fields: rows('spec/policyName', ['ValidatingAdmissionPolicyBinding'], {
      group: 'group.admissionregistration',
    }),
  },
];
