import { duplicate, invalid, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { parseAddress } from '../../lib/address.ts';
import { objectsAt, textAt } from '../../meta/fields.ts';
import { dnsLabelProblems, dnsSubdomainProblems } from '../../meta/names.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { hostAddressErrors } from '../address-rules.ts';
import { addProblems } from '../problems.ts';

/** Addresses are of the slice's type; ports and zones occur once. */
export const endpointSlice: TypeCheck = (slice, at, { errors }) => {
  const type = textAt(slice, 'addressType');
  for (const [i, endpoint] of objectsAt(slice, 'endpoints').entries()) {
    const path = at.child('endpoints').index(i);
    checkAddresses(endpoint, type, path.child('addresses'), errors);
  }
  checkUnique(objectsAt(slice, 'ports'), at.child('ports'), errors);
};

/** Ports have a protocol. */
export const endpointSlicePort: TypeCheck = ({ protocol }, at, { errors }) => {
  if ((protocol ?? undefined) === undefined) errors.push(required(at.child('protocol')));
};

/** Zones occur once. */
export const endpointHints: TypeCheck = (hints, at, { errors }) => {
  checkUnique(objectsAt(hints, 'forZones'), at.child('forZones'), errors);
};

/** No two have the same name, and only one has none. */
function checkUnique(items: readonly JsonObject[], at: FieldPath, errors: FieldError[]): void {
  const seen = new Set<string>();
  for (const [i, item] of items.entries()) {
    const name = textAt(item, 'name');
    if (seen.has(name)) errors.push(duplicate(at.index(i).child('name'), name));
    seen.add(name);
  }
}

function checkAddresses(endpoint: JsonObject, type: string, at: FieldPath, errors: FieldError[]): void {
  const addresses = Array.isArray(endpoint.addresses) ? endpoint.addresses : [];
  for (const [i, value] of addresses.entries()) {
    const text = typeof value === 'string' ? value : '';
    const path = at.index(i);
    if (type === 'FQDN') checkDomain(text, path, errors);
    else if (type === 'IPv4' || type === 'IPv6') {
      const bits = type === 'IPv4' ? 32 : 128;
      if (parseAddress(text)?.bits !== bits) errors.push(invalid(path, text, `must be an ${type} address`));
      errors.push(...hostAddressErrors(text, path));
    }
  }
}

/** A name with at least one dot, and perhaps one at its end. */
function checkDomain(text: string, at: FieldPath, errors: FieldError[]): void {
  if (text === '') {
    errors.push(required(at));
    return;
  }
  const name = text.replace(/\.$/, '');
  const [problem] = dnsSubdomainProblems(name);
  if (problem !== undefined) errors.push(invalid(at, text, problem));
  else if (!name.includes('.')) errors.push(invalid(at, text, 'must have at least two parts'));
  else {
    for (const label of name.split('.')) addProblems(errors, at, label, dnsLabelProblems(label));
  }
}
