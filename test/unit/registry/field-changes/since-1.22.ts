import type { JsonObject } from '../../../../src/meta/object.ts';
import { readRuleGroups } from '../../../support/rule-cases.ts';
import { refusals, type Change, type Release } from './change.ts';
import { DEFINITION_CHANGES } from './definitions.ts';

const INGRESSES = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
const service = { service: { name: 's', port: { number: 80 } } };
const ingress = (path: JsonObject): JsonObject => ({
  spec: { rules: [{ http: { paths: [{ path: '/', pathType: 'Exact', backend: service, ...path }] } }] },
});

const ingressChanges: readonly Change[] = [
  ...refusals(INGRESSES, ingress, [
    ['paths of ingresses have a type', { pathType: null }, ['Required spec.rules[0].http.paths[0].pathType']],
    [
      'paths of ingresses have a type that there is',
      { pathType: 'Regex' },
      ['NotSupported spec.rules[0].http.paths[0].pathType'],
    ],
    ...['Prefix', 'Exact', 'ImplementationSpecific'].map(
      (pathType) => [`paths of ingresses may be ${pathType}`, { pathType }, []] as const,
    ),
    [
      'ports of services have a name or a number',
      { backend: { service: { name: 's', port: { name: 'http', number: 80 } } } },
      ['Invalid spec.rules[0].http.paths[0].backend'],
    ],
  ]),
  ...(['serviceName', 'servicePort'] as const).map((field): Change => ({
    title: `backends of ingresses are services: ${field}`,
    path: INGRESSES,
    object: ingress({ backend: { [field]: 's' } }),
    unknown: `spec.rules[0].http.paths[0].backend.${field}`,
  })),
  {
    title: 'the backend of an ingress has another name',
    path: INGRESSES,
    object: { spec: { backend: service } },
    unknown: 'spec.backend',
  },
  {
    title: 'the backend of an ingress is its default',
    path: INGRESSES,
    object: { spec: { defaultBackend: { service: { name: 's', port: { name: 'http' } } } } },
    has: { '/spec/defaultBackend': { service: { name: 's', port: { name: 'http' } } } },
  },
];

const webhook = (fields: JsonObject): JsonObject => ({
  webhooks: [
    {
      name: 'w.x.y',
      clientConfig: { url: 'https://127.0.0.1:1/x' },
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      ...fields,
    },
  ],
});
const WEBHOOKS = ['validating', 'mutating'].map(
  (kind) => `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`,
);

const webhookChanges = WEBHOOKS.flatMap((path): Change[] => [
  {
    title: 'webhooks fail closed, for 10 seconds, and match what is equivalent',
    path,
    object: webhook({}),
    has: {
      '/webhooks/0/failurePolicy': 'Fail',
      '/webhooks/0/matchPolicy': 'Equivalent',
      '/webhooks/0/timeoutSeconds': 10,
    },
  },
  ...refusals(path, webhook, [
    [
      'webhooks say whether they have side effects',
      { sideEffects: null },
      ['Required webhooks[0].sideEffects'],
    ],
    ['webhooks may have none on dry runs', { sideEffects: 'NoneOnDryRun' }, []],
    ...['Some', 'Unknown'].map(
      (sideEffects) =>
        [
          `webhooks have none that matter: ${sideEffects}`,
          { sideEffects },
          ['NotSupported webhooks[0].sideEffects'],
        ] as const,
    ),
    [
      'webhooks say which reviews they understand',
      { admissionReviewVersions: [] },
      ['Required webhooks[0].admissionReviewVersions'],
    ],
  ]),
  {
    title: 'webhooks of a configuration have different names',
    path,
    object: { webhooks: [webhook({}), webhook({})].flatMap(({ webhooks }) => webhooks as JsonObject[]) },
    refused: ['Duplicate webhooks[1].name'],
  },
]);

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const sample = readRuleGroups('updates').find(({ path }) => path === REQUESTS)?.object['spec'] as JsonObject;
const request = (fields: JsonObject): JsonObject => ({ spec: { ...sample, ...fields } });
const before = { spec: sample };
const approved = { type: 'Approved', status: 'True', reason: 'r', message: 'm' };
const pem = (label: string): string =>
  Buffer.from(`-----BEGIN ${label}-----\nTUlJQg==\n-----END ${label}-----\n`).toString('base64');

const requestChanges: readonly Change[] = [
  ...refusals(REQUESTS, request, [
    ['certificates are asked of a signer', { signerName: null }, ['Required spec.signerName']],
    [
      'certificates cannot be asked of the signer of old ones',
      { signerName: 'kubernetes.io/legacy-unknown' },
      ['Invalid spec.signerName'],
    ],
    ['certificates have usages', { usages: [] }, ['Required spec.usages']],
    ['usages of certificates differ', { usages: ['any', 'any'] }, ['Duplicate spec.usages[1]']],
    ['usages of certificates are known', { usages: ['x'] }, ['NotSupported spec.usages[0]']],
  ]),
  {
    title: 'conditions of requests for certificates differ in type',
    path: REQUESTS,
    updates: { before, subresource: 'approval' },
    object: { ...before, status: { conditions: [approved, approved] } },
    refused: ['Duplicate status.conditions[1].type'],
  },
  {
    title: 'conditions of requests for certificates have a status',
    path: REQUESTS,
    updates: { before, subresource: 'status' },
    object: { ...before, status: { conditions: [{ type: 'Odd' }] } },
    refused: ['Required status.conditions[0].status'],
  },
  {
    title: 'certificates are nothing but certificates',
    path: REQUESTS,
    updates: { before, subresource: 'status' },
    object: { ...before, status: { certificate: pem('RSA PRIVATE KEY') } },
    refused: ['Invalid status.certificate'],
  },
  {
    title: 'certificates are in PEM',
    path: REQUESTS,
    updates: { before, subresource: 'status' },
    object: { ...before, status: { certificate: Buffer.from('certificate').toString('base64') } },
    refused: ['Invalid status.certificate'],
  },
];

const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const review = { resourceAttributes: { verb: 'get', resource: 'pods' } };
const reviewChanges: readonly Change[] = [
  {
    title: 'the groups of reviews have another name',
    path: REVIEWS,
    object: { spec: { ...review, group: ['g'] } },
    unknown: 'spec.group',
  },
  {
    title: 'reviews are for users in groups',
    path: REVIEWS,
    object: { metadata: {}, spec: { ...review, groups: ['g'] } },
    has: { '/spec/groups': ['g'], '/status/allowed': false },
  },
];

const removed = (group: string, versions: readonly string[], ...resources: string[]): string[] =>
  versions.flatMap((version) => resources.map((resource) => `${group}/${version}/${resource}`));

export const SINCE_1_22: readonly Release[] = [
  {
    release: '1.22',
    removed: [
      ...removed(
        'admissionregistration.k8s.io',
        ['v1beta1'],
        'validatingwebhookconfigurations',
        'mutatingwebhookconfigurations',
      ),
      ...removed('apiextensions.k8s.io', ['v1beta1'], 'customresourcedefinitions'),
      ...removed('apiregistration.k8s.io', ['v1beta1'], 'apiservices'),
      ...removed('authentication.k8s.io', ['v1beta1'], 'tokenreviews'),
      ...removed(
        'authorization.k8s.io',
        ['v1beta1'],
        'localsubjectaccessreviews',
        'selfsubjectaccessreviews',
        'selfsubjectrulesreviews',
        'subjectaccessreviews',
      ),
      ...removed('certificates.k8s.io', ['v1beta1'], 'certificatesigningrequests'),
      ...removed('coordination.k8s.io', ['v1beta1'], 'leases'),
      ...removed('extensions', ['v1beta1'], 'ingresses'),
      ...removed('networking.k8s.io', ['v1beta1'], 'ingresses', 'ingressclasses'),
      ...removed(
        'rbac.authorization.k8s.io',
        ['v1beta1', 'v1alpha1'],
        'clusterroles',
        'clusterrolebindings',
        'roles',
        'rolebindings',
      ),
      ...removed('scheduling.k8s.io', ['v1beta1', 'v1alpha1'], 'priorityclasses'),
      ...removed(
        'storage.k8s.io',
        ['v1beta1'],
        'csidrivers',
        'csinodes',
        'storageclasses',
        'volumeattachments',
      ),
    ],
    changes: [
      ...webhookChanges,
      ...DEFINITION_CHANGES,
      ...reviewChanges,
      ...requestChanges,
      ...ingressChanges,
    ],
  },
];
