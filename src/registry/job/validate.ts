import { invalid, notSupported, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { isObject, numberAt, objectAt, textAt } from '../../meta/fields.ts';
import { dnsLabelProblems, dnsSubdomainProblems } from '../../meta/names.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { TypeCheck, TypeChecks } from '../../schema/rules/rule-book.ts';
import { checkSelector, templateLabels } from '../workload/pods.ts';
import { jobLabels, type JobLabels } from './labels.ts';
import {
  checkFailurePolicy,
  checkSuccessPolicy,
  onExitCodes,
  onPodCondition,
  podFailurePolicyRule,
} from './policies.ts';
import { jobStatus } from './status.ts';
import { checkJobChange } from './update.ts';

/** So many pods of an indexed job may run at once, and so many indexes may fail. */
const MAX_INDEXED = 100_000;
/** The same where there are more completions than that, each with a limit of its own. */
const MAX_OF_MANY = 10_000;

/** The rules of a job's spec, in a Job or in the template of a CronJob. */
const jobSpec: TypeCheck = (spec, at, { errors }) => {
  checkManager(spec, at, errors);
  if (spec['maxFailedIndexes'] !== undefined && spec['backoffLimitPerIndex'] === undefined)
    errors.push(required(at.child('backoffLimitPerIndex'), 'maxFailedIndexes needs it'));
  if (spec['completionMode'] === 'Indexed') checkIndexed(spec, at, errors);
  else if (spec['completionMode'] === undefined || spec['completionMode'] === 'NonIndexed') {
    for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes'])
      if (spec[field] !== undefined)
        errors.push(invalid(at.child(field), spec[field], 'needs the completion mode Indexed'));
  }
  checkFailurePolicy(spec, at, errors);
  checkSuccessPolicy(spec, at, errors);
  checkReplacement(spec, at, errors);
  checkRestarts(spec, at, errors);
};

/** A controller's name: a domain and a path. */
function checkManager(spec: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const manager = spec['managedBy'];
  if (typeof manager !== 'string') return;
  const path = at.child('managedBy');
  if (manager === '') {
    errors.push(required(path));
    return;
  }
  const slash = manager.indexOf('/');
  const [domain, name] = slash < 0 ? [manager, ''] : [manager.slice(0, slash), manager.slice(slash + 1)];
  if (slash < 0 || domain === '' || name === '')
    errors.push(invalid(path, manager, 'must be a domain and a path, such as example.com/controller'));
  for (const problem of domain === '' ? [] : dnsSubdomainProblems(domain))
    errors.push(invalid(path, domain, problem));
  if (name !== '' && !PATH.test(name)) errors.push(invalid(path, name, 'is no path'));
}

const PATH = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

function checkIndexed(spec: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const { completions, parallelism, maxFailedIndexes: failed } = spec;
  if (completions === undefined)
    errors.push(required(at.child('completions'), 'the completion mode Indexed needs it'));
  const limit = (field: string, most: number): void => {
    const value = numberAt(spec, field);
    if (value > most) errors.push(invalid(at.child(field), value, `must be less than or equal to ${most}`));
  };
  limit('parallelism', MAX_INDEXED);
  if (typeof completions === 'number' && failed !== undefined) limit('maxFailedIndexes', completions);
  limit('maxFailedIndexes', MAX_INDEXED);
  if (Number(completions ?? 0) <= MAX_INDEXED || spec['backoffLimitPerIndex'] === undefined) return;
  if (failed === undefined)
    errors.push(required(at.child('maxFailedIndexes'), `more than ${MAX_INDEXED} completions need it`));
  if (parallelism !== undefined) limit('parallelism', MAX_OF_MANY);
  limit('maxFailedIndexes', MAX_OF_MANY);
}

function checkReplacement(spec: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const policy = spec['podReplacementPolicy'];
  if (policy === undefined) return;
  const supported = isObject(spec['podFailurePolicy']) ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  if (typeof policy !== 'string' || !supported.includes(policy))
    errors.push(notSupported(at.child('podReplacementPolicy'), policy, supported));
}

/** Pods of a job end. */
function checkRestarts(spec: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const policy = textAt(objectAt(objectAt(spec, 'template'), 'spec'), 'restartPolicy');
  const path = at.child('template').child('spec').child('restartPolicy');
  if (policy === '' || policy === 'Always') errors.push(required(path, 'must be OnFailure or Never'));
  else if (policy !== 'OnFailure' && policy !== 'Never')
    errors.push(notSupported(path, policy, ['OnFailure', 'Never']));
  else if (policy !== 'Never' && isObject(spec['podFailurePolicy']))
    errors.push(invalid(path, policy, 'must be Never where there is a podFailurePolicy'));
}

/** A selector that is made for a job selects the job's pods and no others. */
function checkOwnSelector(job: ApiObject, spec: JsonObject, path: FieldPath, rules: OwnRules): void {
  const { labels, errors, requireNew } = rules;
  const { uid = '', name = '' } = job.metadata;
  const wanted: [string, string][] = [
    [labels.legacyUid, uid],
    [labels.legacyName, name],
    ...(requireNew
      ? ([
          [labels.uid, uid],
          [labels.name, name],
        ] as [string, string][])
      : []),
  ];
  const found = templateLabels(spec);
  const at = path.child('template').child('metadata').child('labels');
  for (const [label, value] of wanted) {
    if (found?.[label] === undefined) errors.push(required(at.key(label), `must be ${value}`));
    else if (found[label] !== value) errors.push(invalid(at.key(label), found[label], `must be ${value}`));
  }
  const selector = objectAt(spec, 'selector');
  const made: FieldError[] = [];
  checkSelector({ selector, template: { metadata: { labels: Object.fromEntries(wanted) } } }, path, {
    context: { root: job, errors: made },
    unreadable: 'ignored',
  });
  if (made.some(({ field }) => field.endsWith('.metadata.labels')))
    errors.push(invalid(path.child('selector'), selector, 'is not the selector that was made for the job'));
}

interface OwnRules {
  readonly labels: JobLabels;
  readonly errors: FieldError[];
  /** Whether the newer labels must be there: old jobs may lack them. */
  readonly requireNew: boolean;
}

function jobCheck(labels: JobLabels): TypeCheck {
  return function checkJob(_job, root, { root: job, old, errors }) {
    const spec = objectAt(job, 'spec') ?? {};
    const at = root.child('spec');
    if (!isObject(spec['selector'])) errors.push(required(at.child('selector')));
    else if (spec['manualSelector'] !== true) {
      const before = templateLabels(objectAt(old, 'spec'));
      const requireNew =
        old === undefined || (before?.[labels.name] !== undefined && before[labels.uid] !== undefined);
      checkOwnSelector(job, spec, at, { labels, errors, requireNew });
    }
    checkMatches(job, spec, at, errors);
    checkHostnames(job, spec, errors);
    if (old !== undefined) checkJobChange(spec, old, at, errors);
  };
}

/** An empty selector is a matter of the labels that are put into it. */
function checkMatches(job: ApiObject, spec: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const found: FieldError[] = [];
  checkSelector(spec, at, { context: { root: job, errors: found }, unreadable: 'ignored' });
  errors.push(...found.filter(({ field }) => field.endsWith('.metadata.labels')));
}

/** Pods of an indexed job have names of the job's name and their index, which are host names. */
function checkHostnames(job: ApiObject, spec: JsonObject, errors: FieldError[]): void {
  const completions = numberAt(spec, 'completions');
  if (spec['completionMode'] !== 'Indexed' || completions <= 0) return;
  const last = `${job.metadata.name ?? ''}-${completions - 1}`;
  if (dnsLabelProblems(last).length > 0)
    errors.push(invalid('metadata.name', job.metadata.name, `pods could not have the host name ${last}`));
}

/** The rules of Jobs, and of what CronJobs have of them. */
export function jobChecks(names: NamingProfile): TypeChecks {
  return {
    'batch.Job': jobCheck(jobLabels(names)),
    'batch.JobSpec': jobSpec,
    'batch.JobStatus': jobStatus,
    'batch.PodFailurePolicyOnExitCodesRequirement': onExitCodes,
    'batch.PodFailurePolicyOnPodConditionsPattern': onPodCondition,
    'batch.PodFailurePolicyRule': podFailurePolicyRule,
  };
}
