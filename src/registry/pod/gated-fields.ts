import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { PodSettings } from './settings.ts';

/** A part of pods' specs that is there only where its gate is on. */
interface GatedPart {
  readonly gate: string;
  readonly isUsed: (spec: JsonObject) => boolean;
  readonly drop: (spec: JsonObject) => void;
}

/** Takes what clients can't set yet out of a pod's spec, unless the stored one has it already. */
export type DropGatedFields = (spec: JsonObject, old: JsonObject | undefined) => void;

/** Gates don't change while a server runs: those that are on cost nothing. */
export function gatedFields({ gate }: Pick<PodSettings, 'gate'>): DropGatedFields {
  const off = PARTS.filter((part) => !gate(part.gate));
  return function dropGatedFields(spec, old) {
    for (const { isUsed, drop } of off) if (isUsed(spec) && (old === undefined || !isUsed(old))) drop(spec);
  };
}

const PARTS: readonly GatedPart[] = [
  ofSpec('UserNamespacesSupport', 'hostUsers'),
  ofSecurityContext('SupplementalGroupsPolicy', 'supplementalGroupsPolicy'),
  ofSpec('PodLevelResources', 'resources'),
  { gate: 'ProcMountType', isUsed: unmasks, drop: mask },
  {
    gate: 'NodeInclusionPolicyInPodTopologySpread',
    ...inConstraints(['nodeAffinityPolicy', 'nodeTaintsPolicy']),
  },
  { gate: 'MatchLabelKeysInPodTopologySpread', ...inConstraints(['matchLabelKeys']) },
  { gate: 'MatchLabelKeysInPodAffinity', ...inAffinityTerms(['matchLabelKeys', 'mismatchLabelKeys']) },
  {
    gate: 'DynamicResourceAllocation',
    isUsed: (spec) =>
      spec['resourceClaims'] != null || resourcesOf(spec).some(({ claims }) => claims != null),
    drop(spec) {
      delete spec['resourceClaims'];
      for (const resources of resourcesOf(spec)) delete resources['claims'];
    },
  },
  { gate: 'ClusterTrustBundleProjection', ...within(projections, ['clusterTrustBundle']) },
  { gate: 'InPlacePodVerticalScaling', ...within(containersOf, ['resizePolicy']) },
  {
    gate: 'SidecarContainers',
    ...within((spec) => objectsAt(spec, 'initContainers'), ['restartPolicy']),
  },
  {
    gate: 'RecursiveReadOnlyMounts',
    ...within(
      (spec) => containersOf(spec).flatMap((it) => objectsAt(it, 'volumeMounts')),
      ['recursiveReadOnly'],
    ),
  },
  { gate: 'PodLifecycleSleepAction', isUsed: sleeps, drop: dropSleep },
  { gate: 'ImageVolume', isUsed: (spec) => imagesOf(spec).size > 0, drop: dropImages },
  ofSecurityContext('SELinuxChangePolicy', 'seLinuxChangePolicy'),
];

function ofSpec(gate: string, field: string): GatedPart {
  return { gate, ...within((spec) => [spec], [field]) };
}

function ofSecurityContext(gate: string, field: string): GatedPart {
  return { gate, ...within((spec) => present(objectAt(spec, 'securityContext')), [field]) };
}

/** Fields of some structs of a spec. */
function within(
  structsOf: (spec: JsonObject) => JsonObject[],
  fields: readonly string[],
): Pick<GatedPart, 'isUsed' | 'drop'> {
  return {
    isUsed(spec) {
      for (const struct of structsOf(spec))
        for (const field of fields) if (struct[field] != null) return true;
      return false;
    },
    drop(spec) {
      for (const struct of structsOf(spec)) for (const field of fields) delete struct[field];
    },
  };
}

function inConstraints(fields: readonly string[]): Pick<GatedPart, 'isUsed' | 'drop'> {
  return within((spec) => objectsAt(spec, 'topologySpreadConstraints'), fields);
}

function inAffinityTerms(fields: readonly string[]): Pick<GatedPart, 'isUsed' | 'drop'> {
  return within(affinityTerms, fields);
}

/** What a pod wants to be near to, or away from: all terms about pods. */
export function affinityTerms(spec: JsonObject): JsonObject[] {
  const affinity = objectAt(spec, 'affinity');
  if (affinity === undefined) return [];
  return [objectAt(affinity, 'podAffinity'), objectAt(affinity, 'podAntiAffinity')].flatMap((of) => [
    ...objectsAt(of, 'preferredDuringSchedulingIgnoredDuringExecution').flatMap((weighted) =>
      present(objectAt(weighted, 'podAffinityTerm')),
    ),
    ...objectsAt(of, 'requiredDuringSchedulingIgnoredDuringExecution'),
  ]);
}

/** All containers of a pod's spec. */
export function containersOf(spec: JsonObject): JsonObject[] {
  const found = objectsAt(spec, 'initContainers');
  for (const container of objectsAt(spec, 'containers')) found.push(container);
  for (const container of objectsAt(spec, 'ephemeralContainers')) found.push(container);
  return found;
}

function resourcesOf(spec: JsonObject): JsonObject[] {
  return structsIn(containersOf(spec), 'resources');
}

function projections(spec: JsonObject): JsonObject[] {
  const found: JsonObject[] = [];
  for (const projected of structsIn(objectsAt(spec, 'volumes'), 'projected'))
    for (const source of objectsAt(projected, 'sources')) found.push(source);
  return found;
}

function contextsOf(spec: JsonObject): JsonObject[] {
  return structsIn(containersOf(spec), 'securityContext');
}

function structsIn(objects: readonly JsonObject[], field: string): JsonObject[] {
  const found: JsonObject[] = [];
  for (const object of objects) {
    const struct = objectAt(object, field);
    if (struct !== undefined) found.push(struct);
  }
  return found;
}

function unmasks(spec: JsonObject): boolean {
  return contextsOf(spec).some(({ procMount }) => procMount != null && procMount !== 'Default');
}

function mask(spec: JsonObject): void {
  for (const context of contextsOf(spec)) if (context['procMount'] != null) context['procMount'] = 'Default';
}

const MOMENTS = ['preStop', 'postStart'] as const;
const ACTIONS = ['exec', 'httpGet', 'tcpSocket', 'sleep'];

function sleeps(spec: JsonObject): boolean {
  return containersOf(spec).some((container) =>
    MOMENTS.some((moment) => objectAt(objectAt(container, 'lifecycle'), moment)?.['sleep'] != null),
  );
}

/** What is left empty goes, too. */
function dropSleep(spec: JsonObject): void {
  for (const container of containersOf(spec)) {
    const lifecycle = objectAt(container, 'lifecycle');
    if (lifecycle === undefined) continue;
    for (const moment of MOMENTS) {
      const handler = objectAt(lifecycle, moment);
      if (handler?.['sleep'] == null) continue;
      delete handler['sleep'];
      if (!ACTIONS.some((action) => handler[action] != null)) delete lifecycle[moment];
    }
    if (MOMENTS.every((moment) => lifecycle[moment] == null)) delete container['lifecycle'];
  }
}

function imagesOf(spec: JsonObject): Set<string> {
  const volumes = objectsAt(spec, 'volumes').filter(({ image }) => image != null);
  return new Set(volumes.map((volume) => textAt(volume, 'name')));
}

/** Volumes that are images, and what mounts them. */
function dropImages(spec: JsonObject): void {
  const dropped = imagesOf(spec);
  spec['volumes'] = objectsAt(spec, 'volumes').filter(({ image }) => image == null);
  for (const container of containersOf(spec)) {
    if (container['volumeMounts'] == null) continue;
    container['volumeMounts'] = objectsAt(container, 'volumeMounts').filter(
      (mount) => !dropped.has(textAt(mount, 'name')),
    );
  }
}

function present<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
