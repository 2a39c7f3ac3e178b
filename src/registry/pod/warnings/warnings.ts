import { FieldPath } from '../../../errors/field-path.ts';
import { objectAt, objectsAt, textAt } from '../../../meta/fields.ts';
import { dnsLabelProblems } from '../../../meta/names.ts';
import type { ApiObject, JsonObject } from '../../../meta/object.ts';
import type { NamingProfile } from '../../../names/profile.ts';
import { allPlaced } from '../validate/container-lists.ts';
import { containerWarnings } from './containers.ts';
import { isFractional } from './fractions.ts';
import type { OldLabels } from '../../old-node-labels.ts';
import { nodeLabelWarnings } from './node-labels.ts';
import { pathWarnings } from './paths.ts';
import { portWarnings } from './ports.ts';

/** What clients are told of a pod or a template that does no harm and is not what it seems. */
export type PodWarnings = (pod: JsonObject, at: FieldPath) => string[];

/** Volumes that nodes no longer know, or soon won't. */
const OLD_VOLUMES: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};

const NOTHING: JsonObject = Object.freeze({});

/** Makes the function that finds what to warn of in pods, and in templates wherever they stand. */
export function podWarnings(names: NamingProfile, labels: OldLabels): PodWarnings {
  const seccompPod = names.get('annotation.seccomp-pod');
  const withoutEffect = [
    [
      names.get('annotation.critical-pod'),
      'non-functional in v1.16+; use the "priorityClassName" field instead',
    ],
    [names.get('annotation.sysctls'), 'non-functional in v1.11+; use the "sysctls" field instead'],
    [names.get('annotation.unsafe-sysctls'), 'non-functional in v1.11+; use the "sysctls" field instead'],
  ] as const;
  const prefixes = {
    seccomp: names.get('prefix.seccomp-container'),
    appArmor: names.get('prefix.app-armor-container'),
  };
  return function warningsOf(pod, at) {
    const spec = objectAt(pod, 'spec') ?? NOTHING;
    const annotations = objectAt(objectAt(pod, 'metadata'), 'annotations') ?? NOTHING;
    const path = at.child('spec');
    const told = at.child('metadata').child('annotations');
    const context = objectAt(spec, 'securityContext');
    const found = [
      ...nodeLabelWarnings(spec, path, labels),
      ...volumeWarnings(spec, path),
      ...pathWarnings(spec),
      ...repeatedWarnings(spec, path),
      ...overheadWarnings(spec, path),
      ...selectorWarnings(spec, path),
    ];
    for (const [key, why] of withoutEffect)
      if (annotations[key] !== undefined) found.push(`${String(told.key(key))}: ${why}`);
    if (context?.['seccompProfile'] == null && annotations[seccompPod] !== undefined)
      found.push(
        `${String(told.key(seccompPod))}: non-functional in v1.27+; use the "seccompProfile" field instead`,
      );
    const containers = allPlaced(spec, path);
    const hasProfile = context?.['appArmorProfile'] != null || at === FieldPath.ROOT;
    const around = { annotations, told, prefixes, hasProfile };
    const grace = spec['terminationGracePeriodSeconds'];
    const graceAt = path.child('terminationGracePeriodSeconds');
    return [
      ...found,
      ...containers.flatMap((placed) => containerWarnings(placed, around)),
      ...portWarnings(containers),
      ...(typeof grace === 'number' && grace < 0
        ? [`${String(graceAt)}: must be >= 0; negative values count as 1`]
        : []),
    ];
  };
}

/** What else is said of a new pod. */
export function nameWarnings(pod: ApiObject): string[] {
  const problems = dnsLabelProblems(pod.metadata.name ?? '');
  if (problems.length === 0) return [];
  return [`metadata.name: it becomes the host name, for which a DNS label is better: ${problems.join('; ')}`];
}

function volumeWarnings(spec: JsonObject, at: FieldPath): string[] {
  const found: string[] = [];
  objectsAt(spec, 'volumes').forEach((volume, i) => {
    for (const source in volume) {
      if (Object.hasOwn(OLD_VOLUMES, source))
        found.push(`${String(at.child('volumes').index(i).child(source))}: ${OLD_VOLUMES[source]}`);
    }
  });
  return found;
}

function repeatedWarnings(spec: JsonObject, at: FieldPath): string[] {
  const aliases = repeated(objectsAt(spec, 'hostAliases'), 'ip', at.child('hostAliases'));
  const secrets = objectsAt(spec, 'imagePullSecrets');
  if (secrets.length === 0) return aliases;
  return [
    ...aliases,
    ...repeated(secrets, 'name', at.child('imagePullSecrets')),
    ...secrets.flatMap((secret, i) =>
      textAt(secret, 'name') === ''
        ? [`${String(at.child('imagePullSecrets').index(i).child('name'))}: empty name`]
        : [],
    ),
  ];
}

function repeated(items: readonly JsonObject[], field: string, at: FieldPath): string[] {
  if (items.length < 2) return [];
  const values = items.map((item) => textAt(item, field));
  return values.flatMap((value, i) =>
    values.indexOf(value) < i ? [`${String(at.index(i).child(field))}: duplicate ${field} "${value}"`] : [],
  );
}

function overheadWarnings(spec: JsonObject, at: FieldPath): string[] {
  const overhead = objectAt(spec, 'overhead');
  if (overhead === undefined) return [];
  return ['memory', 'ephemeral-storage']
    .filter((name) => isFractional(textAt(overhead, name)))
    .map(
      (name) =>
        `${String(at.child('overhead').key(name))}: a fraction of a byte: "${textAt(overhead, name)}"`,
    );
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const NO_SELECTOR = 'a null labelSelector results in matching no pod';

function selectorWarnings(spec: JsonObject, at: FieldPath): string[] {
  const found: string[] = [];
  const check = (term: JsonObject | undefined, path: FieldPath): void => {
    if (term?.['labelSelector'] == null) found.push(`${String(path.child('labelSelector'))}: ${NO_SELECTOR}`);
  };
  objectsAt(spec, 'topologySpreadConstraints').forEach((constraint, i) => {
    check(constraint, at.child('topologySpreadConstraints').index(i));
  });
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const affinity = objectAt(objectAt(spec, 'affinity'), kind);
    if (affinity === undefined) continue;
    const path = at.child('affinity').child(kind);
    objectsAt(affinity, REQUIRED).forEach((term, i) => check(term, path.child(REQUIRED).index(i)));
    objectsAt(affinity, PREFERRED).forEach((weighted, i) =>
      check(objectAt(weighted, 'podAffinityTerm'), path.child(PREFERRED).index(i).child('podAffinityTerm')),
    );
  }
  return found;
}
