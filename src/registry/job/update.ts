import { invalid, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { objectAt, sizeOf } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import { changeCheck } from '../../schema/rules/struct-rules.ts';

const IMMUTABLE = [
  'selector',
  'completionMode',
  'podFailurePolicy',
  'backoffLimitPerIndex',
  'managedBy',
  'successPolicy',
].map((field) => changeCheck(field, true));

/** What an update may not do to a job. In the templates of CronJobs everything may change. */
export function checkJobChange(spec: JsonObject, old: ApiObject, at: FieldPath, errors: FieldError[]): void {
  const before = objectAt(old, 'spec') ?? {};
  for (const check of IMMUTABLE) check(spec, before, at, errors);
  checkCompletions(spec, before, at, errors);
  const schedulable =
    before['suspend'] === true && (objectAt(old, 'status')?.['startTime'] ?? undefined) === undefined;
  const part = schedulable ? withoutDirectives : (template: JsonObject) => template;
  const [template, oldTemplate] = [spec, before].map((of) => part(objectAt(of, 'template') ?? {}));
  if (!sameJson(template, oldTemplate))
    errors.push(invalid(at.child('template'), spec['template'], 'field is immutable'));
}

/** An indexed job grows and shrinks together with its parallelism; another never changes. */
function checkCompletions(spec: JsonObject, before: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const { completions, completionMode, parallelism } = spec;
  if (completions === before['completions']) return;
  const path = at.child('completions');
  if (completionMode !== 'Indexed') errors.push(invalid(path, completions, 'field is immutable'));
  else if (completions !== undefined && completions !== parallelism)
    errors.push(invalid(path, completions, 'may only change together with parallelism'));
}

/** A template without what says where its pods may run: as long as a job waits, that may change. */
function withoutDirectives(template: JsonObject): JsonObject {
  const { labels: _l, annotations: _a, ...metadata } = objectAt(template, 'metadata') ?? {};
  const {
    nodeSelector: _n,
    tolerations: _t,
    schedulingGates: _g,
    affinity: _f,
    ...pod
  } = objectAt(template, 'spec') ?? {};
  const { nodeAffinity: _o, ...affinity } = objectAt(objectAt(template, 'spec'), 'affinity') ?? {};
  return { metadata, spec: { ...pod, ...(sizeOf(affinity) === 0 ? {} : { affinity }) } };
}
