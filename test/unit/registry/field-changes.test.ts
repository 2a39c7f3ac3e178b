import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../src/meta/object.ts';
import { atPointer, translate } from '../../golden/runner/text.ts';
import { readRuleGroups } from '../../support/rule-cases.ts';
import { PROFILES } from '../../support/schemas.ts';
import { Cluster } from '../verbs/cluster.ts';

/** What changed with the version that replaces a removed one: a write, and what comes of it. */
interface Change {
  readonly title: string;
  readonly path: string;
  readonly object: JsonObject;
  /** Reason and field of each cause; the fields that nobody knows; or none: it is created. */
  readonly refused?: readonly string[];
  readonly unknown?: string;
  /** Values of what is created, by JSON pointer. */
  readonly has?: Readonly<Record<string, Json>>;
}

type Refusal = [title: string, fields: JsonObject, refused: string[]];

/** Versions that are gone, by the release that they are gone in. */
const REMOVED: readonly (readonly [release: string, ...versions: string[]])[] = [
  ['1.32', 'flowcontrol.apiserver.k8s.io/v1beta3/flowschemas'],
  ['1.29', 'flowcontrol.apiserver.k8s.io/v1beta2/prioritylevelconfigurations'],
  ['1.27', 'storage.k8s.io/v1beta1/csistoragecapacities'],
  [
    '1.26',
    'flowcontrol.apiserver.k8s.io/v1beta1/flowschemas',
    'autoscaling/v2beta2/horizontalpodautoscalers',
  ],
  [
    '1.25',
    'batch/v1beta1/cronjobs',
    'discovery.k8s.io/v1beta1/endpointslices',
    'events.k8s.io/v1beta1/events',
    'autoscaling/v2beta1/horizontalpodautoscalers',
    'policy/v1beta1/poddisruptionbudgets',
    'policy/v1beta1/podsecuritypolicies',
    'node.k8s.io/v1beta1/runtimeclasses',
  ],
  [
    '1.22',
    'admissionregistration.k8s.io/v1beta1/validatingwebhookconfigurations',
    'apiextensions.k8s.io/v1beta1/customresourcedefinitions',
    'apiregistration.k8s.io/v1beta1/apiservices',
    'authentication.k8s.io/v1beta1/tokenreviews',
    'certificates.k8s.io/v1beta1/certificatesigningrequests',
    'coordination.k8s.io/v1beta1/leases',
    'extensions/v1beta1/ingresses',
    'networking.k8s.io/v1beta1/ingresses',
    'rbac.authorization.k8s.io/v1beta1/roles',
    'scheduling.k8s.io/v1beta1/priorityclasses',
    'storage.k8s.io/v1beta1/csidrivers',
  ],
  ['1.16', 'apps/v1beta1/deployments', 'apps/v1beta2/daemonsets', 'extensions/v1beta1/networkpolicies'],
];

const APPS = '/apis/apps/v1/namespaces/default';
const LABELS = { app: 'a' };
const template = { metadata: { labels: LABELS }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const workload = (fields: JsonObject = {}): JsonObject => ({
  spec: { selector: { matchLabels: LABELS }, template, ...fields },
});
const ingress = (path: JsonObject): JsonObject => ({
  spec: { rules: [{ http: { paths: [{ path: '/', ...path }] } }] },
});
const service = { service: { name: 's', port: { number: 80 } } };

const level = (limited: JsonObject): JsonObject => ({
  spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' }, ...limited } },
});
const LEVELS = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations';
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const INGRESSES = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
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
const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const sample = readRuleGroups('updates').find(({ path }) => path === REQUESTS)?.object['spec'] as JsonObject;
const request = (fields: JsonObject): JsonObject => ({ spec: { ...sample, ...fields } });

const CHANGES: readonly Change[] = [
  ...['deployments', 'replicasets'].map((resource): Change => ({
    title: `selectors are required: ${resource}`,
    path: `${APPS}/${resource}`,
    object: { spec: { template } },
    refused: ['Required spec.selector', 'Invalid spec.template.metadata.labels'],
  })),
  {
    title: 'progressDeadlineSeconds is 600, revisionHistoryLimit 10, maxSurge and maxUnavailable 25 %',
    path: `${APPS}/deployments`,
    object: workload(),
    has: {
      '/spec/progressDeadlineSeconds': 600,
      '/spec/revisionHistoryLimit': 10,
      '/spec/strategy': { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    },
  },
  {
    title: 'updates of DaemonSets roll',
    path: `${APPS}/daemonsets`,
    object: workload(),
    has: { '/spec/updateStrategy/type': 'RollingUpdate', '/spec/revisionHistoryLimit': 10 },
  },
  {
    title: 'updates of StatefulSets roll',
    path: `${APPS}/statefulsets`,
    object: workload({ serviceName: 's' }),
    has: { '/spec/updateStrategy/type': 'RollingUpdate', '/spec/revisionHistoryLimit': 10 },
  },
  {
    title: 'rollbackTo is gone',
    path: `${APPS}/deployments`,
    object: workload({ rollbackTo: { revision: 1 } }),
    unknown: 'spec.rollbackTo',
  },
  {
    title: 'templateGeneration is gone',
    path: `${APPS}/daemonsets`,
    object: workload({ templateGeneration: 1 }),
    unknown: 'spec.templateGeneration',
  },
  {
    title: 'shares of priority levels are 30 when nothing is said',
    path: LEVELS,
    object: level({}),
    has: { '/spec/limited/nominalConcurrencyShares': 30 },
  },
  {
    title: 'no shares of priority levels stay none',
    path: LEVELS,
    object: level({ nominalConcurrencyShares: 0 }),
    has: { '/spec/limited/nominalConcurrencyShares': 0 },
  },
  {
    title: 'assuredConcurrencyShares have another name',
    path: LEVELS,
    object: level({ assuredConcurrencyShares: 5 }),
    unknown: 'spec.limited.assuredConcurrencyShares',
  },
  {
    title: 'a budget with an empty selector is for all pods',
    path: BUDGETS,
    object: { spec: { minAvailable: 1, selector: {} } },
    has: { '/spec/selector': {} },
  },
  {
    title: 'a budget without a selector is for none',
    path: BUDGETS,
    object: { spec: { minAvailable: 1 } },
    has: { '/spec': { minAvailable: 1 } },
  },
  {
    title: 'endpoints have no topology',
    path: SLICES,
    object: { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'], topology: { a: 'b' } }] },
    unknown: 'endpoints[0].topology',
  },
  {
    title: 'the topology that endpoints had cannot be written',
    path: SLICES,
    object: {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.0.0.1'], deprecatedTopology: { a: 'b' }, nodeName: 'n', zone: 'z' }],
    },
    has: { '/endpoints/0': { addresses: ['10.0.0.1'], conditions: {}, nodeName: 'n', zone: 'z' } },
  },
  {
    title: 'webhooks fail closed, for 10 seconds, and match what is equivalent',
    path: WEBHOOKS,
    object: webhook({}),
    has: {
      '/webhooks/0/failurePolicy': 'Fail',
      '/webhooks/0/matchPolicy': 'Equivalent',
      '/webhooks/0/timeoutSeconds': 10,
    },
  },
  ...(
    [
      [
        'webhooks say whether they have side effects',
        { sideEffects: null },
        ['Required webhooks[0].sideEffects'],
      ],
      ['webhooks have none that matter', { sideEffects: 'Some' }, ['NotSupported webhooks[0].sideEffects']],
      [
        'webhooks say which reviews they understand',
        { admissionReviewVersions: [] },
        ['Required webhooks[0].admissionReviewVersions'],
      ],
    ] satisfies Refusal[]
  ).map(([title, fields, refused]): Change => ({ title, path: WEBHOOKS, object: webhook(fields), refused })),
  {
    title: 'webhooks of a configuration have different names',
    path: WEBHOOKS,
    object: { webhooks: [webhook({}), webhook({})].flatMap(({ webhooks }) => webhooks as JsonObject[]) },
    refused: ['Duplicate webhooks[1].name'],
  },
  ...(
    [
      ['certificates are asked of a signer', { signerName: null }, ['Required spec.signerName']],
      [
        'certificates cannot be asked of the signer of old ones',
        { signerName: 'kubernetes.io/legacy-unknown' },
        ['Invalid spec.signerName'],
      ],
      ['certificates have usages', { usages: [] }, ['Required spec.usages']],
      ['usages of certificates differ', { usages: ['any', 'any'] }, ['Duplicate spec.usages[1]']],
      ['usages of certificates are known', { usages: ['x'] }, ['NotSupported spec.usages[0]']],
    ] satisfies Refusal[]
  ).map(([title, fields, refused]): Change => ({ title, path: REQUESTS, object: request(fields), refused })),
  {
    title: 'paths of ingresses have a type',
    path: INGRESSES,
    object: ingress({ backend: service }),
    refused: ['Required spec.rules[0].http.paths[0].pathType'],
  },
  {
    title: 'paths of ingresses have a type that there is',
    path: INGRESSES,
    object: ingress({ backend: service, pathType: 'Regex' }),
    refused: ['NotSupported spec.rules[0].http.paths[0].pathType'],
  },
  {
    title: 'backends of ingresses are services',
    path: INGRESSES,
    object: ingress({ pathType: 'Exact', backend: { serviceName: 's' } }),
    unknown: 'spec.rules[0].http.paths[0].backend.serviceName',
  },
  {
    title: 'the backend of an ingress has another name',
    path: INGRESSES,
    object: { spec: { backend: service } },
    unknown: 'spec.backend',
  },
  {
    title: 'the backend of an ingress is its default',
    path: INGRESSES,
    object: { spec: { defaultBackend: service } },
    has: { '/spec/defaultBackend': service },
  },
];

for (const profile of PROFILES) {
  describe(`what changed with the versions that replace removed ones (${profile})`, () => {
    let cluster: Cluster;
    before(async () => (cluster = await Cluster.open({ profile, setting: 'default' })));
    after(() => cluster.close());

    for (const [release, ...versions] of REMOVED) {
      it(`not served since ${release}: ${versions.join(', ')}`, () => {
        for (const [group = '', version = '', resource = ''] of versions.map((text) =>
          translate(text, profile).split('/'),
        ))
          assert.equal(cluster.schemas.resource(group, version, resource), undefined, `${group}/${version}`);
      });
    }

    for (const change of CHANGES) {
      it(change.title, async () => {
        const { path, object, refused = [], unknown, has = {} } = translate(change, profile);
        const answer = await cluster.ask(`POST ${path}?dryRun=All&fieldValidation=Strict`, {
          body: { metadata: { name: 'x' }, ...object },
        });
        if (unknown !== undefined) {
          assert.equal(answer.status, 400);
          assert.match(JSON.stringify(answer.object), new RegExp(`\\b${unknown.replace(/[.[\]]/g, '\\$&')}`));
          return;
        }
        assert.deepEqual(causesOf(answer.object), [...refused].sort(), JSON.stringify(answer.object));
        for (const [pointer, value] of Object.entries(has))
          assert.deepEqual(plain(atPointer(answer.object, pointer)), value, pointer);
      });
    }

    it('selectors of workloads never change', async () => {
      for (const resource of ['deployments', 'replicasets', 'daemonsets']) {
        const path = `${APPS}/${resource}`;
        const made = await cluster.expect(201, `POST ${path}`, {
          body: { metadata: { name: 'w' }, ...workload() },
        });
        const changed = structuredClone(plain(made.object)) as {
          spec: { selector: JsonObject; template: JsonObject };
        };
        const labels = { ...LABELS, more: 'm' };
        changed.spec.selector = { matchLabels: labels };
        changed.spec.template = { ...changed.spec.template, metadata: { labels } };
        const answer = await cluster.ask(`PUT ${path}/w`, { body: changed });
        assert.deepEqual(causesOf(answer.object), ['Invalid spec.selector'], resource);
      }
    });
  });
}

function causesOf(object: JsonObject): string[] {
  const details = object['details'] as { causes?: { reason: string; field: string }[] } | undefined;
  return (details?.causes ?? [])
    .map(({ reason, field }) => `${reason.replace('FieldValue', '')} ${field}`)
    .sort();
}

function plain(value: Json | undefined): Json {
  return JSON.parse(JSON.stringify(value ?? null)) as Json;
}
