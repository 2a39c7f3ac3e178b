import { forbidden, invalid, type FieldError } from '../../errors/field-error.ts';
import { FieldPath } from '../../errors/field-path.ts';
import { numberAt, objectAt, objectsAt, sizeOf, textAt } from '../../meta/fields.ts';
import type { ApiObject, Json, JsonObject } from '../../meta/object.ts';
import { nodeAffinityErrors, nodeSelectorErrors } from './update-gated.ts';
import { differences, sameMeaning } from './differences.ts';

const NOTHING: JsonObject = Object.freeze({});
const SPEC = FieldPath.ROOT.child('spec');
const LARGEST_DEADLINE = 2 ** 31 - 1;
const CHANGEABLE = [
  'the images of containers',
  'activeDeadlineSeconds, to less',
  'tolerations, which may be added',
  'terminationGracePeriodSeconds, from less than 0 to 1',
].join('; ');

/** What an update may not do to a pod's spec: nearly everything. */
export function podUpdateErrors(pod: ApiObject, old: ApiObject): FieldError[] {
  const spec = objectAt(pod, 'spec') ?? NOTHING;
  const before = objectAt(old, 'spec') ?? NOTHING;
  for (const list of ['containers', 'initContainers']) {
    if (sizeOf(spec[list]) !== sizeOf(before[list]))
      return [forbidden(SPEC.child(list), 'containers can be neither added nor removed')];
  }
  const late = deadlineErrors(spec['activeDeadlineSeconds'], before['activeDeadlineSeconds']);
  if (late.length > 0 && spec['activeDeadlineSeconds'] != null) return late;
  const wanted = { ...spec, ...changeableOf(spec, before) };
  const isGated = sizeOf(before['schedulingGates']) > 0;
  const errors = [
    ...late,
    ...tolerationErrors(spec, before),
    ...gateErrors(spec, before),
    ...(isGated ? nodeSelectorErrors(wanted, before, SPEC) : []),
    ...(isGated ? nodeAffinityErrors(wanted, before, SPEC) : []),
  ];
  if (isGated) {
    wanted['nodeSelector'] = before['nodeSelector'] ?? null;
    wanted['affinity'] = withNodeAffinityOf(before, wanted);
  }
  const changed = differences(wanted, before, SPEC);
  if (changed.length > 0) {
    const detail = `an update may change only ${CHANGEABLE}; it would change ${changed.join(', ')}`;
    errors.push(forbidden(SPEC, detail));
  }
  return errors;
}

/** A deadline only comes nearer. */
function deadlineErrors(deadline: Json | undefined, before: Json | undefined): FieldError[] {
  const path = SPEC.child('activeDeadlineSeconds');
  if (typeof deadline !== 'number') {
    return before == null ? [] : [invalid(path, null, 'can not be taken back')];
  }
  if (deadline < 0 || deadline > LARGEST_DEADLINE)
    return [invalid(path, deadline, `must be between 0 and ${LARGEST_DEADLINE}, inclusive`)];
  if (typeof before === 'number' && deadline > before)
    return [invalid(path, deadline, `must be no more than before, ${before}`)];
  return [];
}

/** What was tolerated still is, if for another time. */
function tolerationErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const now = objectsAt(spec, 'tolerations');
  const kept = objectsAt(before, 'tolerations').every((old) =>
    now.some((toleration) =>
      sameMeaning({ ...toleration, tolerationSeconds: null }, { ...old, tolerationSeconds: null }),
    ),
  );
  return kept
    ? []
    : [forbidden(SPEC.child('tolerations'), 'only tolerationSeconds of those that are there may change')];
}

/** Gates are only taken away. */
function gateErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const known = new Set(objectsAt(before, 'schedulingGates').map((gate) => textAt(gate, 'name')));
  return objectsAt(spec, 'schedulingGates').flatMap((gate, i) =>
    known.has(textAt(gate, 'name'))
      ? []
      : [forbidden(SPEC.child('schedulingGates').index(i).child('name'), 'gates can only be removed')],
  );
}

/** What may change, as it was: the rest must be equal. */
function changeableOf(spec: JsonObject, before: JsonObject): JsonObject {
  const kept: JsonObject = {
    containers: withImagesOf(spec, before, 'containers'),
    initContainers: withImagesOf(spec, before, 'initContainers'),
  };
  for (const field of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations'])
    kept[field] = before[field] ?? null;
  if (numberAt(before, 'terminationGracePeriodSeconds') < 0 && spec['terminationGracePeriodSeconds'] === 1)
    kept['terminationGracePeriodSeconds'] = before['terminationGracePeriodSeconds'] ?? null;
  return kept;
}

function withImagesOf(spec: JsonObject, before: JsonObject, list: string): JsonObject[] {
  const old = objectsAt(before, list);
  return objectsAt(spec, list).map((container, i) => ({ ...container, image: old[i]?.['image'] ?? null }));
}

/** The affinity with its part about nodes as it was, and none where there was none. */
function withNodeAffinityOf(before: JsonObject, spec: JsonObject): Json {
  const old = objectAt(before, 'affinity');
  const now = objectAt(spec, 'affinity');
  const ofNodes = old?.['nodeAffinity'];
  if (now === undefined) return ofNodes == null ? null : { nodeAffinity: ofNodes };
  if (old === undefined && now['podAffinity'] == null && now['podAntiAffinity'] == null) return null;
  return { ...now, nodeAffinity: ofNodes ?? null };
}
