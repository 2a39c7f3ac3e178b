import { humanDuration } from '../../../../lib/human-duration.ts';
import { defineDescriber } from '../describer.ts';
import type { Description } from '../description.ts';
import type { Described, PodTemplate, Selector } from '../objects.ts';
import { controllerOf, writeHead, writeLabels } from '../parts/metadata.ts';
import { writePodTemplate } from '../parts/pod-template.ts';
import { selectorText } from '../parts/selector.ts';
import { longTime } from '../times.ts';

interface JobSpec {
  readonly selector?: Selector;
  readonly parallelism?: number;
  readonly completions?: number;
  readonly completionMode?: string;
  readonly suspend?: boolean;
  readonly backoffLimit?: number;
  readonly ttlSecondsAfterFinished?: number;
  readonly activeDeadlineSeconds?: number;
  readonly template?: PodTemplate;
}

interface JobStatus {
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly active?: number;
  readonly ready?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly completedIndexes?: string;
}

interface Job extends Described {
  readonly spec?: JobSpec;
  readonly status?: JobStatus;
}

interface CronJob extends Described {
  readonly spec?: {
    readonly schedule?: string;
    readonly concurrencyPolicy?: string;
    readonly suspend?: boolean;
    readonly successfulJobsHistoryLimit?: number;
    readonly failedJobsHistoryLimit?: number;
    readonly startingDeadlineSeconds?: number;
    readonly jobTemplate?: { readonly spec?: JobSpec };
  };
  readonly status?: {
    readonly lastScheduleTime?: string;
    readonly active?: readonly { readonly name?: string }[];
  };
}

/** Characters of the indexes of pods that are shown, up to the next comma. */
const SHOWN_INDEXES = 50;

export const job = defineDescriber<Job>({
  write(page, { metadata, spec = {}, status = {} }, world) {
    page.row('Name', metadata.name ?? '');
    page.row('Namespace', metadata.namespace ?? '');
    page.row('Selector', selectorText(spec.selector));
    writeLabels(page, metadata, world);
    const controller = controllerOf(metadata);
    if (controller !== undefined) page.row('Controlled By', controller);
    if (spec.parallelism !== undefined) page.row('Parallelism', spec.parallelism);
    page.row('Completions', spec.completions ?? '<unset>');
    if (spec.completionMode !== undefined) page.row('Completion Mode', spec.completionMode);
    if (spec.suspend !== undefined) page.row('Suspend', spec.suspend);
    if (spec.backoffLimit !== undefined) page.row('Backoff Limit', spec.backoffLimit);
    if (spec.ttlSecondsAfterFinished !== undefined)
      page.row('TTL Seconds After Finished', spec.ttlSecondsAfterFinished);
    writeRun(page, status);
    if (spec.activeDeadlineSeconds !== undefined)
      page.row('Active Deadline Seconds', `${spec.activeDeadlineSeconds}s`);
    const { active = 0, ready, succeeded = 0, failed = 0 } = status;
    const readyText = ready === undefined ? '' : ` (${ready} Ready)`;
    page.row('Pods Statuses', `${active} Active${readyText} / ${succeeded} Succeeded / ${failed} Failed`);
    if (spec.completionMode === 'Indexed') page.row('Completed Indexes', indexText(status.completedIndexes));
    writePodTemplate(page, spec.template, world);
  },
});

function writeRun(page: Description, { startTime, completionTime }: JobStatus): void {
  if (startTime) page.row('Start Time', longTime(startTime));
  if (completionTime) page.row('Completed At', longTime(completionTime));
  if (startTime && completionTime)
    page.row('Duration', humanDuration(Date.parse(completionTime) - Date.parse(startTime)));
}

function indexText(indexes = ''): string {
  if (indexes === '') return '<none>';
  const end = indexes.indexOf(',', SHOWN_INDEXES);
  return end < 0 ? indexes : `${indexes.slice(0, end + 1)}...`;
}

export const cronJob = defineDescriber<CronJob>({
  write(page, { metadata, spec = {}, status = {} }, world) {
    writeHead(page, metadata, world);
    page.row('Schedule', spec.schedule ?? '');
    page.row('Concurrency Policy', spec.concurrencyPolicy ?? '');
    page.row('Suspend', spec.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False');
    page.row('Successful Job History Limit', spec.successfulJobsHistoryLimit ?? '<unset>');
    page.row('Failed Job History Limit', spec.failedJobsHistoryLimit ?? '<unset>');
    const deadline = spec.startingDeadlineSeconds;
    page.row('Starting Deadline Seconds', deadline === undefined ? '<unset>' : `${deadline}s`);
    const template = spec.jobTemplate?.spec ?? {};
    page.row('Selector', template.selector === undefined ? '<unset>' : selectorText(template.selector));
    page.row('Parallelism', template.parallelism ?? '<unset>');
    page.row('Completions', template.completions ?? '<unset>');
    if (template.activeDeadlineSeconds !== undefined)
      page.row('Active Deadline Seconds', `${template.activeDeadlineSeconds}s`);
    writePodTemplate(page, template.template, world);
    const { lastScheduleTime, active = [] } = status;
    page.row('Last Schedule Time', lastScheduleTime ? longTime(lastScheduleTime) : '<unset>');
    const jobs = active.map(({ name = '' }) => name).join(', ');
    page.row('Active Jobs', active.length === 0 ? '<none>' : jobs);
  },
});
