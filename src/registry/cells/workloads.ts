import { humanDuration } from '../../lib/human-duration.ts';
import type { JsonObject } from '../../meta/object.ts';
import { age, count, integer, name, row, since, text, type Cell, type RowCells } from './cell.ts';
import { get, isObject, numberAt, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import { formatLabels, formatSelector, joinField } from './format.ts';
import { podCells } from './pod.ts';

/** Names and images of the containers of the pod template at a path. */
function containers(templatePath: string): [Cell, Cell] {
  const template = get(templatePath);
  const joined =
    (field: string): Cell =>
    (object) => {
      const value = template(object);
      return joinField(objectsAt(isObject(value) ? objectAt(value, 'spec') : undefined, 'containers'), field);
    };
  return [joined('name'), joined('image')];
}

function selector(path: string, empty?: string): Cell {
  const read = get(path);
  return (object) => formatSelector(read(object), empty);
}

function labels(path: string): Cell {
  const read = get(path);
  return (object) => formatLabels(read(object));
}

/** `ready/desired` of a workload. */
function readiness(object: JsonObject): string {
  return `${numberAt(objectAt(object, 'status'), 'readyReplicas')}/${numberAt(objectAt(object, 'spec'), 'replicas')}`;
}

function hasCondition(object: JsonObject, type: string): boolean {
  return objectsAt(objectAt(object, 'status'), 'conditions').some(
    (c) => c.type === type && c.status === 'True',
  );
}

function jobStatus(job: JsonObject): string {
  if (hasCondition(job, 'Complete')) return 'Complete';
  if (hasCondition(job, 'Failed')) return 'Failed';
  if (objectAt(job, 'metadata')?.deletionTimestamp != null) return 'Terminating';
  if (hasCondition(job, 'Suspended')) return 'Suspended';
  return hasCondition(job, 'FailureTarget') ? 'FailureTarget' : 'Running';
}

function jobCompletions(job: JsonObject): string {
  const spec = objectAt(job, 'spec');
  const succeeded = numberAt(objectAt(job, 'status'), 'succeeded');
  if (typeof spec?.completions === 'number') return `${succeeded}/${spec.completions}`;
  const parallelism = numberAt(spec, 'parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: JsonObject, now: number): string {
  const status = objectAt(job, 'status');
  const started = textAt(status, 'startTime');
  if (started === '') return '';
  const ended = textAt(status, 'completionTime');
  return humanDuration((ended === '' ? now : Date.parse(ended)) - Date.parse(started));
}

/** `group.kind/name` of the controller that owns the object. */
function controller(object: JsonObject): string {
  const owner = objectsAt(objectAt(object, 'metadata'), 'ownerReferences').find((r) => r.controller === true);
  if (owner === undefined) return '<none>';
  const apiVersion = textAt(owner, 'apiVersion');
  const group = apiVersion.includes('/') ? `.${apiVersion.slice(0, apiVersion.indexOf('/'))}` : '';
  return `${(textAt(owner, 'kind') + group).toLowerCase()}/${textAt(owner, 'name')}`;
}

const replicaCounts: Cell[] = [
  name,
  integer('spec.replicas'),
  integer('status.replicas'),
  integer('status.readyReplicas'),
  age,
];

const suspended: Cell = (object) => {
  const value = objectAt(object, 'spec')?.suspend;
  return value === undefined || value === null ? '<unset>' : value === true ? 'True' : 'False';
};

/** Rows of the kinds that run pods, by package and kind. */
export const workloadCells: Record<string, RowCells> = {
  'core.Pod': podCells,
  'core.PodTemplate': row(name, ...containers('template'), labels('template.metadata.labels')),
  'core.ReplicationController': row(
    ...replicaCounts,
    ...containers('spec.template'),
    labels('spec.selector'),
  ),
  'apps.ReplicaSet': row(...replicaCounts, ...containers('spec.template'), selector('spec.selector')),
  'apps.Deployment': row(
    name,
    readiness,
    integer('status.updatedReplicas'),
    integer('status.availableReplicas'),
    age,
    ...containers('spec.template'),
    selector('spec.selector', ''),
  ),
  'apps.StatefulSet': row(name, readiness, age, ...containers('spec.template')),
  'apps.DaemonSet': row(
    name,
    integer('status.desiredNumberScheduled'),
    integer('status.currentNumberScheduled'),
    integer('status.numberReady'),
    integer('status.updatedNumberScheduled'),
    integer('status.numberAvailable'),
    labels('spec.template.spec.nodeSelector'),
    age,
    ...containers('spec.template'),
    selector('spec.selector'),
  ),
  'apps.ControllerRevision': row(name, controller, integer('revision'), age),
  'batch.Job': row(
    name,
    jobStatus,
    jobCompletions,
    jobDuration,
    age,
    ...containers('spec.template'),
    selector('spec.selector'),
  ),
  'batch.CronJob': row(
    name,
    text('spec.schedule'),
    text('spec.timeZone', '<none>'),
    suspended,
    count('status.active'),
    since('status.lastScheduleTime', '<none>'),
    age,
    ...containers('spec.jobTemplate.spec.template'),
    selector('spec.jobTemplate.spec.selector'),
  ),
  'autoscaling.Scale': row(name, integer('spec.replicas'), integer('status.replicas'), age),
};
