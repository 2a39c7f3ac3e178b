import { objectAt, textAt } from '../../../meta/fields.ts';
import type { JsonObject } from '../../../meta/object.ts';
import {
  containersWith,
  named,
  quoted,
  securityOf,
  setters,
  sorted,
  type PodView,
  type Rule,
} from './check.ts';

/** The annotations that profiles were set with before there were fields. */
export interface ProfileAnnotations {
  /** Before a container's name. */
  readonly appArmorPrefix: string;
  readonly seccompPod: string;
  /** Before a container's name. */
  readonly seccompPrefix: string;
}

const PROFILE_TYPES: readonly string[] = ['RuntimeDefault', 'Localhost'];

/** What a pod and its containers set of one kind of profile. */
interface ProfilesSet {
  /** Who sets a bad one: '' for nobody. */
  readonly who: string;
  readonly types: readonly string[];
  /** Whether the pod sets a good one. */
  readonly good: boolean;
  /** The containers that set none. */
  readonly silent: readonly string[];
}

function profilesOf(pod: PodView, field: string): ProfilesSet {
  const typeOf = (owner: JsonObject): string | undefined => {
    const profile = objectAt(securityOf(owner), field);
    return profile === undefined ? undefined : textAt(profile, 'type');
  };
  const isBad = (owner: JsonObject): boolean => {
    const type = typeOf(owner);
    return type !== undefined && !PROFILE_TYPES.includes(type);
  };
  const bad = [pod.spec, ...pod.containers].filter(isBad);
  return {
    who: setters(isBad(pod.spec), containersWith(pod, isBad)),
    types: sorted(bad.map((owner) => typeOf(owner) ?? '')),
    good: typeOf(pod.spec) !== undefined && !isBad(pod.spec),
    silent: containersWith(pod, (container) => typeOf(container) === undefined),
  };
}

/** AppArmor stays on: with the profile that nodes have, or one that they know. */
export function appArmorProfile({ appArmorPrefix }: ProfileAnnotations): Rule {
  return (pod) => {
    const { who, types } = profilesOf(pod, 'appArmorProfile');
    const annotations = Object.entries(pod.annotations)
      .filter(([key, value]) => key.startsWith(appArmorPrefix) && !isGoodAppArmor(value))
      .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
      .sort();
    const all = who === '' ? [] : [who];
    if (annotations.length > 0) all.push(annotations.length === 1 ? 'annotation' : 'annotations');
    if (all.length === 0) return undefined;
    const values = [...types, ...annotations];
    return {
      reason: `forbidden AppArmor profile${values.length === 1 ? '' : 's'}`,
      detail: `${all.join(' and ')} must not set AppArmor profile type to ${quoted(values)}`,
    };
  };
}

function isGoodAppArmor(value: string): boolean {
  return value === '' || value === 'runtime/default' || value.startsWith('localhost/');
}

/** What system calls are filtered by, where annotations say it. */
export function seccompAnnotations({ seccompPod, seccompPrefix }: ProfileAnnotations): Rule {
  return (pod) => {
    const keys = [seccompPod, ...containersWith(pod, () => true).map((name) => seccompPrefix + name)];
    const bad = keys.flatMap((key) => {
      const value = pod.annotations[key];
      return value === undefined || isGoodSeccomp(value) ? [] : [`${key}=${JSON.stringify(value)}`];
    });
    if (bad.length === 0) return undefined;
    const list = sorted(bad);
    const detail = `forbidden annotation${list.length === 1 ? '' : 's'} ${list.join(', ')}`;
    return { reason: 'seccompProfile', detail };
  };
}

function isGoodSeccomp(value: string): boolean {
  return value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/');
}

/** System calls are filtered: where somebody says how, not by nothing. */
export const seccompProfile: Rule = (pod) => {
  const { who, types } = profilesOf(pod, 'seccompProfile');
  if (who === '') return undefined;
  const detail = `${who} must not set securityContext.seccompProfile.type to ${quoted(types)}`;
  return { reason: 'seccompProfile', detail };
};

/** Somebody says how: each container, or the pod. */
export const seccompProfileSet: Rule = (pod) => {
  const bad = seccompProfile(pod);
  const { good, silent } = profilesOf(pod, 'seccompProfile');
  if (bad !== undefined || good || silent.length === 0) return bad;
  const who = `pod or ${named('container', silent)}`;
  const detail = `${who} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
  return { reason: 'seccompProfile', detail };
};

/** What SELinux takes processes for is what containers are; users and roles are nobody's business. */
export function seLinuxOptions(allowed: ReadonlySet<string>): Rule {
  return (pod) => {
    const optionsOf = (owner: JsonObject): JsonObject | undefined =>
      objectAt(securityOf(owner), 'seLinuxOptions');
    const hasBadType = (owner: JsonObject): boolean => !allowed.has(textAt(optionsOf(owner), 'type'));
    const sets = (owner: JsonObject, field: string): boolean => textAt(optionsOf(owner), field) !== '';
    const isBad = (owner: JsonObject): boolean =>
      hasBadType(owner) || sets(owner, 'user') || sets(owner, 'role');
    const who = setters(isBad(pod.spec), containersWith(pod, isBad));
    if (who === '') return undefined;
    const bad = [pod.spec, ...pod.containers].filter(isBad);
    const types = sorted(bad.filter(hasBadType).map((owner) => textAt(optionsOf(owner), 'type')));
    const details = types.length === 0 ? [] : [named('type', types)];
    for (const field of ['user', 'role'])
      if (bad.some((owner) => sets(owner, field))) details.push(`${field} may not be set`);
    return {
      reason: 'seLinuxOptions',
      detail: `${who} set forbidden securityContext.seLinuxOptions: ${details.join('; ')}`,
    };
  };
}
