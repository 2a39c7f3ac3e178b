import { isObject, objectAt, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { BoundTo, ClaimNames, ObjectReference } from './claims.ts';

/** What every token says. Times are in seconds since 1970; absent ones say nothing. */
export interface CommonClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
  readonly id: string;
  readonly expires?: number;
  readonly notBefore?: number;
  readonly issuedAt?: number;
}

/** A token with a time, and perhaps an object that it ends with. */
export interface BoundClaims extends CommonClaims {
  readonly kind: 'bound';
  readonly bound: BoundTo;
  /** From when on its use is told of. */
  readonly warnAfter?: number;
}

/** A token that a Secret holds. */
export interface LegacyClaims extends CommonClaims {
  readonly kind: 'legacy';
  readonly namespace: string;
  readonly account: ObjectReference;
  readonly secret: string;
}

export type AccountClaims = BoundClaims | LegacyClaims;

/** Reads a payload whose signature has been verified. @throws Error for one that is of no such token. */
export function readClaims(payload: JsonObject, names: ClaimNames): AccountClaims {
  const issuer = textAt(payload, 'iss');
  const common: CommonClaims = {
    issuer,
    subject: textAt(payload, 'sub'),
    audiences: readAudiences(payload),
    id: textAt(payload, 'jti'),
    ...timeOf(payload, 'exp', 'expires'),
    ...timeOf(payload, 'nbf', 'notBefore'),
    ...timeOf(payload, 'iat', 'issuedAt'),
  };
  return issuer === names.legacyIssuer
    ? readLegacy(payload, common, names)
    : readBound(payload, common, names);
}

function readBound(payload: JsonObject, common: CommonClaims, names: ClaimNames): BoundClaims {
  const claim = objectAt(payload, names.bound);
  const account = reference(claim, 'serviceaccount');
  const namespace = textAt(claim, 'namespace');
  if (namespace === '' || account === undefined || account.name === '') {
    throw new Error('the token names no service account');
  }
  const [pod, secret, node] = ['pod', 'secret', 'node'].map((kind) => reference(claim, kind));
  return {
    ...common,
    kind: 'bound',
    bound: {
      namespace,
      account,
      ...(pod === undefined ? {} : { pod }),
      ...(secret === undefined ? {} : { secret }),
      ...(node === undefined ? {} : { node }),
    },
    ...timeOf(claim ?? {}, 'warnafter', 'warnAfter'),
  };
}

function readLegacy(payload: JsonObject, common: CommonClaims, names: ClaimNames): LegacyClaims {
  const text = (claim: string): string => {
    const value = textAt(payload, claim);
    if (value === '') throw new Error(`the claim ${claim} is missing`);
    return value;
  };
  return {
    ...common,
    kind: 'legacy',
    namespace: text(names.legacyNamespace),
    account: { name: text(names.legacyAccount), uid: text(names.legacyUid) },
    secret: text(names.legacySecret),
  };
}

function readAudiences({ aud }: JsonObject): readonly string[] {
  if (typeof aud === 'string') return [aud];
  if (!Array.isArray(aud)) return [];
  return aud.filter((audience) => typeof audience === 'string');
}

function timeOf<K extends string>(claims: JsonObject, claim: string, name: K): { [key in K]?: number } {
  const value = claims[claim];
  if (value === undefined || value === null) return {};
  if (typeof value !== 'number') throw new Error(`the claim ${claim} is no time`);
  return { [name]: value } as { [key in K]?: number };
}

function reference(claim: JsonObject | undefined, kind: string): ObjectReference | undefined {
  const value = claim?.[kind];
  return isObject(value) ? { name: textAt(value, 'name'), uid: textAt(value, 'uid') } : undefined;
}
