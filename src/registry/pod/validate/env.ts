import { invalid, notSupported, required, type FieldError } from '../../../errors/field-error.ts';
import type { FieldPath } from '../../../errors/field-path.ts';
import { objectAt, textAt } from '../../../meta/fields.ts';
import { qualifiedNameProblems } from '../../../meta/names.ts';
import type { JsonObject } from '../../../meta/object.ts';
import type { TypeCheck } from '../../../schema/rules/rule-book.ts';
import { itemsOf } from './container-lists.ts';

const COMMON_FIELDS = ['metadata.name', 'metadata.namespace', 'metadata.uid'];

/** Fields of its pod that a container may read from its environment. */
const ENV_FIELDS = [
  ...COMMON_FIELDS,
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
/** Fields that it may read from files. */
const VOLUME_FIELDS = [...COMMON_FIELDS, 'metadata.annotations', 'metadata.labels'];
/** Fields that have a name at all. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  ...ENV_FIELDS,
  ...VOLUME_FIELDS,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);
/** An old name of `spec.nodeName`. */
const OLD_NODE_NAME = 'spec.host';

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const RESOURCES = [...COMPUTE.map((name) => `limits.${name}`), ...COMPUTE.map((name) => `requests.${name}`)];
const BYTE_DIVISORS: ReadonlySet<string> = new Set([
  '1',
  ...[...'kMGTPE'].map((unit) => `1${unit}`),
  ...[...'KMGTPE'].map((unit) => `1${unit}i`),
]);
const CPU_DIVISORS: ReadonlySet<string> = new Set(['1m', '1']);

const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef'];

/** An environment variable has a value, or one source of it. */
export const envVarCheck: TypeCheck = (variable, at, { errors }) => {
  const source = objectAt(variable, 'valueFrom');
  if (source === undefined) return;
  const path = at.child('valueFrom');
  const field = objectAt(source, 'fieldRef');
  if (field !== undefined) checkField(field, ENV_FIELDS, path.child('fieldRef'), errors);
  const resource = objectAt(source, 'resourceFieldRef');
  if (resource !== undefined) checkResource(resource, path.child('resourceFieldRef'), errors);
  const count = countOf(source, SOURCES);
  if (count === 0) errors.push(invalid(path, '', `must have one of ${SOURCES.join(', ')}`));
  else if (textAt(variable, 'value') !== '')
    errors.push(invalid(path, '', 'may not be set together with value'));
  else if (count > 1) errors.push(invalid(path, '', `may have only one of ${SOURCES.join(', ')}`));
};

/** How many of these fields are set. */
function countOf(struct: JsonObject, fields: readonly string[]): number {
  let count = 0;
  for (const name of fields) if (struct[name] != null) count++;
  return count;
}

/** What environments are filled from: each a ConfigMap or a Secret. @param at of the container. */
export function checkEnvFrom(container: JsonObject, at: FieldPath, errors: FieldError[]): void {
  for (const source of itemsOf(container['envFrom'])) {
    if ((source['configMapRef'] == null) === (source['secretRef'] == null))
      errors.push(invalid(at.child('envFrom'), '', 'each must have configMapRef or secretRef, and not both'));
  }
}

/** A file that tells a field or resource of its pod. @param at as errors name it. */
export function checkDownwardFile(file: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const field = objectAt(file, 'fieldRef');
  const resource = objectAt(file, 'resourceFieldRef');
  if (field !== undefined) {
    checkField(field, VOLUME_FIELDS, at.child('fieldRef'), errors);
    if (resource !== undefined)
      errors.push(invalid(at, 'resource', 'fieldRef and resourceFieldRef may not be set together'));
  } else if (resource === undefined) {
    errors.push(required(at, 'must have fieldRef or resourceFieldRef'));
  } else if (textAt(resource, 'containerName') === '') {
    errors.push(required(at.child('resourceFieldRef').child('containerName')));
    checkDivisor(resource, at.child('resourceFieldRef'), errors);
  } else checkResource(resource, at.child('resourceFieldRef'), errors);
}

function checkField(
  ref: JsonObject,
  supported: readonly string[],
  at: FieldPath,
  errors: FieldError[],
): void {
  const asked = textAt(ref, 'fieldPath');
  if (textAt(ref, 'apiVersion') === '') errors.push(required(at.child('apiVersion')));
  else if (asked === '') errors.push(required(at.child('fieldPath')));
  else {
    const { path, key } = splitSubscript(asked);
    const known = key === undefined ? KNOWN_FIELDS.has(path) || path === OLD_NODE_NAME : isMap(path);
    if (!known || ref['apiVersion'] !== 'v1')
      errors.push(invalid(at.child('fieldPath'), asked, 'is no field of pods that others may read'));
    else if (key === undefined) {
      const name = path === OLD_NODE_NAME ? 'spec.nodeName' : path;
      if (!supported.includes(name)) errors.push(notSupported(at.child('fieldPath'), name, supported));
    } else {
      const checked = path === 'metadata.annotations' ? key.toLowerCase() : key;
      for (const problem of qualifiedNameProblems(checked)) errors.push(invalid(at, key, problem));
    }
  }
}

function isMap(path: string): boolean {
  return path === 'metadata.annotations' || path === 'metadata.labels';
}

/** `metadata.labels['app']` in its two parts. */
function splitSubscript(text: string): { path: string; key?: string } {
  const start = text.indexOf("['");
  if (start < 1 || !text.endsWith("']")) return { path: text };
  return { path: text.slice(0, start), key: text.slice(start + 2, -2) };
}

function checkResource(ref: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const resource = textAt(ref, 'resource');
  if (resource === '') errors.push(required(at.child('resource')));
  else if (!RESOURCES.includes(resource) && !isHugePages(resource))
    errors.push(notSupported(at.child('resource'), resource, RESOURCES));
  checkDivisor(ref, at, errors);
}

function isHugePages(resource: string): boolean {
  return resource.startsWith('limits.hugepages-') || resource.startsWith('requests.hugepages-');
}

function checkDivisor(ref: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const divisor = textAt(ref, 'divisor');
  const resource = textAt(ref, 'resource');
  if (divisor === '' || divisor === '0') return;
  const counted = RESOURCES.includes(resource) || isHugePages(resource);
  const supported = resource.endsWith('.cpu') ? CPU_DIVISORS : BYTE_DIVISORS;
  if (counted && !supported.has(divisor))
    errors.push(invalid(at.child('divisor'), divisor, `must be one of ${[...supported].join(', ')}`));
}
