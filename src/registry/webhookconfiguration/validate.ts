import {
  duplicate,
  invalid,
  notSupported,
  required,
  tooMany,
  type FieldError,
} from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import { dns1035LabelProblems, dnsSubdomainProblems, qualifiedNameProblems } from '../../meta/names.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { addProblems } from '../problems.ts';
import { textsOf } from './rules.ts';
import { checkService, checkUrl } from './url.ts';

const NO_SIDE_EFFECTS = ['None', 'NoneOnDryRun'];
const SIDE_EFFECTS = [...NO_SIDE_EFFECTS, 'Some', 'Unknown'];
const REVIEW_VERSIONS = ['v1', 'v1beta1'];
/** Parts of a webhook's name, at least. */
const MIN_PARTS = 3;

/** What webhooks are held to. An update leaves alone what an earlier release let pass. */
interface Strictness {
  readonly noSideEffects: boolean;
  readonly knownVersion: boolean;
  readonly uniqueNames: boolean;
}

/** Configurations of webhooks. */
export const webhookConfiguration: TypeCheck = (configuration, at, { old, errors }) => {
  const strict = strictnessAfter(objectsAt(old, 'webhooks'));
  const names = new Set<string>();
  for (const [i, webhook] of objectsAt(configuration, 'webhooks').entries()) {
    const path = at.child('webhooks').index(i);
    checkWebhook(webhook, path, { errors, strict });
    const name = textAt(webhook, 'name');
    if (strict.uniqueNames && name !== '' && names.has(name))
      errors.push(duplicate(path.child('name'), name));
    names.add(name);
  }
};

function strictnessAfter(before: readonly JsonObject[]): Strictness {
  return {
    noSideEffects: before.every((webhook) => NO_SIDE_EFFECTS.includes(textAt(webhook, 'sideEffects'))),
    knownVersion: before.every((webhook) => {
      const versions = textsOf(webhook['admissionReviewVersions']);
      return versions.length === 0 || versions.some((version) => REVIEW_VERSIONS.includes(version));
    }),
    uniqueNames: new Set(before.map((webhook) => textAt(webhook, 'name'))).size === before.length,
  };
}

interface WebhookContext {
  readonly errors: FieldError[];
  readonly strict: Strictness;
}

function checkWebhook(webhook: JsonObject, at: FieldPath, { errors, strict }: WebhookContext): void {
  checkName(textAt(webhook, 'name'), at.child('name'), errors);
  const effects = webhook['sideEffects'] ?? undefined;
  const allowed = strict.noSideEffects ? NO_SIDE_EFFECTS : SIDE_EFFECTS;
  const path = at.child('sideEffects');
  if (effects === undefined) errors.push(required(path, `must be ${allowed.join(' or ')}`));
  else if (typeof effects !== 'string' || !allowed.includes(effects))
    errors.push(notSupported(path, effects, allowed));
  checkClient(objectAt(webhook, 'clientConfig') ?? {}, at.child('clientConfig'), errors);
  checkVersions(textsOf(webhook['admissionReviewVersions']), at.child('admissionReviewVersions'), {
    errors,
    strict,
  });
  checkConditions(objectsAt(webhook, 'matchConditions'), at.child('matchConditions'), errors);
}

function checkName(name: string, at: FieldPath, errors: FieldError[]): void {
  if (name === '') {
    errors.push(required(at));
    return;
  }
  const problems = dnsSubdomainProblems(name);
  addProblems(errors, at, name, problems);
  if (problems.length === 0 && name.split('.').length < MIN_PARTS)
    errors.push(invalid(at, name, `must have at least ${MIN_PARTS} parts, separated by dots`));
}

function checkClient(client: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const { url } = client;
  const service = objectAt(client, 'service');
  if ((typeof url === 'string') === (service !== undefined))
    errors.push(required(at, 'must have one of url and service'));
  else if (typeof url === 'string') checkUrl(url, at.child('url'), errors);
  else if (service !== undefined) checkService(service, at.child('service'), errors);
}

function checkVersions(versions: readonly string[], at: FieldPath, { errors, strict }: WebhookContext): void {
  if (versions.length === 0) {
    errors.push(required(at, `must have one of ${REVIEW_VERSIONS.join(' and ')}`));
    return;
  }
  for (const [i, version] of versions.entries()) {
    if (versions.indexOf(version) < i) errors.push(invalid(at.index(i), version, 'must not be there twice'));
    else addProblems(errors, at.index(i), version, dns1035LabelProblems(version));
  }
  if (strict.knownVersion && !versions.some((version) => REVIEW_VERSIONS.includes(version)))
    errors.push(invalid(at, [...versions], `must have one of ${REVIEW_VERSIONS.join(' and ')}`));
}

const MAX_CONDITIONS = 64;

/** Expressions that say whether a request is of interest, but for what they come to. */
export function checkConditions(
  conditions: readonly JsonObject[],
  at: FieldPath,
  errors: FieldError[],
): void {
  if (conditions.length > MAX_CONDITIONS) errors.push(tooMany(at, conditions.length, MAX_CONDITIONS));
  const names = new Set<string>();
  for (const [i, condition] of conditions.entries()) {
    const path = at.index(i);
    if (textAt(condition, 'expression').trim() === '') errors.push(required(path.child('expression')));
    const name = textAt(condition, 'name');
    if (name === '') errors.push(required(path.child('name')));
    else addProblems(errors, path.child('name'), name, qualifiedNameProblems(name));
    if (name !== '' && names.has(name)) errors.push(duplicate(path.child('name'), name));
    names.add(name);
  }
}
