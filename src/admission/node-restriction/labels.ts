import type { NamingProfile } from '../../names/profile.ts';

type Labels = Readonly<Record<string, string>>;

/** Labels of the project's domains that nodes set about themselves. */
const OWN_LABELS: readonly string[] = [
  'label.hostname',
  'label.zone',
  'label.region',
  'label.zone-beta',
  'label.region-beta',
  'label.instance-type',
  'label.instance-type-beta',
  'label.os',
  'label.arch',
  'label.os-beta',
  'label.arch-beta',
];

/**
 * Which of the labels that a node changes on itself it may not: those for keeping work off nodes, and those of the
 * project's domains that it doesn't know best itself.
 */
export function labelRules(
  names: NamingProfile,
): (labels: Labels | undefined, old: Labels | undefined) => string[] {
  const own = new Set(OWN_LABELS.map((label) => names.get(label)));
  const ownDomains = [names.get('domain.kubelet-labels'), names.get('domain.node-labels')];
  const domains = [names.get('domain.labels'), names.get('domain.groups')];
  const restricted = names.get('domain.node-restriction');
  return function forbiddenLabels(labels = {}, old = {}) {
    return changedKeys(labels, old).filter((key) => {
      const domain = domainOf(key);
      if (isWithin(domain, restricted)) return true;
      if (!domains.some((other) => isWithin(domain, other)) || own.has(key)) return false;
      return !ownDomains.some((other) => isWithin(domain, other));
    });
  };
}

function changedKeys(labels: Labels, old: Labels): string[] {
  const value = (from: Labels, key: string): string | undefined =>
    Object.hasOwn(from, key) ? from[key] : undefined;
  const keys = new Set([...Object.keys(labels), ...Object.keys(old)]);
  return [...keys].filter((key) => value(labels, key) !== value(old, key)).sort();
}

/** What stands before the slash of a label; '' without. */
function domainOf(key: string): string {
  const slash = key.indexOf('/');
  return slash < 0 ? '' : key.slice(0, slash);
}

function isWithin(domain: string, other: string): boolean {
  return domain === other || domain.endsWith(`.${other}`);
}
