import { duplicate, invalid, notSupported, required, tooLong, tooMany } from '../../errors/field-error.ts';
import type { FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { isObject, numberAt, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import { dnsLabelProblems, dnsSubdomainProblems } from '../../meta/names.ts';
import type { Json, JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { claimTemplateMetadata } from '../pod/validate/metadata.ts';
import { addProblems } from '../problems.ts';
import { checkDriver, checkFullyQualified } from './names.ts';

/** Requests, constraints, configurations and selectors that one list may hold. */
const MAX_ITEMS = 32;

/** ResourceClaims: what they ask for stays. */
export const resourceClaim: TypeCheck = (claim, at, { old, errors }) => {
  const spec = objectAt(claim, 'spec') ?? {};
  if (old !== undefined && !sameJson(spec, objectAt(old, 'spec') ?? {}))
    errors.push(invalid(at.child('spec'), spec, 'field is immutable'));
  checkClaimSpec(spec, at.child('spec'), { errors, stored: old !== undefined });
};

/** Templates of them. */
export const resourceClaimTemplate: TypeCheck = (template, at, context) => {
  const { old, errors } = context;
  const spec = objectAt(template, 'spec') ?? {};
  const path = at.child('spec');
  if (old !== undefined && !sameJson(spec, objectAt(old, 'spec') ?? {}))
    errors.push(invalid(path, spec, 'field is immutable'));
  claimTemplateMetadata(spec, path, context);
  checkClaimSpec(objectAt(spec, 'spec') ?? {}, path.child('spec'), { errors, stored: old !== undefined });
};

interface ClaimContext {
  readonly errors: FieldError[];
  /** Whether parameters are of an earlier release, which bounded them not. */
  readonly stored: boolean;
}

function checkClaimSpec(spec: JsonObject, at: FieldPath, context: ClaimContext): void {
  const { errors } = context;
  const path = at.child('devices');
  const devices = objectAt(spec, 'devices');
  const names = requestNames(spec);
  const requests = objectsAt(devices, 'requests');
  checkCount(requests, path.child('requests'), errors);
  const seen = new Set<string>();
  for (const [i, request] of requests.entries()) {
    const where = path.child('requests').index(i);
    checkRequest(request, where, errors);
    const name = textAt(request, 'name');
    if (seen.has(name)) errors.push(duplicate(where.child('name'), name));
    seen.add(name);
  }
  const constraints = objectsAt(devices, 'constraints');
  checkCount(constraints, path.child('constraints'), errors);
  for (const [i, constraint] of constraints.entries()) {
    const where = path.child('constraints').index(i);
    checkReferences(constraint['requests'], where.child('requests'), { errors, names });
    const attribute = constraint['matchAttribute'];
    if (typeof attribute !== 'string') errors.push(required(where.child('matchAttribute')));
    else checkFullyQualified(attribute, where.child('matchAttribute'), errors);
  }
  const configurations = objectsAt(devices, 'config');
  checkCount(configurations, path.child('config'), errors);
  for (const [i, configuration] of configurations.entries()) {
    const where = path.child('config').index(i);
    checkReferences(configuration['requests'], where.child('requests'), { errors, names });
    checkConfiguration(configuration, where, context);
  }
}

/** Names of a claim's requests. */
export function requestNames(spec: JsonObject | undefined): ReadonlySet<string> {
  return new Set(objectsAt(objectAt(spec, 'devices'), 'requests').map((request) => textAt(request, 'name')));
}

function checkCount(list: readonly Json[], at: FieldPath, errors: FieldError[], limit = MAX_ITEMS): void {
  if (list.length > limit) errors.push(tooMany(at, list.length, limit));
}

const MODES = ['All', 'ExactCount'];

function checkRequest(request: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const name = textAt(request, 'name');
  addProblems(errors, at.child('name'), name, dnsLabelProblems(name));
  const className = textAt(request, 'deviceClassName');
  if (className === '') errors.push(required(at.child('deviceClassName')));
  else addProblems(errors, at.child('deviceClassName'), className, dnsSubdomainProblems(className));
  checkSelectors(request, at, errors);
  const mode = textAt(request, 'allocationMode');
  const count = numberAt(request, 'count');
  if (!MODES.includes(mode)) errors.push(notSupported(at.child('allocationMode'), mode, MODES));
  else if (mode === 'All' && count !== 0)
    errors.push(invalid(at.child('count'), count, 'all devices are asked for'));
  else if (mode === 'ExactCount' && count <= 0)
    errors.push(invalid(at.child('count'), count, 'must be greater than 0'));
}

/** Longest expression of a selector, bytes. */
export const MAX_EXPRESSION = 10 * 1024;

/** Selectors of devices. */
export function checkSelectors(struct: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const selectors = objectsAt(struct, 'selectors');
  checkCount(selectors, at.child('selectors'), errors);
  for (const [i, selector] of selectors.entries()) {
    const path = at.child('selectors').index(i).child('cel');
    const cel = objectAt(selector, 'cel');
    if (cel === undefined) errors.push(required(path));
    else if (Buffer.byteLength(textAt(cel, 'expression')) > MAX_EXPRESSION)
      errors.push(tooLong(path.child('expression'), MAX_EXPRESSION));
  }
}

/** Names of requests that something is for. */
export function checkReferences(
  list: Json | undefined,
  at: FieldPath,
  { errors, names }: { readonly errors: FieldError[]; readonly names: ReadonlySet<string> },
): void {
  const references = Array.isArray(list) ? list.map((item) => (typeof item === 'string' ? item : '')) : [];
  for (const [i, name] of references.entries()) {
    checkReference(name, at.index(i), { errors, names });
    if (references.indexOf(name) < i) errors.push(duplicate(at.index(i), name));
  }
  checkCount(references, at, errors);
}

export function checkReference(
  name: string,
  at: FieldPath,
  { errors, names }: { readonly errors: FieldError[]; readonly names: ReadonlySet<string> },
): void {
  addProblems(errors, at, name, dnsLabelProblems(name));
  if (!names.has(name)) errors.push(invalid(at, name, 'must be the name of a request of the claim'));
}

const MAX_PARAMETERS = 10 * 1024;

/** What a driver is told. */
export function checkConfiguration(configuration: JsonObject, at: FieldPath, context: ClaimContext): void {
  const { errors, stored } = context;
  const opaque = objectAt(configuration, 'opaque');
  const path = at.child('opaque');
  if (opaque === undefined) {
    errors.push(required(path));
    return;
  }
  checkDriver(textAt(opaque, 'driver'), path.child('driver'), errors);
  const { parameters } = opaque;
  if (parameters === undefined || parameters === null) errors.push(required(path.child('parameters')));
  else if (!isObject(parameters)) errors.push(invalid(path.child('parameters'), '…', 'must be an object'));
  else if (!stored && Buffer.byteLength(JSON.stringify(parameters)) > MAX_PARAMETERS)
    errors.push(tooLong(path.child('parameters'), MAX_PARAMETERS));
}

/** DeviceClasses. */
export const deviceClass: TypeCheck = (object, at, { old, errors }) => {
  const spec = objectAt(object, 'spec') ?? {};
  const path = at.child('spec');
  checkSelectors(spec, path, errors);
  const configurations = objectsAt(spec, 'config');
  checkCount(configurations, path.child('config'), errors);
  const stored = old !== undefined && sameJson(spec['config'], objectAt(old, 'spec')?.['config']);
  for (const [i, configuration] of configurations.entries())
    checkConfiguration(configuration, path.child('config').index(i), { errors, stored });
};
