import assert from 'node:assert/strict';
import type { ApiObject, JsonObject, ObjectMeta } from '../../../../src/meta/object.ts';
import { writeResources } from '../../../../src/meta/resource-list.ts';
import { loadNames } from '../../../../src/names/load.ts';
import { quotaEvaluators } from '../../../../src/admission/resource-quota/evaluators/evaluators.ts';
import { podIsInScope } from '../../../../src/admission/resource-quota/scopes.ts';
import { row } from '../../../support/object-store.ts';
import { object } from '../requests.ts';
import { pod } from '../pod-requests.ts';

const NOW = Date.parse('2024-01-01T00:01:00Z');
const evaluatorOf = quotaEvaluators(loadNames({ profile: 'kubernetes' }), true);

function evaluator(resource: string, group = '') {
  const found = evaluatorOf(row(resource, { group }));
  assert.ok(found);
  return found;
}

describe('what objects use of quotas', () => {
  const usage = (resource: string, of: ApiObject, group = ''): Record<string, string> => ({
    ...writeResources(evaluator(resource, group).usage(of, NOW)),
  });
  const container = (requests: JsonObject, limits: JsonObject = {}) => ({ resources: { requests, limits } });
  const BASE = { 'count/pods': '1', pods: '1' };

  const pods: [
    title: string,
    spec: JsonObject,
    expected: Record<string, string>,
    meta?: ObjectMeta,
    status?: JsonObject,
  ][] = [
    ['is itself', { containers: [{}] }, BASE],
    [
      'is what its containers ask for and may use',
      {
        containers: [
          container({ cpu: '1', memory: '1Gi' }, { cpu: '2' }),
          container({ cpu: '500m' }, { cpu: '1' }),
        ],
      },
      {
        ...BASE,
        cpu: '1500m',
        'requests.cpu': '1500m',
        memory: '1Gi',
        'requests.memory': '1Gi',
        'limits.cpu': '3',
      },
    ],
    [
      'is at least what its init containers need',
      { initContainers: [container({ cpu: '3' })], containers: [container({ cpu: '1' })] },
      { ...BASE, cpu: '3', 'requests.cpu': '3' },
    ],
    [
      'includes what it takes to run it, of limits where there are any',
      { overhead: { cpu: '100m', memory: '1Mi' }, containers: [container({ cpu: '1' }, { cpu: '2' })] },
      {
        ...BASE,
        cpu: '1100m',
        'requests.cpu': '1100m',
        memory: '1Mi',
        'requests.memory': '1Mi',
        'limits.cpu': '2100m',
      },
    ],
    [
      'includes huge pages and devices, but nothing of the system that is no compute',
      { containers: [container({ 'hugepages-2Mi': '4Mi', 'example.com/gpu': '2', 'kubernetes.io/x': '1' })] },
      { ...BASE, 'hugepages-2Mi': '4Mi', 'requests.hugepages-2Mi': '4Mi', 'requests.example.com/gpu': '2' },
    ],
    [
      'is nothing but itself when it has ended',
      { containers: [container({ cpu: '1' })] },
      { 'count/pods': '1' },
      {},
      { phase: 'Failed' },
    ],
    [
      'is nothing but itself when it should have ended',
      { containers: [container({ cpu: '1' })] },
      { 'count/pods': '1' },
      { deletionTimestamp: '2024-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 },
    ],
    [
      'goes on as long as it may take to end',
      { containers: [container({ cpu: '1' })] },
      { ...BASE, cpu: '1', 'requests.cpu': '1' },
      { deletionTimestamp: '2024-01-01T00:00:00Z', deletionGracePeriodSeconds: 90 },
    ],
  ];
  for (const [title, spec, expected, meta = {}, status = {}] of pods) {
    it(`of a pod ${title}`, () =>
      assert.deepEqual(usage('pods', { ...pod(spec, { name: 'p', ...meta }), status }), expected));
  }

  const services: [title: string, spec: JsonObject, ports: string, balancers: string][] = [
    ['inside the cluster', { type: 'ClusterIP', ports: [{}] }, '0', '0'],
    ['on nodes', { type: 'NodePort', ports: [{}, {}] }, '2', '0'],
    ['behind a balancer', { type: 'LoadBalancer', ports: [{}, {}] }, '2', '1'],
    [
      'behind a balancer that needs no ports of nodes',
      { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: [{ nodePort: 30000 }, {}] },
      '1',
      '1',
    ],
  ];
  for (const [title, spec, ports, balancers] of services) {
    it(`of a service ${title} are ${ports} ports of nodes and ${balancers} balancers`, () =>
      assert.deepEqual(usage('services', object({ name: 's' }, { spec })), {
        'count/services': '1',
        services: '1',
        'services.nodeports': ports,
        'services.loadbalancers': balancers,
      }));
  }

  it('of a claim of storage is counted by its class too, in whole bytes, as large as it gets', () => {
    const claim = object(
      { name: 'c' },
      { spec: { storageClassName: 'gold', resources: { requests: { storage: '1500m' } } } },
    );
    const expected = {
      'count/persistentvolumeclaims': '1',
      persistentvolumeclaims: '1',
      'requests.storage': '2',
      'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
      'gold.storageclass.storage.k8s.io/requests.storage': '2',
    };
    assert.deepEqual(usage('persistentvolumeclaims', claim), expected);
    claim.status = { allocatedResources: { storage: '5' } };
    assert.equal(usage('persistentvolumeclaims', claim)['requests.storage'], '5');
    claim.metadata.annotations = { 'volume.beta.kubernetes.io/storage-class': 'old' };
    assert.equal(
      usage('persistentvolumeclaims', claim)['old.storageclass.storage.k8s.io/requests.storage'],
      '5',
    );
  });

  it('of a claim of devices is as many as it may get of each class', () => {
    const requests = [
      { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 2 },
      { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 },
      { deviceClassName: 'nic', allocationMode: 'All' },
    ];
    assert.deepEqual(
      usage('resourceclaims', object({ name: 'c' }, { spec: { devices: { requests } } }), 'resource.k8s.io'),
      {
        'count/resourceclaims.resource.k8s.io': '1',
        'gpu.deviceclass.resource.k8s.io/devices': '3',
        'nic.deviceclass.resource.k8s.io/devices': '32',
      },
    );
  });

  it('of anything else is itself', () => {
    const any = object({ name: 'x' });
    assert.deepEqual(usage('secrets', any), { 'count/secrets': '1', secrets: '1' });
    assert.deepEqual(usage('widgets', any, 'example.com'), { 'count/widgets.example.com': '1' });
  });

  it('is nothing where events are concerned, and what is not stored', () => {
    assert.equal(evaluatorOf(row('events')), undefined);
    assert.equal(evaluatorOf(row('events', { group: 'events.k8s.io' })), undefined);
    const { storage, ...virtual } = row('tokenreviews', { group: 'authentication.k8s.io' });
    assert.ok(storage);
    assert.equal(evaluatorOf(virtual), undefined);
  });
});

describe('what quotas have to do with pods', () => {
  const pods = evaluator('pods');

  it('is their number and what they compute with', () => {
    const names = [
      'pods',
      'cpu',
      'limits.memory',
      'hugepages-1Gi',
      'requests.hugepages-1Gi',
      'requests.example.com/gpu',
    ];
    for (const name of names) assert.equal(pods.measures(name), true, name);
    for (const name of [
      'services',
      'requests.storage',
      'example.com/gpu',
      'limits.example.com/gpu',
      'count/services',
    ])
      assert.equal(pods.measures(name), false, name);
  });

  it('demands that each container says what is limited of CPU and memory', () => {
    const of = pod({
      containers: [
        { name: 'b', resources: { requests: { cpu: '1' } } },
        { name: 'a', resources: {} },
      ],
      initContainers: [{ name: 'i', resources: { requests: { cpu: '1' }, limits: { memory: '1' } } }],
    });
    assert.equal(
      pods.problem?.(of, ['limits.memory', 'cpu', 'requests.ephemeral-storage', 'pods']),
      'must specify cpu for: a; limits.memory for: a,b',
    );
    assert.equal(pods.problem?.(of, ['pods']), undefined);
  });

  it('is asked when they are made or resized', () => {
    assert.equal(pods.handles({ operation: 'CREATE', subresource: '' }), true);
    assert.equal(pods.handles({ operation: 'UPDATE', subresource: 'resize' }), true);
    assert.equal(pods.handles({ operation: 'UPDATE', subresource: '' }), false);
    assert.equal(pods.handles({ operation: 'CREATE', subresource: 'binding' }), false);
  });
});

describe('scopes of quotas', () => {
  const needs = (requests: JsonObject, limits: JsonObject = {}) => ({
    containers: [{ resources: { requests, limits } }],
  });
  const anti = (term: JsonObject) => ({
    affinity: {
      podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: term }] },
    },
  });
  const cases: [scope: string, spec: JsonObject, expected: boolean, operator?: string][] = [
    ['Terminating', { activeDeadlineSeconds: 0 }, true],
    ['Terminating', {}, false],
    ['NotTerminating', {}, true],
    ['BestEffort', needs({ 'example.com/gpu': '1', cpu: '0' }), true],
    ['BestEffort', needs({}, { memory: '1' }), false],
    ['NotBestEffort', { initContainers: [{ resources: { requests: { cpu: '1' } } }] }, true],
    ['PriorityClass', { priorityClassName: 'high' }, true],
    ['PriorityClass', {}, false],
    ['PriorityClass', { priorityClassName: 'high' }, true, 'In'],
    ['PriorityClass', { priorityClassName: 'low' }, false, 'In'],
    ['PriorityClass', { priorityClassName: 'low' }, true, 'NotIn'],
    ['PriorityClass', {}, true, 'NotIn'],
    ['PriorityClass', {}, true, 'DoesNotExist'],
    ['CrossNamespacePodAffinity', anti({ namespaces: ['n'] }), true],
    ['CrossNamespacePodAffinity', anti({ namespaceSelector: {} }), true],
    ['CrossNamespacePodAffinity', anti({}), false],
    ['Other', {}, false],
  ];
  for (const [scope, spec, expected, operator = 'Exists'] of cases) {
    it(`${scope} ${operator}: ${JSON.stringify(spec)} is ${expected ? 'in' : 'out'}`, () =>
      assert.equal(podIsInScope(pod(spec), { scope, operator, values: ['high'] }), expected));
  }

  it('go by the quality of service that a pod has been given', () => {
    const given = { ...pod(needs({ cpu: '1' })), status: { qosClass: 'BestEffort' } };
    assert.equal(podIsInScope(given, { scope: 'BestEffort', operator: 'Exists', values: [] }), true);
  });
});
