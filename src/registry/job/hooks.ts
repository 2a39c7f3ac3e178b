import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { sameJson } from '../../meta/same-json.ts';
import { isObject, numberAt, objectAt, sizeOf } from '../../meta/fields.ts';
import type { ResourceHooks } from '../hooks.ts';
import { defaultPodTemplate } from '../pod/template-defaults.ts';
import { jobLabels, type JobLabels } from './labels.ts';

const BACKOFF_LIMIT = 6;
const MAX_INT32 = 2 ** 31 - 1;

/** Jobs: defaults, and the selector that keeps a job's pods apart from those of every other job. */
export function jobHooks(names: NamingProfile): ResourceHooks {
  const labels = jobLabels(names);
  return {
    defaults(job) {
      const spec = objectAt(job, 'spec');
      defaultJobSpec(spec);
      const templateLabels = objectAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels');
      if (templateLabels !== undefined && sizeOf(job.metadata.labels) === 0) {
        job.metadata.labels = { ...(templateLabels as Record<string, string>) };
      }
    },
    selectableField: (job, path) =>
      path === 'status.successful' ? String(numberAt(objectAt(job, 'status'), 'succeeded')) : undefined,
    prepareForCreate(job) {
      const spec = objectAt(job, 'spec');
      if (spec !== undefined && spec.manualSelector !== true) selectOwnPods(job, spec, labels);
    },
  };
}

/** Defaults of a job's spec, of itself or in the template of a CronJob. */
export function defaultJobSpec(spec: JsonObject | undefined, inTemplate = false): void {
  defaultPodTemplate(spec);
  if (spec === undefined || inTemplate) return;
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? BACKOFF_LIMIT : MAX_INT32;
  spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
}

function selectOwnPods(job: ApiObject, spec: JsonObject, labels: JobLabels): void {
  const template = objectAt(spec, 'template');
  if (template === undefined) return;
  const { uid = '', name = '' } = job.metadata;
  const meta = isObject(template.metadata) ? template.metadata : {};
  const podLabels: JsonObject = isObject(meta.labels) ? meta.labels : {};
  // A job without labels of its own has those of its pods.
  const shared = sizeOf(job.metadata.labels) === 0 || sameJson(job.metadata.labels, podLabels);
  podLabels[labels.legacyName] ??= name;
  podLabels[labels.name] ??= name;
  podLabels[labels.legacyUid] ??= uid;
  podLabels[labels.uid] ??= uid;
  if (shared) job.metadata.labels = { ...(podLabels as Record<string, string>) };
  template.metadata = { ...meta, labels: podLabels };
  const selector: JsonObject = isObject(spec.selector) ? spec.selector : {};
  const matchLabels: JsonObject = isObject(selector.matchLabels) ? selector.matchLabels : {};
  matchLabels[labels.uid] ??= uid;
  spec.selector = { ...selector, matchLabels };
}
