import { invalid, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { numberAt, objectAt, textAt } from '../../meta/fields.ts';
import { dns1035LabelProblems, dnsSubdomainProblems, pathSegmentProblems } from '../../meta/names.ts';
import type { JsonObject } from '../../meta/object.ts';
import { FORMATS } from '../../schema/rules/formats.ts';
import { addProblems } from '../problems.ts';

const MAX_PORT = 65_535;

/** Where requests go: a port of a service, or some other object. */
export function checkBackend(backend: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const resource = objectAt(backend, 'resource');
  const service = objectAt(backend, 'service');
  if (resource !== undefined && service !== undefined) {
    errors.push(invalid(at, '', 'may be a service or a resource, not both'));
  } else if (resource !== undefined) checkTypedReference(resource, at.child('resource'), errors);
  else if (service !== undefined) checkService(service, at, errors);
  else errors.push(invalid(at, '', 'must be a service or a resource'));
}

function checkService(service: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const name = textAt(service, 'name');
  const path = at.child('service');
  if (name === '') errors.push(required(path.child('name')));
  else addProblems(errors, path.child('name'), name, dns1035LabelProblems(name));
  const port = objectAt(service, 'port');
  const portName = textAt(port, 'name');
  const number = numberAt(port, 'number');
  if (portName !== '' && number !== 0)
    errors.push(invalid(at, '', 'may name the port or give its number, not both'));
  else if (portName !== '') {
    addProblems(errors, path.child('port').child('name'), portName, FORMATS.portName(portName));
  } else if (number === 0) errors.push(required(at, 'must say which port of the service'));
  else if (number < 1 || number > MAX_PORT) {
    errors.push(invalid(path.child('port').child('number'), number, `must be from 1 to ${MAX_PORT}`));
  }
}

/** A reference to an object of any kind, in the same namespace or in none. */
export function checkTypedReference(reference: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const { apiGroup } = reference;
  if (typeof apiGroup === 'string')
    addProblems(errors, at.child('apiGroup'), apiGroup, dnsSubdomainProblems(apiGroup));
  for (const field of ['kind', 'name']) {
    const text = textAt(reference, field);
    if (text === '') errors.push(required(at.child(field)));
    else addProblems(errors, at.child(field), text, pathSegmentProblems(text));
  }
}
