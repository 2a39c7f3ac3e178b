import { objectAt } from '../../meta/fields.ts';
import type { ResourceHooks } from '../hooks.ts';
import { defaultJobSpec } from '../job/hooks.ts';

/** CronJobs: the pod template's defaults, below the job template. */
export const cronJobHooks: ResourceHooks = {
  defaults: (object) =>
    defaultJobSpec(objectAt(objectAt(objectAt(object, 'spec'), 'jobTemplate'), 'spec'), true),
};
