import { forbidden, invalid, required } from '../../errors/field-error.ts';
import { isObject, numberAt, objectAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { TypeCheck, TypeChecks } from '../../schema/rules/rule-book.ts';
import { podAnnotations } from '../pod/validate/annotations.ts';
import { templateMetadataCheck } from '../pod/validate/pod.ts';
import { replicaCounts, countsCheck } from './counts.ts';
import { checkEndless, checkSelector, otherLabels, templateLabels } from './pods.ts';
import { daemonSetStrategy, deploymentStrategy, statefulSetStrategy } from './strategies.ts';

const deploymentSpec: TypeCheck = (spec, at, context) => {
  const { errors } = context;
  checkSelector(spec, at, { context, unreadable: 'refused' });
  checkEndless(spec, at, errors);
  const deadline = spec['progressDeadlineSeconds'];
  if (typeof deadline === 'number' && deadline <= numberAt(spec, 'minReadySeconds')) {
    const path = at.child('progressDeadlineSeconds');
    errors.push(invalid(path, deadline, 'must be greater than minReadySeconds'));
  }
};

const replicaSetSpec: TypeCheck = (spec, at, context) => {
  const { errors } = context;
  checkSelector(spec, at, { context, unreadable: 'refused' });
  checkEndless(spec, at, errors);
};

const daemonSetSpec: TypeCheck = (spec, at, context) => {
  checkSelector(spec, at, { context, unreadable: 'ignored' });
  checkEndless(spec, at, context.errors);
};

function statefulSetSpec(checkMetadata: TypeCheck): TypeCheck {
  return function checkStatefulSet(spec, at, context) {
    const { old, errors } = context;
    checkMetadata(objectAt(spec, 'template') ?? {}, at.child('template'), context);
    checkSelector(spec, at, { context, unreadable: 'refused' });
    checkEndless(spec, at, errors);
    const before = objectAt(old, 'spec');
    if (before !== undefined && !sameJson(fixedPart(spec), fixedPart(before))) {
      errors.push(forbidden(at, `of a stateful set only these may change: ${MUTABLE.join(', ')}`));
    }
  };
}

const MUTABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

/** What never changes of a StatefulSet. */
function fixedPart(spec: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(spec).filter(([name, value]) => !MUTABLE.includes(name) && !isEmpty(value)),
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** ReplicationControllers select by plain labels. */
const replicationControllerSpec: TypeCheck = (spec, at, { errors }) => {
  const selector = objectAt(spec, 'selector') ?? {};
  const wanted = Object.entries(selector);
  if (wanted.length === 0) errors.push(required(at.child('selector')));
  if (!isObject(spec['template'])) {
    errors.push(required(at.child('template')));
    return;
  }
  const labels = templateLabels(spec);
  if (wanted.some(([key, value]) => labels?.[key] !== value)) errors.push(otherLabels(spec, at));
  checkEndless(spec, at, errors);
};

/** The data of a new ControllerRevision is an object; later it never changes. */
const controllerRevision: TypeCheck = ({ data }, at, { old, errors }) => {
  if (old === undefined && !isObject(data)) errors.push(required(at.child('data'), 'must be an object'));
};

/** The rules of workloads that run for ever. */
export function workloadChecks(names: NamingProfile): TypeChecks {
  return {
    'apps.ControllerRevision': controllerRevision,
    'apps.DaemonSetSpec': daemonSetSpec,
    'apps.DaemonSetStatus': countsCheck([]),
    'apps.DaemonSetUpdateStrategy': daemonSetStrategy,
    'apps.DeploymentSpec': deploymentSpec,
    'apps.DeploymentStatus': replicaCounts('updatedReplicas'),
    'apps.DeploymentStrategy': deploymentStrategy,
    'apps.ReplicaSetSpec': replicaSetSpec,
    'apps.ReplicaSetStatus': replicaCounts('fullyLabeledReplicas'),
    'apps.StatefulSetSpec': statefulSetSpec(templateMetadataCheck(podAnnotations(names))),
    'apps.StatefulSetStatus': replicaCounts('currentReplicas', 'updatedReplicas'),
    'apps.StatefulSetUpdateStrategy': statefulSetStrategy,
    'core.ReplicationControllerSpec': replicationControllerSpec,
    'core.ReplicationControllerStatus': replicaCounts('fullyLabeledReplicas'),
  };
}
