import { forbidden, invalid, notSupported, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { parseCidr, type Cidr } from '../../lib/cidr.ts';
import { numberAt, objectAt, textAt } from '../../meta/fields.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { FORMATS } from '../../schema/rules/formats.ts';
import { addProblems } from '../problems.ts';

const MAX_PORT = 65_535;
const TYPES = ['Egress', 'Ingress'];

function checkPortNumber(port: number, at: FieldPath, errors: FieldError[]): void {
  if (port < 1 || port > MAX_PORT) errors.push(invalid(at, port, `must be from 1 to ${MAX_PORT}`));
}

/** Ports of rules: one by number or name, a range by its two numbers. */
export const networkPolicyPort: TypeCheck = (rule, at, { errors }) => {
  const { port, endPort } = rule;
  const end = at.child('endPort');
  if (typeof port === 'number') {
    checkPortNumber(port, at.child('port'), errors);
    if (typeof endPort !== 'number') return;
    if (endPort < port) errors.push(invalid(end, endPort, 'must not be less than port'));
    checkPortNumber(endPort, end, errors);
    return;
  }
  if (typeof endPort === 'number')
    errors.push(invalid(end, numberAt(rule, 'endPort'), 'needs a port that is a number'));
  if (typeof port === 'string') addProblems(errors, at.child('port'), port, FORMATS.portName(port));
};

/** Where traffic comes from or goes to: pods and namespaces by their labels, or addresses. */
export const networkPolicyPeer: TypeCheck = (peer, at, { errors }) => {
  const addresses = objectAt(peer, 'ipBlock');
  const selects =
    objectAt(peer, 'podSelector') !== undefined || objectAt(peer, 'namespaceSelector') !== undefined;
  if (addresses !== undefined && selects)
    errors.push(forbidden(at, 'may have ipBlock or selectors, not both'));
  else if (addresses === undefined && !selects) errors.push(required(at, 'must have ipBlock or a selector'));
};

/** Address ranges, without some that are in them. */
export const ipBlock: TypeCheck = (block, at, { errors }) => {
  const text = textAt(block, 'cidr');
  if (text === '') {
    errors.push(required(at.child('cidr')));
    return;
  }
  addProblems(errors, at.child('cidr'), text, FORMATS.cidr(text));
  const range = parseCidr(text);
  if (range === undefined || !Array.isArray(block['except'])) return;
  for (const [i, item] of block['except'].entries()) {
    const except = typeof item === 'string' ? item : '';
    const path = at.child('except').index(i);
    const part = parseCidr(except);
    if (part === undefined) addProblems(errors, path, except, FORMATS.cidr(except));
    else if (!isWithin(part, range))
      errors.push(invalid(path, except, 'must be a part of cidr, and not all of it'));
  }
};

function isWithin(part: Cidr, whole: Cidr): boolean {
  if (part.bits !== whole.bits || part.prefix <= whole.prefix) return false;
  const free = BigInt(whole.bits - whole.prefix);
  return part.first >> free === whole.first >> free;
}

/** Which traffic a policy rules. */
export const networkPolicySpec: TypeCheck = ({ policyTypes }, at, { errors }) => {
  if (!Array.isArray(policyTypes)) return;
  const path = at.child('policyTypes');
  if (policyTypes.length > TYPES.length) {
    errors.push(invalid(path, policyTypes, 'may not be more than two'));
    return;
  }
  for (const [i, type] of policyTypes.entries())
    if (typeof type === 'string' && !TYPES.includes(type))
      errors.push(notSupported(path.index(i), type, ['Ingress', 'Egress']));
};
