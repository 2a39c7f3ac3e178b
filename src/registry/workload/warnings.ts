import { numberAt, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { ResourceHooks } from '../hooks.ts';
import { fractionWarnings } from '../persistentvolumeclaim/fractions.ts';
import { nameWarnings } from '../pod/warnings/warnings.ts';

/** What clients are told of a workload besides what is said of its pods. */
type Warnings = NonNullable<ResourceHooks['warnings']>;

/** Jobs with more indexes, more of them at a time, may be more than can be kept count of. */
const MANY_COMPLETIONS = 100_000;
const MANY_AT_A_TIME = 10_000;

/** Names of new ones become parts of host names. */
const ofName: Warnings = (object, old) => (old === undefined ? nameWarnings(object) : []);

const ofJob: Warnings = (job, old) => [
  ...ofName(job, old),
  ...(isUnchanged(job, old) ? [] : indexWarnings(objectAt(job, 'spec'), 'spec')),
];

const ofStatefulSet: Warnings = (set) =>
  objectsAt(objectAt(set, 'spec'), 'volumeClaimTemplates').flatMap((claim, i) =>
    fractionWarnings(objectAt(claim, 'spec'), `spec.volumeClaimTemplates[${i}]`),
  );

const ofCronJob: Warnings = (cronJob, old) => {
  const spec = objectAt(cronJob, 'spec');
  const job = objectAt(objectAt(spec, 'jobTemplate'), 'spec');
  const hasZone = old !== undefined && textAt(spec, 'schedule').includes('TZ');
  return [
    ...ofName(cronJob, old),
    ...(isUnchanged(cronJob, old) ? [] : indexWarnings(job, 'spec.jobTemplate.spec')),
    ...(hasZone ? ['spec.schedule: TZ and CRON_TZ are not supported; timeZone is for that'] : []),
  ];
};

function isUnchanged(object: ApiObject, old: ApiObject | undefined): boolean {
  return old !== undefined && old.metadata.generation === object.metadata.generation;
}

function indexWarnings(spec: JsonObject | undefined, path: string): string[] {
  const isHuge =
    textAt(spec, 'completionMode') === 'Indexed' &&
    numberAt(spec, 'completions') > MANY_COMPLETIONS &&
    numberAt(spec, 'parallelism') > MANY_AT_A_TIME;
  if (!isHuge) return [];
  return [`${path}: of more than 10^5 indexes, 10^4 at a time, not all that fail may be kept count of`];
}

/** By kind. */
export const WORKLOAD_WARNINGS: Readonly<Record<string, Warnings>> = {
  'apps.Deployment': ofName,
  'apps.ReplicaSet': ofName,
  'apps.StatefulSet': ofStatefulSet,
  'batch.CronJob': ofCronJob,
  'batch.Job': ofJob,
  'core.ReplicationController': ofName,
};
