import { duplicate, forbidden, invalid, notSupported, required, tooLong } from '../../errors/field-error.ts';
import type { FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { isObject, objectAt, objectsAt, sizeOf, textAt } from '../../meta/fields.ts';
import { dnsSubdomainProblems, qualifiedNameProblems } from '../../meta/names.ts';
import type { Json, JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import { FORMATS } from '../../schema/rules/formats.ts';
import type { TypeCheck, TypeChecks } from '../../schema/rules/rule-book.ts';
import { addProblems } from '../problems.ts';
import { attachmentSource } from '../persistentvolume/validate.ts';

const MAX_PARAMETERS = 512;
const MAX_PARAMETER_BYTES = 256 * 1024;

function checkParameters(parameters: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const entries = Object.entries(parameters);
  if (entries.length > MAX_PARAMETERS) {
    errors.push(tooLong(at, MAX_PARAMETERS));
    return;
  }
  let bytes = 0;
  for (const [key, value] of entries) {
    if (key === '') errors.push(invalid(at, key, 'must not have an empty name'));
    bytes += Buffer.byteLength(key) + (typeof value === 'string' ? Buffer.byteLength(value) : 0);
  }
  if (bytes > MAX_PARAMETER_BYTES) errors.push(tooLong(at, MAX_PARAMETER_BYTES));
}

function checkDriver(name: string, at: FieldPath, errors: FieldError[]): void {
  if (name === '') errors.push(required(at));
  else addProblems(errors, at, name, qualifiedNameProblems(name.toLowerCase()));
}

/** Some fields that a class has for its whole life. */
function forbidChanges(
  fields: readonly string[],
  {
    object,
    old,
    at,
    errors,
  }: { object: JsonObject; old: JsonObject | undefined; at: FieldPath; errors: FieldError[] },
): void {
  if (old === undefined) return;
  for (const field of fields) {
    const isGone = sizeOf(object[field]) === 0 && isObject(old[field]) && sizeOf(old[field]) === 0;
    if (!isGone && !sameJson(object[field], old[field]))
      errors.push(forbidden(at.child(field), 'may not be changed'));
  }
}

/** StorageClasses. */
const storageClass: TypeCheck = (object, at, { old, errors }) => {
  checkDriver(textAt(object, 'provisioner'), at.child('provisioner'), errors);
  checkParameters(objectAt(object, 'parameters') ?? {}, at.child('parameters'), errors);
  checkTopologies(objectsAt(object, 'allowedTopologies'), at.child('allowedTopologies'), errors);
  forbidChanges(['parameters', 'provisioner', 'reclaimPolicy'], { object, old, at, errors });
};

/** Terms for where volumes may be: no two ask for the same. */
function checkTopologies(terms: readonly JsonObject[], at: FieldPath, errors: FieldError[]): void {
  const seen = new Set<string>();
  for (const [i, term] of terms.entries()) {
    const path = at.index(i).child('matchLabelExpressions');
    const identity = checkTopology(objectsAt(term, 'matchLabelExpressions'), path, errors);
    // A term that asks for nothing is a duplicate of itself, as clients know it.
    if (seen.has(identity) || identity === '[]') errors.push(duplicate(path, ''));
    seen.add(identity);
  }
}

/** @returns what the term asks for, in whatever order it does. */
function checkTopology(expressions: readonly JsonObject[], at: FieldPath, errors: FieldError[]): string {
  const byKey = new Map<string, string[]>();
  for (const [j, expression] of expressions.entries()) {
    const path = at.index(j);
    const values = textsOf(expression['values']);
    if (values.length === 0) errors.push(required(path.child('values')));
    for (const [k, value] of values.entries())
      if (values.indexOf(value) < k) errors.push(duplicate(path.child('values').index(k), value));
    const key = textAt(expression, 'key');
    addProblems(errors, path.child('key'), key, qualifiedNameProblems(key));
    if (byKey.has(key)) errors.push(duplicate(path.child('key'), key));
    byKey.set(key, [...new Set(values)].sort());
  }
  return JSON.stringify([...byKey].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function textsOf(list: Json | undefined): string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}

/** VolumeAttributesClasses. */
const attributesClass: TypeCheck = (object, at, { old, errors }) => {
  checkDriver(textAt(object, 'driverName'), at.child('driverName'), errors);
  const parameters = objectAt(object, 'parameters') ?? {};
  checkParameters(parameters, at.child('parameters'), errors);
  if (sizeOf(parameters) === 0) errors.push(required(at.child('parameters'), 'must have at least one'));
  forbidChanges(['driverName', 'parameters'], { object, old, at, errors });
};

const MAX_DRIVER_NAME = 63;

/** The name of a CSI driver. */
function checkDriverName(name: string, at: FieldPath, errors: FieldError[]): void {
  if (name === '') errors.push(required(at));
  if (name.length > MAX_DRIVER_NAME) errors.push(tooLong(at, MAX_DRIVER_NAME));
  addProblems(errors, at, name, FORMATS.driverName(name));
}

/** VolumeAttachments. More is asked of new ones; and what is asked for stays. */
const volumeAttachment: TypeCheck = (object, at, { old, errors }) => {
  const spec = objectAt(object, 'spec') ?? {};
  const path = at.child('spec');
  const attacher = textAt(spec, 'attacher');
  const node = textAt(spec, 'nodeName');
  addProblems(errors, path.child('nodeName'), node, dnsSubdomainProblems(node));
  // Of new ones, clients are told so twice.
  if (attacher === '') errors.push(required(path.child('attacher')));
  if (old !== undefined) {
    if (!sameJson(spec, objectAt(old, 'spec'))) errors.push(invalid(path, spec, 'field is immutable'));
    return;
  }
  checkDriverName(attacher, path.child('attacher'), errors);
  const volume = objectAt(spec, 'source')?.['persistentVolumeName'];
  if (typeof volume === 'string') {
    const where = path.child('source').child('persistentVolumeName');
    addProblems(errors, where, volume, dnsSubdomainProblems(volume));
  }
};

const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;

/** CSIDrivers. */
const driverSpec: TypeCheck = (spec, at, { errors }) => {
  // The path is the one that clients know.
  if (spec['attachRequired'] === undefined) errors.push(required(at.child('attachedRequired')));
  const modes = Array.isArray(spec['volumeLifecycleModes']) ? spec['volumeLifecycleModes'] : [];
  for (const mode of modes) {
    if (mode !== 'Persistent' && mode !== 'Ephemeral')
      errors.push(notSupported(at.child('volumeLifecycleModes'), mode, ['Persistent', 'Ephemeral']));
  }
  const audiences = new Set<string>();
  for (const [i, request] of objectsAt(spec, 'tokenRequests').entries()) {
    const path = at.child('tokenRequests').index(i);
    const audience = textAt(request, 'audience');
    if (audiences.has(audience)) errors.push(duplicate(path.child('audience'), audience));
    else checkLifetime(request['expirationSeconds'], path.child('expirationSeconds'), errors);
    audiences.add(audience);
  }
};

function checkLifetime(seconds: Json | undefined, at: FieldPath, errors: FieldError[]): void {
  if (typeof seconds !== 'number' || (seconds >= MIN_TOKEN_SECONDS && seconds <= MAX_TOKEN_SECONDS)) return;
  errors.push(invalid(at, seconds, `must be from ${MIN_TOKEN_SECONDS} to ${MAX_TOKEN_SECONDS}`));
}

/** Changes of CSIDrivers. */
const driver: TypeCheck = (object, at, { old, errors }) => {
  if (old === undefined) return;
  const spec = objectAt(object, 'spec');
  const before = objectAt(old, 'spec');
  const path = at.child('spec');
  if (!sameJson(spec?.['attachRequired'], before?.['attachRequired']))
    errors.push(invalid(path.child('attachedRequired'), spec?.['attachRequired'], 'field is immutable'));
  if (!sameJson(spec?.['volumeLifecycleModes'], before?.['volumeLifecycleModes']))
    errors.push(
      invalid(path.child('volumeLifecycleModes'), spec?.['volumeLifecycleModes'], 'field is immutable'),
    );
};

const MAX_NODE_ID = 256;

/** CSINodes: drivers come and go, but don't change. */
const csiNode: TypeCheck = (object, at, { old, errors }) => {
  const drivers = objectsAt(objectAt(object, 'spec'), 'drivers');
  const names = new Set<string>();
  for (const [i, entry] of drivers.entries()) {
    const path = at.child('spec').child('drivers').index(i);
    const name = textAt(entry, 'name');
    checkDriverName(name, path.child('name'), errors);
    if (names.has(name)) errors.push(duplicate(path.child('name'), name));
    names.add(name);
    checkNodeDriver(entry, path, errors);
  }
  const before = objectsAt(objectAt(old, 'spec'), 'drivers');
  for (const entry of drivers) {
    const same = before.find((one) => textAt(one, 'name') === textAt(entry, 'name'));
    if (same !== undefined && !sameJson(entry, same))
      errors.push(invalid('CSINodeDriver', entry, 'field is immutable'));
  }
};

function checkNodeDriver(entry: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const id = textAt(entry, 'nodeID');
  if (id === '') errors.push(required(at.child('nodeID')));
  if (Buffer.byteLength(id) > MAX_NODE_ID)
    errors.push(invalid(at.child('nodeID'), id, `must have no more than ${MAX_NODE_ID} characters`));
  const keys = textsOf(entry['topologyKeys']);
  for (const [i, key] of keys.entries()) {
    if (key === '') errors.push(required(at));
    if (keys.indexOf(key) < i) errors.push(duplicate(at, key));
    addProblems(errors, at, key, qualifiedNameProblems(key));
  }
}

/** CSIStorageCapacities are for a class and a part of the cluster. */
const storageCapacity: TypeCheck = (object, at, { old, errors }) => {
  const name = textAt(object, 'storageClassName');
  addProblems(errors, at.child('storageClassName'), name, dnsSubdomainProblems(name));
  if (old === undefined) return;
  for (const field of ['nodeTopology', 'storageClassName'])
    if (!sameJson(object[field], old[field]))
      errors.push(invalid(at.child(field), object[field], 'field is immutable'));
};

/** Rules of storage kinds that data can't say. */
export const storageChecks: TypeChecks = {
  'storage.CSIDriver': driver,
  'storage.CSIDriverSpec': driverSpec,
  'storage.CSINode': csiNode,
  'storage.CSIStorageCapacity': storageCapacity,
  'storage.StorageClass': storageClass,
  'storage.VolumeAttachment': volumeAttachment,
  'storage.VolumeAttachmentSource': attachmentSource,
  'storage.VolumeAttributesClass': attributesClass,
};
