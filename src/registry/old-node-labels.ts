import type { NamingProfile } from '../names/profile.ts';

/** What to say of labels of nodes that nobody should ask for any more, by label. */
export type OldLabels = ReadonlyMap<string, string>;

/** Label, since which release it is old, and what has replaced it. */
const REPLACED = [
  ['label.arch-beta', 'v1.14', 'label.arch'],
  ['label.os-beta', 'v1.14', 'label.os'],
  ['label.region-beta', 'v1.17', 'label.region'],
  ['label.zone-beta', 'v1.17', 'label.zone'],
  ['label.instance-type-beta', 'v1.17', 'label.instance-type'],
] as const;

export function oldNodeLabels(names: NamingProfile): OldLabels {
  return new Map([
    ...REPLACED.map(([label, since, next]): [string, string] => [
      names.get(label),
      `deprecated since ${since}; use "${names.get(next)}" instead`,
    ]),
    [names.get('label.app-created-by'), 'deprecated since v1.9'],
    [names.get('annotation.prefer-avoid-pods'), 'deprecated since v1.22; use Taints and Tolerations instead'],
    [names.get('label.node-role-master'), `use "${names.get('label.node-role-control-plane')}" instead`],
  ]);
}
