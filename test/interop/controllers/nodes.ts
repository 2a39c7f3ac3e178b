import type { AnyObject } from '../../../src/client/index.ts';

/** What marks nodes that kwok plays. */
export const FAKE = { 'kwok.x-k8s.io/node': 'fake' } as const;

const ROOM = { cpu: '16', memory: '64Gi', pods: '110', 'ephemeral-storage': '100Gi' };

/** A node without a machine. @param number from 1 */
export function fakeNode(number: number): AnyObject {
  const name = `node-${number}`;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      annotations: FAKE,
      labels: { 'kubernetes.io/arch': 'amd64', 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' },
    },
    spec: { podCIDR: `10.244.${number}.0/24`, podCIDRs: [`10.244.${number}.0/24`] },
    status: { allocatable: ROOM, capacity: ROOM },
  };
}
