import type { JsonObject } from '../../../../src/meta/object.ts';
import type { Change, Release } from './change.ts';

const APPS = '/apis/apps/v1/namespaces/default';
const LABELS = { app: 'a' };
const template = (labels: JsonObject): JsonObject => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image: 'i' }] },
});
const workload = (fields: JsonObject = {}): JsonObject => ({
  spec: { selector: { matchLabels: LABELS }, template: template(LABELS), ...fields },
});
const RESOURCES = ['deployments', 'replicasets', 'daemonsets', 'statefulsets'];
/** What each kind says of an update that changes its selector and the labels of its pods. */
const SELECTOR_KEPT: Readonly<Record<string, string>> = { statefulsets: 'Forbidden spec' };

const required = RESOURCES.map((resource): Change => ({
  title: `selectors are required: ${resource}`,
  path: `${APPS}/${resource}`,
  object: { spec: { template: template(LABELS) } },
  // DaemonSets only say that the labels of their pods aren't selected.
  refused: [
    ...(resource === 'daemonsets' ? [] : ['Required spec.selector']),
    'Invalid spec.template.metadata.labels',
  ],
}));

const kept = RESOURCES.map((resource): Change => ({
  title: `selectors never change: ${resource}`,
  path: `${APPS}/${resource}`,
  updates: { before: workload(), subresource: '' },
  object: workload({
    selector: { matchLabels: { ...LABELS, more: 'm' } },
    template: template({ ...LABELS, more: 'm' }),
  }),
  refused: [SELECTOR_KEPT[resource] ?? 'Invalid spec.selector'],
}));

export const SINCE_1_16: readonly Release[] = [
  {
    release: '1.16',
    removed: [
      ...['deployments', 'statefulsets'].map((resource) => `apps/v1beta1/${resource}`),
      ...RESOURCES.map((resource) => `apps/v1beta2/${resource}`),
      ...['deployments', 'replicasets', 'daemonsets'].map((resource) => `extensions/v1beta1/${resource}`),
      'extensions/v1beta1/networkpolicies',
      'extensions/v1beta1/podsecuritypolicies',
    ],
    changes: [
      ...required,
      ...kept,
      {
        title: 'progressDeadlineSeconds is 600, revisionHistoryLimit 10, maxSurge and maxUnavailable 25 %',
        path: `${APPS}/deployments`,
        object: workload(),
        has: {
          '/spec/progressDeadlineSeconds': 600,
          '/spec/revisionHistoryLimit': 10,
          '/spec/strategy': {
            type: 'RollingUpdate',
            rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' },
          },
        },
      },
      ...['daemonsets', 'statefulsets'].map((resource): Change => ({
        title: `updates roll: ${resource}`,
        path: `${APPS}/${resource}`,
        object: workload(),
        has: { '/spec/updateStrategy/type': 'RollingUpdate', '/spec/revisionHistoryLimit': 10 },
      })),
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
    ],
  },
];
