import { invalid, notSupported } from '../../errors/field-error.ts';
import { objectAt, textAt } from '../../meta/fields.ts';
import type { TypeCheck, TypeChecks } from '../../schema/rules/rule-book.ts';
import { scheduleProblem } from './schedule.ts';
import { isTimeZone } from './time-zone.ts';

/** The names of jobs are 11 characters longer, and 63 at most. */
const MAX_NAME = 52;

const cronJob: TypeCheck = (_cronJob, _at, { root: { metadata }, old, errors }) => {
  const { name = '' } = metadata;
  if (old === undefined && name.length > MAX_NAME)
    errors.push(invalid('metadata.name', name, `must be no more than ${MAX_NAME} characters`));
};

const cronJobSpec: TypeCheck = ({ schedule = '', timeZone }, at, { old, errors }) => {
  const before = objectAt(old, 'spec');
  if (typeof schedule === 'string' && schedule !== '') {
    const path = at.child('schedule');
    const problem = scheduleProblem(schedule);
    if (problem !== undefined) errors.push(invalid(path, schedule, problem));
    // Old schedules may have a time zone.
    const mayHaveZone = textAt(before, 'schedule').includes('TZ');
    if (schedule.includes('TZ') && (!mayHaveZone || timeZone !== undefined))
      errors.push(invalid(path, schedule, 'cannot have a time zone; timeZone is for that'));
  }
  if (typeof timeZone !== 'string' || (before !== undefined && before['timeZone'] === timeZone)) return;
  if (!isTimeZone(timeZone)) errors.push(invalid(at.child('timeZone'), timeZone, 'is no time zone'));
};

/** The jobs of a CronJob have selectors that are made for them. */
const jobTemplate: TypeCheck = (template, at, { errors }) => {
  const spec = objectAt(template, 'spec');
  const path = at.child('spec');
  const selector = spec?.['selector'];
  if (selector !== undefined) errors.push(invalid(path.child('selector'), selector, 'is made for each job'));
  if (spec?.['manualSelector'] === true)
    errors.push(notSupported(path.child('manualSelector'), true, ['nil', 'false']));
};

/** The rules of CronJobs. */
export const CRON_JOB_CHECKS: TypeChecks = {
  'batch.CronJob': cronJob,
  'batch.CronJobSpec': cronJobSpec,
  'batch.JobTemplateSpec': jobTemplate,
};
