import { objectAt, objectsAt, textAt } from '../../../meta/fields.ts';
import type { JsonObject } from '../../../meta/object.ts';

/** A pod, or the template of pods, as the rules look at it. */
export interface PodView {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: JsonObject;
  /** Init containers, containers, and those that look into others: in this order. */
  readonly containers: readonly JsonObject[];
}

/** What a pod breaks: briefly, and with what is wrong where. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

export type Rule = (pod: PodView) => Violation | undefined;

/** One rule of a level, in the forms that it has had. */
export interface Check {
  readonly id: string;
  readonly level: 'baseline' | 'restricted';
  /** The forms by the release that began with them, oldest first. */
  readonly since: readonly (readonly [minor: number, rule: Rule])[];
  /** The rule of `baseline` that it says more than. */
  readonly replaces?: string;
}

export function viewOf(
  metadata: { readonly annotations?: Readonly<Record<string, string>> } | undefined,
  spec: JsonObject,
): PodView {
  return {
    annotations: metadata?.annotations ?? {},
    spec,
    containers: ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) =>
      objectsAt(spec, field),
    ),
  };
}

/** The security context of a pod's spec or of a container. */
export function securityOf(owner: JsonObject): JsonObject | undefined {
  return objectAt(owner, 'securityContext');
}

/** The names of the containers that something is true of. */
export function containersWith(pod: PodView, isSo: (container: JsonObject) => boolean): string[] {
  return pod.containers.filter(isSo).map((container) => textAt(container, 'name'));
}

/** `"a", "b"`. */
export function quoted(texts: Iterable<string>): string {
  return [...texts].map((text) => `"${text}"`).join(', ');
}

/** `container "a"` or `containers "a", "b"`. */
export function named(what: string, names: readonly string[]): string {
  return `${what}${names.length === 1 ? '' : 's'} ${quoted(names)}`;
}

/** Who sets something: the pod, containers, or both. '' for nobody. */
export function setters(pod: boolean, containers: readonly string[]): string {
  const who = pod ? ['pod'] : [];
  if (containers.length > 0) who.push(named('container', containers));
  return who.join(' and ');
}

/** Each once, sorted. */
export function sorted(texts: Iterable<string>): string[] {
  return [...new Set(texts)].sort();
}

/** The same rule, but not for pods of Windows, which has nothing of the kind. */
export function exceptWindows(rule: Rule): Rule {
  return (pod) => (textAt(objectAt(pod.spec, 'os'), 'name') === 'windows' ? undefined : rule(pod));
}

/** The same rule, but not for pods whose users are none on the host. */
export function exceptOwnUsers(rule: Rule): Rule {
  return (pod) => (pod.spec['hostUsers'] === false ? undefined : rule(pod));
}
