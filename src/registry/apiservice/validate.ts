import { invalid, notSupported, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { numberAt, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import { dns1035LabelProblems, dnsSubdomainProblems } from '../../meta/names.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { addProblems } from '../problems.ts';

const MAX_PORT = 65_535;
const LEGACY_VERSION = 'v1';

/** APIServices: their name says which version of which group they serve, here or elsewhere. */
export const apiService: TypeCheck = (object, at, { root, errors }) => {
  const spec = objectAt(object, 'spec') ?? {};
  const path = at.child('spec');
  const group = textAt(spec, 'group');
  const version = textAt(spec, 'version');
  const name = root.metadata.name ?? '';
  if (name !== `${version}.${group}`)
    errors.push(invalid(at.child('metadata').child('name'), name, "must be the version, '.' and the group"));
  if (group !== '') addProblems(errors, path.child('group'), group, dnsSubdomainProblems(group));
  else if (version !== LEGACY_VERSION) errors.push(required(path.child('group')));
  addProblems(errors, path.child('version'), version, dns1035LabelProblems(version));
  const service = objectAt(spec, 'service');
  if (service === undefined) checkLocal(spec, path, errors);
  else checkService(service, path.child('service'), errors);
  if (service !== undefined && spec['insecureSkipTLSVerify'] === true && textAt(spec, 'caBundle') !== '')
    errors.push(invalid(path.child('insecureSkipTLSVerify'), true, 'may not be set together with caBundle'));
};

function checkLocal(spec: JsonObject, at: FieldPath, errors: FieldError[]): void {
  if (textAt(spec, 'caBundle') !== '') errors.push(invalid(at.child('caBundle'), '…', 'nothing is called'));
  if (spec['insecureSkipTLSVerify'] === true)
    errors.push(invalid(at.child('insecureSkipTLSVerify'), true, 'nothing is called'));
}

function checkService(service: JsonObject, at: FieldPath, errors: FieldError[]): void {
  for (const field of ['namespace', 'name'])
    if (textAt(service, field) === '') errors.push(required(at.child(field)));
  const port = numberAt(service, 'port');
  if (port < 1 || port > MAX_PORT)
    errors.push(invalid(at.child('port'), port, `must be from 1 to ${MAX_PORT}`));
}

const STATUSES = ['True', 'False', 'Unknown'];

/** What is wrong with what is said of an APIService's availability. */
export function apiServiceStatusErrors(object: ApiObject): FieldError[] {
  return objectsAt(objectAt(object, 'status'), 'conditions').flatMap((condition, i) => {
    const status = textAt(condition, 'status');
    return STATUSES.includes(status)
      ? []
      : [notSupported(`status.conditions[${i}].status`, status, STATUSES)];
  });
}
