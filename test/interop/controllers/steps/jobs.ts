import { holds, told, type Job } from '../objects.ts';
import type { KubeObject } from '../../../../src/client/index.ts';
import type { Step } from './step.ts';

interface CronJob extends KubeObject {
  readonly status?: { readonly lastScheduleTime?: string; readonly lastSuccessfulTime?: string };
}

const jobSpec = (more: object) => ({
  ...more,
  template: {
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example.com/main:1' }] },
  },
});

/** Jobs complete, in parallel and with an index, and one that says so is deleted afterwards. */
export const completeJobs: Step = async (cluster, namespace) => {
  const specs = {
    parallel: { completions: 6, parallelism: 3 },
    indexed: { completions: 4, parallelism: 4, completionMode: 'Indexed' },
    passing: { ttlSecondsAfterFinished: 1 },
  };
  for (const [name, spec] of Object.entries(specs)) {
    await cluster.create({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name, namespace },
      spec: jobSpec(spec),
    });
  }
  const jobs = await cluster.until<Job>({
    what: 'two Jobs are complete, and the third gone',
    of: ['batch/v1', 'Job'],
    namespace,
    labelSelector: '!cron',
    holds: (all) => all.length === 2 && all.every(({ status }) => holds(status?.conditions, 'Complete')),
  });
  return jobs
    .map(
      ({ metadata, status }) => `${metadata.name}: ${status?.succeeded} ${told(status?.conditions).join()}`,
    )
    .sort();
};

/** A CronJob of every minute fires, and its Job completes. */
export const fireCronJob: Step = async (cluster, namespace) => {
  await cluster.create({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'each-minute', namespace },
    spec: {
      schedule: '* * * * *',
      timeZone: 'Etc/UTC',
      jobTemplate: { metadata: { labels: { cron: 'yes' } }, spec: jobSpec({}) },
    },
  });
  await cluster.until<CronJob>({
    what: 'the CronJob has fired, and its Job has completed',
    of: ['batch/v1', 'CronJob'],
    namespace,
    holds: ([cron]) => cron?.status?.lastSuccessfulTime !== undefined,
  });
  const [job] = await cluster.until<Job>({
    what: 'the Job of the CronJob is there',
    of: ['batch/v1', 'Job'],
    namespace,
    labelSelector: 'cron=yes',
    holds: (all) => all.length > 0,
  });
  return [`fired: ${job?.status?.succeeded} ${told(job?.status?.conditions).join()}`];
};
