import { invalid, required, tooLong, typeInvalid, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { dnsSubdomainProblems } from '../../meta/names.ts';
import { FORMATS } from '../../schema/rules/formats.ts';
import { addProblems } from '../problems.ts';

const MAX_DRIVER = 63;
const MAX_POOL = 253;
const MAX_IDENTIFIER = 32;

/** The name of a device's driver. */
export function checkDriver(name: string, at: FieldPath, errors: FieldError[]): void {
  if (name === '') errors.push(required(at));
  if (name.length > MAX_DRIVER) errors.push(tooLong(at, MAX_DRIVER));
  addProblems(errors, at, name, FORMATS.driverName(name));
}

/** The name of a pool: DNS subdomains, separated by slashes. */
export function checkPool(name: string, at: FieldPath, errors: FieldError[]): void {
  if (name === '') {
    errors.push(required(at));
    return;
  }
  if (name.length > MAX_POOL) errors.push(tooLong(at, MAX_POOL));
  for (const part of name.split('/')) addProblems(errors, at, part, dnsSubdomainProblems(part));
}

/** The name of an attribute or amount: an identifier, perhaps after a domain and a slash. */
export function checkQualified(name: string, at: FieldPath, errors: FieldError[]): void {
  if (name === '') {
    errors.push(required(at));
    return;
  }
  const parts = name.split('/');
  if (parts.length > 2) return;
  const [identifier = '', domain] = parts.reverse();
  if (domain === '') errors.push(required(at, 'there is no domain before the slash'));
  else if (domain !== undefined) checkDriver(domain, at, errors);
  if (identifier === '') errors.push(required(at, 'there is no name behind the slash'));
  else checkIdentifier(identifier, at, errors);
}

/** The same with a domain in any case. */
export function checkFullyQualified(name: string, at: FieldPath, errors: FieldError[]): void {
  checkQualified(name, at, errors);
  if (name !== '' && !name.includes('/')) errors.push(invalid(at, name, 'must have a domain'));
}

function checkIdentifier(text: string, at: FieldPath, errors: FieldError[]): void {
  if (text.length > MAX_IDENTIFIER) errors.push(tooLong(at, MAX_IDENTIFIER));
  for (const problem of FORMATS.cIdentifier(text)) errors.push(typeInvalid(at, text, problem));
}
