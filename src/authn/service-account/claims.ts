import type { NamingProfile } from '../../names/profile.ts';

/** An object that a token names. */
export interface ObjectReference {
  readonly name: string;
  readonly uid: string;
}

/** An account, and what a token for it is bound to. */
export interface BoundTo {
  readonly namespace: string;
  readonly account: ObjectReference;
  readonly pod?: ObjectReference;
  readonly secret?: ObjectReference;
  /** Where the pod runs, or, without a pod, what the token is bound to. The uid may be '' next to a pod. */
  readonly node?: ObjectReference;
}

/** What tokens call things under a naming profile. */
export interface ClaimNames {
  /** The claim that holds account and bound objects. */
  readonly bound: string;
  readonly legacyIssuer: string;
  readonly legacyNamespace: string;
  readonly legacySecret: string;
  readonly legacyAccount: string;
  readonly legacyUid: string;
}

export function claimNames(names: NamingProfile): ClaimNames {
  return {
    bound: names.get('claim.service-account'),
    legacyIssuer: names.get('issuer.legacy-service-account'),
    legacyNamespace: names.get('claim.legacy-namespace'),
    legacySecret: names.get('claim.legacy-secret-name'),
    legacyAccount: names.get('claim.legacy-name'),
    legacyUid: names.get('claim.legacy-uid'),
  };
}

/** The user that an account is. */
export function accountUser(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** The groups that an account is in, besides that of all authenticated users. */
export function accountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}
