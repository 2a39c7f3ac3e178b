import { forbidden, invalid, type FieldError } from '../../../errors/field-error.ts';
import type { FieldPath } from '../../../errors/field-path.ts';
import { isObject, objectAt, textAt } from '../../../meta/fields.ts';
import type { Json, JsonObject } from '../../../meta/object.ts';
import type { NamingProfile } from '../../../names/profile.ts';
import { FORMATS } from '../../../schema/rules/formats.ts';
import type { CheckContext } from '../../../schema/rules/rule-book.ts';
import { allPlaced, hasContainer, itemsOf } from './container-lists.ts';
import { tolerationCheck } from './scheduling.ts';
import { tolerationValueCheck } from './toleration-values.ts';

/** Annotations that say things about a pod. */
export interface PodAnnotations {
  /** What they may be. @param at of the annotations. @param spec of the pod. */
  check(annotations: JsonObject, at: FieldPath, spec: JsonObject, context: CheckContext): void;
  /** They say the same as the fields that have replaced them. @param at of the pod's spec. */
  checkAgainstFields(annotations: JsonObject, spec: JsonObject, at: FieldPath, errors: FieldError[]): void;
  /** Those that an update leaves alone. @param at of the annotations. */
  checkChange(annotations: JsonObject, old: JsonObject, at: FieldPath, errors: FieldError[]): void;
}

const NOTHING: JsonObject = Object.freeze({});
const LOCALHOST = 'localhost/';
const COST = /^(0|-?[1-9]\d*)$/;
const LARGEST_COST = 2 ** 31;

export function podAnnotations(names: NamingProfile): PodAnnotations {
  const mirror = names.get('annotation.config-mirror');
  const cost = names.get('annotation.pod-deletion-cost');
  const tolerations = names.get('annotation.tolerations');
  const seccompPod = names.get('annotation.seccomp-pod');
  const seccomp = names.get('prefix.seccomp-container');
  const appArmor = names.get('prefix.app-armor-container');
  const isProfile = (key: string): boolean =>
    key === seccompPod || key.startsWith(seccomp) || key.startsWith(appArmor);
  return {
    check(annotations, at, spec, context) {
      const { errors, tolerates } = context;
      for (const key of Object.keys(annotations)) {
        const value = textAt(annotations, key);
        if (key === mirror) {
          if (textAt(spec, 'nodeName') === '')
            errors.push(invalid(at.key(key), value, 'spec.nodeName must be set beside it'));
        } else if (key === cost) {
          if (!isCost(value) && !tolerates('podDeletionCost'))
            errors.push(invalid(at.key(key), value, 'must be a 32-bit integer'));
        } else if (key === tolerations) {
          if (value !== '') checkTolerations(value, { at, key }, context);
        } else if (key.startsWith(appArmor)) {
          checkAppArmor(value, { container: key.slice(appArmor.length), spec }, at.key(key), errors);
        } else if (isProfile(key)) checkSeccomp(value, at.child(key), errors);
      }
    },
    checkAgainstFields(annotations, spec, at, errors) {
      if (!Object.keys(annotations).some(isProfile)) return;
      const seccompOf = behindPrefix(seccomp, annotations);
      const appArmorOf = behindPrefix(appArmor, annotations);
      const ofPod = objectAt(spec, 'securityContext');
      const isWindows = objectAt(spec, 'os')?.['name'] === 'windows';
      compare(
        annotations[seccompPod],
        objectAt(ofPod, 'seccompProfile'),
        at.child('securityContext').child('seccompProfile'),
        errors,
      );
      for (const { container, at: path } of allPlaced(spec, at)) {
        const own = objectAt(container, 'securityContext');
        const name = textAt(container, 'name');
        const context = path.child('securityContext');
        compare(
          seccompOf.get(name),
          objectAt(own, 'seccompProfile'),
          context.child('seccompProfile'),
          errors,
        );
        if (isWindows) continue;
        const profile = objectAt(own, 'appArmorProfile') ?? objectAt(ofPod, 'appArmorProfile');
        compare(appArmorOf.get(name), profile, context.child('appArmorProfile'), errors);
      }
    },
    checkChange(annotations, old, at, errors) {
      for (const key of Object.keys({ ...old, ...annotations })) {
        if (annotations[key] === old[key] || (key !== mirror && !key.startsWith(appArmor))) continue;
        errors.push(forbidden(at.key(key), 'may not be changed'));
      }
    },
  };
}

/** What annotations say of containers, by the containers' names. */
function behindPrefix(prefix: string, annotations: JsonObject): ReadonlyMap<string, Json | undefined> {
  const found = new Map<string, Json | undefined>();
  for (const key in annotations)
    if (key.startsWith(prefix)) found.set(key.slice(prefix.length), annotations[key]);
  return found;
}

function isCost(text: string): boolean {
  if (text === '') return false;
  const cost = Number(text);
  return COST.test(text) && cost >= -LARGEST_COST && cost < LARGEST_COST;
}

function checkTolerations(
  text: string,
  { at, key }: { readonly at: FieldPath; readonly key: string },
  context: CheckContext,
): void {
  let list: Json;
  try {
    list = JSON.parse(text) as Json;
  } catch {
    list = null;
  }
  if (!Array.isArray(list) || !list.every(isObject)) {
    context.errors.push(invalid(at, key, 'must be a list of tolerations in JSON'));
    return;
  }
  const path = at.child(key);
  itemsOf(list).forEach((toleration, i) => {
    tolerationCheck(toleration, path.index(i), context);
    tolerationValueCheck(toleration, path.index(i), context);
  });
}

const SECCOMP_VALUES: ReadonlySet<string> = new Set(['runtime/default', 'docker/default', 'unconfined']);

function checkSeccomp(value: string, at: FieldPath, errors: FieldError[]): void {
  if (SECCOMP_VALUES.has(value)) return;
  if (!value.startsWith(LOCALHOST)) errors.push(invalid(at, value, 'must be a seccomp profile'));
  else
    for (const problem of FORMATS.relativePath(value.slice(LOCALHOST.length)))
      errors.push(invalid(at, value, problem));
}

function checkAppArmor(
  value: string,
  { container, spec }: { readonly container: string; readonly spec: JsonObject },
  at: FieldPath,
  errors: FieldError[],
): void {
  if (!hasContainer(spec, container)) errors.push(invalid(at, container, 'no container has this name'));
  const isKnown = value === '' || value === 'runtime/default' || value === 'unconfined';
  if (!isKnown && !value.startsWith(LOCALHOST))
    errors.push(invalid(at, value, 'must be an AppArmor profile'));
}

/** What annotations call the types of profiles. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  Unconfined: ['unconfined'],
  RuntimeDefault: ['runtime/default', 'docker/default'],
};

function compare(
  annotation: Json | undefined,
  profile: JsonObject = NOTHING,
  at: FieldPath,
  errors: FieldError[],
): void {
  if (typeof annotation !== 'string') return;
  const type = textAt(profile, 'type');
  if (type === 'Localhost') {
    if (!annotation.startsWith(LOCALHOST))
      errors.push(forbidden(at.child('type'), 'the annotation says another'));
    else if (annotation.slice(LOCALHOST.length) !== profile['localhostProfile'])
      errors.push(forbidden(at.child('localhostProfile'), 'the annotation says another'));
  } else if (Object.hasOwn(CALLED, type) && CALLED[type]?.includes(annotation) === false)
    errors.push(forbidden(at.child('type'), 'the annotation says another'));
}
