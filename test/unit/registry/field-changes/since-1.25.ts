import type { JsonObject } from '../../../../src/meta/object.ts';
import { refusals, type Release } from './change.ts';

const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
const EVENTS = '/apis/events.k8s.io/v1/namespaces/default/events';
const TIME = '2026-11-20T18:57:21.000000Z';
/** Nothing is no name, either. */
const NO_REPORTER = ['Required', 'Invalid', 'Invalid'].map((reason) => `${reason} reportingController`);
const event = (fields: JsonObject): JsonObject => ({
  type: 'Normal',
  action: 'Binding',
  reason: 'Bound',
  reportingController: 'example.com/controller',
  reportingInstance: 'c-0',
  eventTime: TIME,
  regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
  ...fields,
});

export const SINCE_1_25: readonly Release[] = [
  { release: '1.27', removed: ['storage.k8s.io/v1beta1/csistoragecapacities'], changes: [] },
  { release: '1.26', removed: ['autoscaling/v2beta2/horizontalpodautoscalers'], changes: [] },
  {
    release: '1.25',
    removed: [
      'batch/v1beta1/cronjobs',
      'discovery.k8s.io/v1beta1/endpointslices',
      'events.k8s.io/v1beta1/events',
      'autoscaling/v2beta1/horizontalpodautoscalers',
      'policy/v1beta1/poddisruptionbudgets',
      'policy/v1beta1/podsecuritypolicies',
      'policy/v1/podsecuritypolicies',
      'node.k8s.io/v1beta1/runtimeclasses',
    ],
    changes: [
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
        title: 'events say what they regard',
        path: EVENTS,
        object: event({}),
        has: { '/regarding/name': 'p', '/eventTime': TIME },
      },
      {
        title: 'what events involve has another name',
        path: EVENTS,
        object: event({ regarding: null, involvedObject: { namespace: 'default' } }),
        unknown: 'involvedObject',
      },
      {
        title: 'the source of events has another name',
        path: EVENTS,
        object: event({ source: { component: 'c' } }),
        unknown: 'source',
      },
      ...refusals(EVENTS, event, [
        ['events say what was done', { action: null }, ['Required action']],
        ['events say why', { reason: null }, ['Required reason']],
        ['events say who reports', { reportingController: null }, NO_REPORTER],
        ['events say which one reports', { reportingInstance: null }, ['Required reportingInstance']],
        ['events say when', { eventTime: null }, ['Required eventTime']],
        ['events are normal or warnings', { type: 'Error' }, ['Invalid type']],
        ['series of events say how often', { series: { lastObservedTime: TIME } }, ['Invalid series.count']],
        [
          'series of events say when last',
          { series: { count: 2, lastObservedTime: null } },
          ['Required series.lastObservedTime'],
        ],
        [
          'events have none of the old fields',
          {
            deprecatedFirstTimestamp: '2026-11-20T18:57:21Z',
            deprecatedLastTimestamp: '2026-11-20T18:57:21Z',
            deprecatedCount: 1,
            deprecatedSource: { component: 'c', host: 'h' },
          },
          ['Invalid count', 'Invalid firstTimestamp', 'Invalid lastTimestamp', 'Invalid source'],
        ],
      ]),
    ],
  },
];
