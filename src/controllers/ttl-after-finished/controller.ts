import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import { rowOf, type Controller } from '../controller.ts';
import { deleteWhenDue } from '../delete-when-due.ts';

/** Deletes finished Jobs, with their pods, as long after their end as they say. */
export const ttlAfterFinished: Controller = {
  name: 'ttl-after-finished-controller',
  start: (parts) =>
    deleteWhenDue(parts, {
      row: rowOf(parts.schemas, ['batch', 'v1', 'jobs']),
      endOf,
      propagationPolicy: 'Foreground',
    }),
};

/** When a Job is to be deleted, milliseconds since 1970; infinite for one that isn't over, or stays. */
export function endOf(job: ApiObject): number {
  const seconds = objectAt(job, 'spec')?.['ttlSecondsAfterFinished'];
  if (typeof seconds !== 'number' || job.metadata.deletionTimestamp != null) return Infinity;
  const end = objectsAt(objectAt(job, 'status'), 'conditions').find(
    ({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True',
  );
  const time = Date.parse(textAt(end, 'lastTransitionTime'));
  return Number.isNaN(time) ? Infinity : time + seconds * 1000;
}
