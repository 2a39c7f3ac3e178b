import { duplicate, invalid, required, tooLong, tooMany, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { isObject, numberAt, objectAt, objectsAt, sizeOf, textAt } from '../../meta/fields.ts';
import { dnsLabelProblems, dnsSubdomainProblems } from '../../meta/names.ts';
import type { JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { addProblems } from '../problems.ts';
import { checkDriver, checkPool, checkQualified } from './names.ts';

const MAX_DEVICES = 128;
const MAX_VALUES = 32;
const MAX_TEXT = 64;

/** ResourceSlices: devices of a driver, on one node, on some, or on all. */
export const resourceSlice: TypeCheck = (slice, at, { old, errors }) => {
  const spec = objectAt(slice, 'spec') ?? {};
  const path = at.child('spec');
  const pool = objectAt(spec, 'pool') ?? {};
  checkDriver(textAt(spec, 'driver'), path.child('driver'), errors);
  checkPool(textAt(pool, 'name'), path.child('pool').child('name'), errors);
  const count = numberAt(pool, 'resourceSliceCount');
  if (count <= 0)
    errors.push(invalid(path.child('pool').child('resourceSliceCount'), count, 'must be greater than 0'));
  const generation = numberAt(pool, 'generation');
  if (generation < 0)
    errors.push(invalid(path.child('pool').child('generation'), generation, 'must not be negative'));
  if (old !== undefined) checkChange(spec, objectAt(old, 'spec') ?? {}, { at: path, errors });
  checkNodes(spec, path, errors);
  checkDevices(objectsAt(spec, 'devices'), path.child('devices'), errors);
};

function checkChange(
  spec: JsonObject,
  old: JsonObject,
  { at, errors }: { readonly at: FieldPath; readonly errors: FieldError[] },
): void {
  const name = objectAt(spec, 'pool')?.['name'];
  if (!sameJson(name, objectAt(old, 'pool')?.['name']))
    errors.push(invalid(at.child('pool').child('name'), name, 'field is immutable'));
  for (const field of ['driver', 'nodeName'])
    if (textAt(spec, field) !== textAt(old, field))
      errors.push(invalid(at.child(field), spec[field], 'field is immutable'));
}

function checkNodes(spec: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const name = textAt(spec, 'nodeName');
  if (name !== '') addProblems(errors, at.child('nodeName'), name, dnsSubdomainProblems(name));
  const selector = objectAt(spec, 'nodeSelector');
  if (selector !== undefined && sizeOf(selector['nodeSelectorTerms']) !== 1)
    errors.push(
      invalid(
        at.child('nodeSelector').child('nodeSelectorTerms'),
        selector['nodeSelectorTerms'],
        'must be one',
      ),
    );
  const said = [name !== '', selector !== undefined, spec['allNodes'] === true].filter(Boolean).length;
  const why = 'must have one of nodeName, nodeSelector and allNodes';
  if (said === 0) errors.push(required(at, why));
  else if (said > 1) errors.push(invalid(at, null, why));
}

function checkDevices(devices: readonly JsonObject[], at: FieldPath, errors: FieldError[]): void {
  const seen = new Set<string>();
  for (const [i, device] of devices.entries()) {
    const name = textAt(device, 'name');
    const path = at.index(i);
    addProblems(errors, path.child('name'), name, dnsLabelProblems(name));
    if (seen.has(name)) errors.push(duplicate(path.child('name'), name));
    seen.add(name);
    const basic = objectAt(device, 'basic');
    if (basic === undefined) errors.push(required(path.child('basic')));
    else checkBasic(basic, path.child('basic'), errors);
  }
  if (devices.length > MAX_DEVICES) errors.push(tooMany(at, devices.length, MAX_DEVICES));
}

function checkBasic(basic: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const attributes = Object.entries(objectAt(basic, 'attributes') ?? {});
  const amounts = Object.keys(objectAt(basic, 'capacity') ?? {});
  for (const [name, attribute] of attributes) {
    const path = at.child('attributes').key(name);
    checkQualified(name, path, errors);
    checkAttribute(isObject(attribute) ? attribute : {}, path, errors);
  }
  for (const name of amounts) checkQualified(name, at.child('capacity').key(name), errors);
  const count = attributes.length + amounts.length;
  if (count > MAX_VALUES)
    errors.push(invalid(at, count, `may have ${MAX_VALUES} attributes and amounts together`));
}

const VERSION =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$/;

/** One value, of one of four types. */
function checkAttribute(attribute: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const { version } = attribute;
  if (typeof version === 'string' && !VERSION.test(version))
    errors.push(invalid(at.child('version'), version, 'must be a semantic version, such as 1.2.3'));
  for (const field of ['string', 'version']) {
    if (Buffer.byteLength(textAt(attribute, field)) > MAX_TEXT)
      errors.push(tooLong(at.child(field), MAX_TEXT));
  }
  const values = ['bool', 'int', 'string', 'version'].filter((field) => attribute[field] != null).length;
  if (values === 0) errors.push(required(at, 'must have a value'));
  else if (values > 1) errors.push(invalid(at, attribute, 'must have one value'));
}
