import { invalid, type FieldError } from '../../errors/field-error.ts';
import { textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import { familyOf, type Family } from '../allocation/ranges.ts';
import { clusterIPErrors } from './cluster-ip-rules.ts';
import {
  HEADLESS,
  isOpenOnNodes,
  namesItsEndpoints,
  needsClusterIP,
  sameClusterIPs,
  sameFamilies,
  sameTexts,
  setTexts,
  textsAt,
} from './spec.ts';

/**
 * Fills in which families of addresses a service has, and how many of them it must have, from what it says, what it
 * said and what the cluster gives out.
 *
 * @param spec changed in place, unless there are errors
 * @param old absent for a new service
 * @param configured families that the cluster gives out, its own one first
 * @returns why that can't be done
 */
export function settleFamilies(
  spec: JsonObject,
  old: JsonObject | undefined,
  configured: readonly Family[],
): FieldError[] {
  if (!needsClusterIP(spec)) return [];
  if (old !== undefined && staysPreferred(spec, old)) return [];
  spec.ipFamilyPolicy ??= policyFor(spec, old);
  const unclear = clusterIPErrors(spec);
  if (unclear.length > 0) return unclear;
  const errors: FieldError[] = [];
  if (old !== undefined) errors.push(...narrow(spec, old));
  errors.push(...singleErrors(spec), ...inferFamilies(spec, configured));
  if (errors.length > 0) return errors;
  const free = namesItsEndpoints(spec);
  if (!free) errors.push(...unconfigured(spec, configured));
  if (errors.length === 0) addFamilies(spec, configured, free || configured.length === 2);
  return errors;
}

/** A service that prefers two families keeps what it has when the cluster's families change. */
export function staysPreferred(spec: JsonObject, old: JsonObject): boolean {
  const prefers = (policy: string): boolean => policy === 'PreferDualStack';
  const policy = textAt(spec, 'ipFamilyPolicy');
  const oldPolicy = textAt(old, 'ipFamilyPolicy');
  if (!prefers(policy) || (oldPolicy !== '' && !prefers(oldPolicy))) return false;
  if (spec.type !== old.type || !(spec.type === 'ClusterIP' || isOpenOnNodes(spec))) return false;
  return sameClusterIPs(spec, old) && sameFamilies(spec, old);
}

function policyFor(spec: JsonObject, old: JsonObject | undefined): string {
  const before = textAt(old, 'ipFamilyPolicy');
  if (before !== '') return before;
  return namesItsEndpoints(spec) ? 'RequireDualStack' : 'SingleStack';
}

/** Who says `SingleStack` gives up the second family without naming it; nobody else may. */
function narrow(spec: JsonObject, old: JsonObject): FieldError[] {
  const policy = spec.ipFamilyPolicy;
  const errors: FieldError[] = [];
  for (const field of ['clusterIPs', 'ipFamilies']) {
    const now = textsAt(spec, field);
    const before = textsAt(old, field);
    if (policy === 'SingleStack') {
      if (sameTexts(now, before) && now.length > 1) setTexts(spec, field, now.slice(0, 1));
    } else if (now.length > 0 && now.length < before.length) {
      errors.push(invalid('spec.ipFamilyPolicy', policy, `must be SingleStack to give up one of ${field}`));
    }
  }
  return errors;
}

function singleErrors(spec: JsonObject): FieldError[] {
  const policy = spec.ipFamilyPolicy;
  if (policy !== 'SingleStack') return [];
  return ['clusterIPs', 'ipFamilies']
    .filter((field) => textsAt(spec, field).length === 2)
    .map((field) => invalid('spec.ipFamilyPolicy', policy, `must not be SingleStack with two ${field}`));
}

/** Takes families from addresses where they aren't named. */
function inferFamilies(spec: JsonObject, configured: readonly Family[]): FieldError[] {
  const addresses = textsAt(spec, 'clusterIPs');
  const families = textsAt(spec, 'ipFamilies');
  const errors: FieldError[] = [];
  for (const [i, address] of addresses.entries()) {
    if (address === HEADLESS) break;
    if (i < families.length) continue;
    const family = familyOf(address);
    if (configured.includes(family)) families.push(family);
    else errors.push(invalid(`spec.clusterIPs[${i}]`, addresses, `this cluster has no ${family} addresses`));
  }
  setTexts(spec, 'ipFamilies', families);
  return errors;
}

function unconfigured(spec: JsonObject, configured: readonly Family[]): FieldError[] {
  const errors: FieldError[] = [];
  const policy = spec.ipFamilyPolicy;
  if (policy === 'RequireDualStack' && configured.length < 2) {
    errors.push(invalid('spec.ipFamilyPolicy', policy, 'this cluster has addresses of one family only'));
  }
  for (const [i, family] of textsAt(spec, 'ipFamilies').entries()) {
    if (!configured.some((known) => known === family)) {
      errors.push(invalid(`spec.ipFamilies[${i}]`, family, `this cluster has no ${family} addresses`));
    }
  }
  return errors;
}

function addFamilies(spec: JsonObject, [own = 'IPv4']: readonly Family[], canBeTwo: boolean): void {
  const families = textsAt(spec, 'ipFamilies');
  if (families.length === 0) families.push(own);
  if (families.length === 1 && spec.ipFamilyPolicy !== 'SingleStack' && canBeTwo) {
    families.push(families[0] === 'IPv4' ? 'IPv6' : 'IPv4');
  }
  setTexts(spec, 'ipFamilies', families);
}
