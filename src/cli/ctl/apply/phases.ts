import type { WriteTarget } from '../write/find-target.ts';

/** What other objects need, phase by phase; all else comes after them. */
const FIRST: readonly (readonly string[])[] = [
  ['Namespace'],
  ['CustomResourceDefinition'],
  [
    'ResourceQuota',
    'LimitRange',
    'StorageClass',
    'PriorityClass',
    'ServiceAccount',
    'Secret',
    'ConfigMap',
    'Role',
    'ClusterRole',
  ],
  ['RoleBinding', 'ClusterRoleBinding'],
];

/** What may keep other objects out, at the very end. */
const LAST: readonly string[] = [
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'ValidatingAdmissionPolicyBinding',
];

/** After this phase new kinds may be there. */
export const DEFINITIONS_PHASE = 1;

/** The phase in which a kind is applied: within one the order doesn't matter. */
export function phaseOf(kind: string): number {
  const first = FIRST.findIndex((kinds) => kinds.includes(kind));
  if (first >= 0) return first;
  return LAST.includes(kind) ? FIRST.length + 1 : FIRST.length;
}

export const PHASES = FIRST.length + 2;

/** Two manifests of one object must go one after the other: so do all that follow. */
export function withoutRepeats(targets: readonly WriteTarget[]): WriteTarget[][] {
  const rounds: WriteTarget[][] = [];
  const counts = new Map<string, number>();
  for (const target of targets) {
    const { resource, namespace, name } = target;
    const key = JSON.stringify([resource.group, resource.resource, namespace, name]);
    const round = counts.get(key) ?? 0;
    counts.set(key, round + 1);
    (rounds[round] ??= []).push(target);
  }
  return rounds;
}
