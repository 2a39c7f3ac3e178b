import assert from 'node:assert/strict';
import { createObjectCodec } from '../../../src/registry/object-codec.ts';
import type { Json, JsonObject } from '../../../src/meta/object.ts';
import { convert, hooksOf, registry } from './samples.ts';

const codec = createObjectCodec({ schemas: registry, hooksOf, convert });

/** A stored object of a version that is no longer served, and what the Go API server of 1.32 makes of it. */
interface Old {
  readonly title: string;
  readonly resource: readonly [group: string, version: string, resource: string];
  readonly apiVersion: string;
  readonly stored: JsonObject;
  readonly read: Readonly<Record<string, Json>>;
}

const ingress = ['networking.k8s.io', 'v1', 'ingresses'] as const;
const levels = ['flowcontrol.apiserver.k8s.io', 'v1', 'prioritylevelconfigurations'] as const;
const budgets = ['policy', 'v1', 'poddisruptionbudgets'] as const;
const definitions = ['apiextensions.k8s.io', 'v1', 'customresourcedefinitions'] as const;
const autoscalers = ['autoscaling', 'v2', 'horizontalpodautoscalers'] as const;
const NO_PODS = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';

const OLD: readonly Old[] = [
  {
    title: 'backends of ingresses',
    resource: ingress,
    apiVersion: 'extensions/v1beta1',
    stored: {
      spec: {
        backend: { serviceName: 'd', servicePort: 'http' },
        rules: [
          {
            http: {
              paths: [
                {
                  path: '/a',
                  pathType: 'ImplementationSpecific',
                  backend: { serviceName: 's', servicePort: 80 },
                },
                {
                  path: '/b',
                  pathType: 'Prefix',
                  backend: { servicePort: 0, resource: { kind: 'K', name: 'n' } },
                },
              ],
            },
          },
        ],
      },
    },
    read: {
      'spec.defaultBackend': { service: { name: 'd', port: { name: 'http' } } },
      'spec.rules.0.http.paths.0.backend': { service: { name: 's', port: { number: 80 } } },
      'spec.rules.0.http.paths.1.backend': { resource: { apiGroup: null, kind: 'K', name: 'n' } },
    },
  },
  {
    title: 'a backend without a port',
    resource: ingress,
    apiVersion: 'networking.k8s.io/v1beta1',
    stored: { spec: { backend: { serviceName: 'd', servicePort: 0 } } },
    read: { 'spec.defaultBackend': { service: { name: 'd', port: {} } } },
  },
  ...['v1beta1', 'v1beta2'].map((version): Old => ({
    title: 'shares of priority levels',
    resource: levels,
    apiVersion: `flowcontrol.apiserver.k8s.io/${version}`,
    stored: {
      spec: {
        type: 'Limited',
        limited: { assuredConcurrencyShares: 7, limitResponse: { type: 'Reject' } },
      },
    },
    read: { 'spec.limited.nominalConcurrencyShares': 7 },
  })),
  {
    title: 'topology of endpoints',
    resource: ['discovery.k8s.io', 'v1', 'endpointslices'],
    apiVersion: 'discovery.k8s.io/v1beta1',
    stored: {
      addressType: 'IPv4',
      endpoints: [
        {
          addresses: ['10.0.0.1'],
          nodeName: 'n',
          topology: { 'topology.kubernetes.io/zone': 'z', 'kubernetes.io/hostname': 'n' },
        },
        { addresses: ['10.0.0.2'], topology: { 'kubernetes.io/hostname': 'm', x: 'y' } },
      ],
    },
    read: {
      endpoints: [
        { addresses: ['10.0.0.1'], conditions: {}, nodeName: 'n', zone: 'z' },
        {
          addresses: ['10.0.0.2'],
          conditions: {},
          deprecatedTopology: { 'kubernetes.io/hostname': 'm', x: 'y' },
        },
      ],
    },
  },
  {
    title: 'runtime classes',
    resource: ['node.k8s.io', 'v1', 'runtimeclasses'],
    apiVersion: 'node.k8s.io/v1alpha1',
    stored: { spec: { runtimeHandler: 'h', overhead: { podFixed: { cpu: '1' } } } },
    read: { handler: 'h', overhead: { podFixed: { cpu: '1' } } },
  },
  {
    title: 'subjects of bindings',
    resource: ['rbac.authorization.k8s.io', 'v1', 'rolebindings'],
    apiVersion: 'rbac.authorization.k8s.io/v1alpha1',
    stored: {
      subjects: [
        { kind: 'User', apiVersion: 'rbac.authorization.k8s.io/v1alpha1', name: 'u' },
        { kind: 'ServiceAccount', apiVersion: 'v1', name: 's', namespace: 'n' },
      ],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
    },
    read: {
      subjects: [
        { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'u' },
        { kind: 'ServiceAccount', name: 's', namespace: 'n' },
      ],
    },
  },
  {
    title: 'budgets for no pods',
    resource: budgets,
    apiVersion: 'policy/v1beta1',
    stored: { spec: { minAvailable: 1, selector: {} } },
    read: { 'spec.selector': { matchExpressions: [{ key: NO_PODS, operator: 'Exists' }] } },
  },
  {
    title: 'budgets for all pods',
    resource: budgets,
    apiVersion: 'policy/v1beta1',
    stored: {
      spec: { selector: { matchExpressions: [{ key: NO_PODS, operator: 'DoesNotExist' }] } },
    },
    read: { 'spec.selector': {} },
  },
  {
    title: 'rollbacks of deployments',
    resource: ['apps', 'v1', 'deployments'],
    apiVersion: 'extensions/v1beta1',
    stored: { spec: { rollbackTo: { revision: 3 } } },
    read: { 'metadata.annotations': { 'deprecated.deployment.rollback.to': '3' } },
  },
  {
    title: 'template generations of daemon sets',
    resource: ['apps', 'v1', 'daemonsets'],
    apiVersion: 'extensions/v1beta1',
    stored: { spec: { templateGeneration: 4 } },
    read: { 'metadata.annotations': { 'deprecated.daemonset.template.generation': '4' } },
  },
  {
    title: 'metrics of autoscalers',
    resource: autoscalers,
    apiVersion: 'autoscaling/v2beta1',
    stored: {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'd' },
        maxReplicas: 3,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 50 } },
          { type: 'External', external: { metricName: 'q', targetAverageValue: '30' } },
        ],
      },
      status: { currentMetrics: [{ type: 'External', external: { metricName: 'q', currentValue: '3' } }] },
    },
    read: {
      'spec.metrics': [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
        },
        {
          type: 'External',
          external: { metric: { name: 'q' }, target: { type: 'AverageValue', averageValue: '30' } },
        },
      ],
      'status.currentMetrics': [
        { type: 'External', external: { metric: { name: 'q' }, current: { value: '3' } } },
      ],
    },
  },
  {
    title: 'metrics that were the same',
    resource: autoscalers,
    apiVersion: 'autoscaling/v2beta2',
    stored: {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'd' },
        maxReplicas: 3,
        metrics: [
          { type: 'Resource', resource: { name: 'memory', target: { type: 'Value', value: '1Gi' } } },
        ],
      },
    },
    read: {
      'spec.metrics': [
        { type: 'Resource', resource: { name: 'memory', target: { type: 'Value', value: '1Gi' } } },
      ],
    },
  },
  {
    title: 'definitions with one schema for all versions',
    resource: definitions,
    apiVersion: 'apiextensions.k8s.io/v1beta1',
    stored: {
      spec: {
        group: 'example.com',
        version: 'v1',
        names: { plural: 'olds', kind: 'Old' },
        scope: 'Namespaced',
        validation: { openAPIV3Schema: { type: 'object' } },
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'A', type: 'string', JSONPath: '.a' }],
        versions: [
          { name: 'v1', served: true, storage: true },
          { name: 'v2', served: true, storage: false },
        ],
        conversion: {
          strategy: 'Webhook',
          webhookClientConfig: { url: 'https://x/y' },
          conversionReviewVersions: ['v1'],
        },
        preserveUnknownFields: false,
      },
    },
    read: {
      'spec.versions': [
        { name: 'v1', served: true, storage: true },
        { name: 'v2', served: true, storage: false },
      ].map((version) => ({
        ...version,
        schema: { openAPIV3Schema: { type: 'object' } },
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.a' }],
      })),
      'spec.conversion': {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'https://x/y' }, conversionReviewVersions: ['v1'] },
      },
      'spec.names.listKind': 'OldList',
    },
  },
  {
    title: 'definitions with one version',
    resource: definitions,
    apiVersion: 'apiextensions.k8s.io/v1beta1',
    stored: {
      spec: { group: 'example.com', version: 'v1', names: { plural: 'olds', kind: 'Old' }, scope: 'Cluster' },
    },
    read: {
      'spec.versions': [{ name: 'v1', served: true, storage: true }],
      'spec.conversion': { strategy: 'None' },
      'spec.preserveUnknownFields': true,
    },
  },
];

describe('objects that earlier releases stored', () => {
  for (const { title, resource, apiVersion, stored, read } of OLD) {
    it(`are read: ${title} (${apiVersion})`, () => {
      const row = registry.resource(...resource);
      assert.ok(row);
      const text = JSON.stringify({ kind: row.kind, apiVersion, metadata: { name: 'x' }, ...stored });
      const served = JSON.parse(
        codec.encode(codec.decodeStored(Buffer.from(text), row), row).toString(),
      ) as JsonObject;
      assert.equal(served.apiVersion, resource[0] === '' ? resource[1] : `${resource[0]}/${resource[1]}`);
      for (const [path, value] of Object.entries(read)) assert.deepEqual(at(served, path), value, path);
    });
  }
});

function at(object: JsonObject, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as JsonObject)[key], object);
}
