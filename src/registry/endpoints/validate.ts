import { required } from '../../errors/field-error.ts';
import { objectsAt, sizeOf, textAt } from '../../meta/fields.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { addressErrors, hostAddressErrors } from '../address-rules.ts';

/** Addresses with the same ports: there is one at least, and several ports are told apart by their names. */
export const endpointSubset: TypeCheck = (subset, at, { errors }) => {
  if (sizeOf(subset.addresses) === 0 && sizeOf(subset.notReadyAddresses) === 0) {
    errors.push(required(at, 'must have addresses or notReadyAddresses'));
  }
  const ports = objectsAt(subset, 'ports');
  if (ports.length < 2) return;
  for (const [i, port] of ports.entries()) {
    if (textAt(port, 'name') === '') errors.push(required(at.child('ports').index(i).child('name')));
  }
};

/** An endpoint is a host that others can reach. */
export const endpointAddress: TypeCheck = (address, at, { errors }) => {
  const ip = textAt(address, 'ip');
  const field = at.child('ip');
  // What is no address is no host's either: two errors.
  errors.push(...addressErrors(ip, field), ...hostAddressErrors(ip, field));
};
