import { invalid, type FieldError, type FieldName } from '../errors/field-error.ts';
import { parseAddress, specialAddress } from '../lib/address.ts';

/** An address of either family. */
export function addressErrors(text: string, field: FieldName): FieldError[] {
  return parseAddress(text) === undefined
    ? [invalid(field, text, 'must be an IP address, such as 10.9.8.7 or 2001:db8::ffff')]
    : [];
}

/** An address that is one host's, which others can reach. What is no address at all breaks this rule as well. */
export function hostAddressErrors(text: string, field: FieldName): FieldError[] {
  const address = parseAddress(text);
  if (address === undefined) return addressErrors(text, field);
  const special = specialAddress(address);
  return special === undefined ? [] : [invalid(field, text, `must not be ${special}`)];
}
