import { duplicate, invalid, notSupported, required, type FieldError } from '../../errors/field-error.ts';
import { parseAddress } from '../../lib/address.ts';
import { textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import { familyOf } from '../allocation/ranges.ts';
import { HEADLESS, isHeadless, needsClusterIP, textsAt } from './spec.ts';

const FAMILIES = ['IPv4', 'IPv6'];
const POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const ADDRESSES = 'spec.clusterIPs';

/** The rules about `clusterIP`, `clusterIPs`, `ipFamilies` and `ipFamilyPolicy` that need no cluster. */
export function clusterIPErrors(spec: JsonObject): FieldError[] {
  if (!needsClusterIP(spec)) return [];
  const addresses = textsAt(spec, 'clusterIPs');
  const errors = [...agreement(spec, addresses), ...familyErrors(spec)];
  const policy = spec.ipFamilyPolicy ?? undefined;
  if (policy !== undefined && !POLICIES.some((known) => known === policy)) {
    errors.push(notSupported('spec.ipFamilyPolicy', policy, POLICIES));
  }
  const malformed = addressErrors(addresses);
  errors.push(...malformed);
  if (addresses.length > 2) errors.push(invalid(ADDRESSES, addresses, 'must be at most two'));
  // Of what isn't an address nothing more can be said.
  if (malformed.length > 0) return errors;
  if (addresses.length > 1 && new Set(addresses.map(familyOf)).size < addresses.length) {
    errors.push(invalid(ADDRESSES, addresses, 'must be of different families'));
  }
  return isHeadless(spec) ? errors : [...errors, ...mismatches(spec, addresses)];
}

function agreement(spec: JsonObject, addresses: string[]): FieldError[] {
  const single = textAt(spec, 'clusterIP');
  if (single === '') {
    return addresses.length === 0
      ? []
      : [invalid(ADDRESSES, addresses, 'must be empty as long as `clusterIP` is')];
  }
  if (addresses.length === 0) return [required(ADDRESSES)];
  return addresses[0] === single ? [] : [invalid(ADDRESSES, addresses, 'must begin with `clusterIP`')];
}

function familyErrors(spec: JsonObject): FieldError[] {
  const families = textsAt(spec, 'ipFamilies');
  return families.flatMap((family, i) => {
    const field = `spec.ipFamilies[${i}]`;
    return [
      ...(FAMILIES.includes(family) ? [] : [notSupported(field, family, FAMILIES)]),
      ...(families.indexOf(family) < i ? [duplicate(field, family)] : []),
    ];
  });
}

function addressErrors(addresses: string[]): FieldError[] {
  return addresses.flatMap((address, i) => {
    if (i === 0 && address === HEADLESS) {
      return addresses.length === 1 ? [] : [invalid(ADDRESSES, addresses, 'must be nothing besides None')];
    }
    return parseAddress(address) === undefined
      ? [invalid(`${ADDRESSES}[${i}]`, address, 'must be an IP address')]
      : [];
  });
}

function mismatches(spec: JsonObject, addresses: string[]): FieldError[] {
  const families = textsAt(spec, 'ipFamilies');
  return addresses.flatMap((address, i) => {
    const family = families[i];
    if ((family !== 'IPv4' && family !== 'IPv6') || familyOf(address) === family) return [];
    return [invalid(`${ADDRESSES}[${i}]`, address, `must be of ${family}, as \`ipFamilies[${i}]\` says`)];
  });
}
