import type { JsonObject } from '../../../../src/meta/object.ts';
import type { Release } from './change.ts';

const LEVELS = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations';
const level = (limited: JsonObject): JsonObject => ({
  spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' }, ...limited } },
});
const removed = (version: string): string[] =>
  ['flowschemas', 'prioritylevelconfigurations'].map(
    (resource) => `flowcontrol.apiserver.k8s.io/${version}/${resource}`,
  );

export const FLOW_CONTROL: readonly Release[] = [
  {
    release: '1.32',
    removed: removed('v1beta3'),
    changes: [
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
    ],
  },
  {
    release: '1.29',
    removed: removed('v1beta2'),
    changes: [
      {
        title: 'assuredConcurrencyShares have another name',
        path: LEVELS,
        object: level({ assuredConcurrencyShares: 5 }),
        unknown: 'spec.limited.assuredConcurrencyShares',
      },
    ],
  },
  { release: '1.26', removed: removed('v1beta1'), changes: [] },
];
