import { duplicate, forbidden, invalid, notSupported, required, tooMany } from '../../errors/field-error.ts';
import type { FieldError } from '../../errors/field-error.ts';
import { FieldPath } from '../../errors/field-path.ts';
import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import { dnsLabelProblems } from '../../meta/names.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import { addProblems } from '../problems.ts';
import { checkConfiguration, checkReference, checkReferences, requestNames } from './claim.ts';
import { checkDriver, checkPool } from './names.ts';

const MAX_CONSUMERS = 256;
const MAX_RESULTS = 32;
/** Those of the class and of the claim. */
const MAX_CONFIGURATIONS = 64;
const STATUS = FieldPath.ROOT.child('status');

/** What is wrong with what is said of a claim: who has which devices. An allocation stays until it is taken back. */
export function claimStatusErrors(claim: ApiObject, old: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  const status = objectAt(claim, 'status');
  const before = objectAt(old, 'status');
  const consumers = objectsAt(status, 'reservedFor');
  const allocation = objectAt(status, 'allocation');
  checkConsumers(consumers, STATUS.child('reservedFor'), errors);
  if (consumers.length > 0 && allocation === undefined)
    errors.push(forbidden(STATUS.child('reservedFor'), 'nothing is allocated'));
  else if (claim.metadata.deletionTimestamp != null && hasMore(consumers, objectsAt(before, 'reservedFor')))
    errors.push(forbidden(STATUS.child('reservedFor'), 'the claim is being deleted'));
  const last = objectAt(before, 'allocation');
  if (allocation === undefined) return errors;
  const path = STATUS.child('allocation');
  if (last === undefined)
    checkAllocation(allocation, path, { errors, names: requestNames(objectAt(claim, 'spec')) });
  else if (!sameJson(allocation, last)) errors.push(invalid(path, allocation, 'field is immutable'));
  return errors;
}

function checkConsumers(consumers: readonly JsonObject[], at: FieldPath, errors: FieldError[]): void {
  const seen = new Set<string>();
  for (const [i, consumer] of consumers.entries()) {
    for (const field of ['resource', 'name', 'uid'])
      if (textAt(consumer, field) === '') errors.push(required(at.index(i).child(field)));
    const uid = textAt(consumer, 'uid');
    if (seen.has(uid)) errors.push(duplicate(at.index(i).child('uid'), uid));
    seen.add(uid);
  }
  if (consumers.length > MAX_CONSUMERS) errors.push(tooMany(at, consumers.length, MAX_CONSUMERS));
}

function hasMore(consumers: readonly JsonObject[], before: readonly JsonObject[]): boolean {
  return consumers.some((consumer) => !before.some((one) => sameJson(one, consumer)));
}

interface AllocationContext {
  readonly errors: FieldError[];
  /** Of the claim's requests. */
  readonly names: ReadonlySet<string>;
}

const SOURCES = ['FromClaim', 'FromClass'];

function checkAllocation(allocation: JsonObject, at: FieldPath, context: AllocationContext): void {
  const { errors } = context;
  const devices = objectAt(allocation, 'devices');
  const results = objectsAt(devices, 'results');
  const path = at.child('devices');
  for (const [i, result] of results.entries()) checkResult(result, path.child('results').index(i), context);
  if (results.length > MAX_RESULTS) errors.push(tooMany(path.child('results'), results.length, MAX_RESULTS));
  const configurations = objectsAt(devices, 'config');
  for (const [i, configuration] of configurations.entries()) {
    const where = path.child('config').index(i);
    const source = textAt(configuration, 'source');
    if (source === '') errors.push(required(where.child('source')));
    else if (!SOURCES.includes(source)) errors.push(notSupported(where.child('source'), source, SOURCES));
    checkReferences(configuration['requests'], where.child('requests'), context);
    checkConfiguration(configuration, where, { errors, stored: false });
  }
  if (configurations.length > MAX_CONFIGURATIONS)
    errors.push(tooMany(path.child('config'), configurations.length, MAX_CONFIGURATIONS));
}

function checkResult(result: JsonObject, at: FieldPath, context: AllocationContext): void {
  const { errors } = context;
  checkReference(textAt(result, 'request'), at.child('request'), context);
  checkDriver(textAt(result, 'driver'), at.child('driver'), errors);
  checkPool(textAt(result, 'pool'), at.child('pool'), errors);
  const device = textAt(result, 'device');
  addProblems(errors, at.child('device'), device, dnsLabelProblems(device));
}
