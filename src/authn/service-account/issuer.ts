import jwt, { type SignOptions } from 'jsonwebtoken';
import { accountUser, type BoundTo, type ClaimNames, type ObjectReference } from './claims.ts';
import type { SigningKey } from './keys.ts';

/** A token for an account, for a time. Times are in seconds. */
export interface BoundToken extends BoundTo {
  readonly audiences: readonly string[];
  /** Since 1970. */
  readonly issuedAt: number;
  readonly expiresAfter: number;
  /** From when on its use is told of, where it is valid for longer than was asked. */
  readonly warnAfter?: number;
  /** The token's own identity. */
  readonly id: string;
}

/** Signs tokens of service accounts. */
export interface TokenIssuer {
  /** A token with a time and an audience, as the Go API server makes it. */
  issueToken(token: BoundToken): string;
  /**
   * A token without end, for a Secret that holds the token of an account (the type of Secret is the profile's
   * `secretType.service-account-token`). Whoever fills such a Secret calls this once and stores the result under
   * `data.token` (as UTF-8 bytes, base64): it is accepted while that Secret holds exactly this token and the account
   * exists with this uid, so a new token revokes the one before. Times are none of its claims: the same account,
   * Secret and RSA key make the same token.
   *
   * @param account name, namespace and uid of the ServiceAccount. @param secret name of the Secret, in its namespace.
   */
  issueLegacyToken(account: LegacyAccount, secret: { readonly name: string }): string;
}

export interface LegacyAccount extends ObjectReference {
  readonly namespace: string;
}

/** @param issuer what `iss` says in tokens that have a time. */
export function tokenIssuer(key: SigningKey, issuer: string, names: ClaimNames): TokenIssuer {
  const sign = (claims: object, options: SignOptions): string =>
    jwt.sign(claims, key.privateKey, {
      algorithm: key.verifying.algorithm,
      // The header has no `typ`, as that of the Go API server's tokens.
      header: { alg: key.verifying.algorithm, kid: key.verifying.id, typ: undefined },
      ...options,
    });
  return {
    issueToken: (token) => sign(boundClaims(token, issuer, names), {}),
    issueLegacyToken: (account, secret) =>
      sign(legacyClaims(account, secret.name, names), { noTimestamp: true }),
  };
}

function boundClaims(token: BoundToken, issuer: string, names: ClaimNames): object {
  const { namespace, account, pod, secret, node, issuedAt, warnAfter } = token;
  return {
    aud: token.audiences,
    exp: issuedAt + token.expiresAfter,
    iat: issuedAt,
    iss: issuer,
    jti: token.id,
    [names.bound]: {
      namespace,
      ...(node === undefined ? {} : { node: reference(node) }),
      ...(pod === undefined ? {} : { pod: reference(pod) }),
      ...(secret === undefined ? {} : { secret: reference(secret) }),
      serviceaccount: reference(account),
      ...(warnAfter === undefined ? {} : { warnafter: issuedAt + warnAfter }),
    },
    nbf: issuedAt,
    sub: accountUser(namespace, account.name),
  };
}

function reference({ name, uid }: ObjectReference): object {
  return { name, ...(uid === '' ? {} : { uid }) };
}

function legacyClaims({ namespace, name, uid }: LegacyAccount, secret: string, names: ClaimNames): object {
  return {
    iss: names.legacyIssuer,
    [names.legacyNamespace]: namespace,
    [names.legacySecret]: secret,
    [names.legacyAccount]: name,
    [names.legacyUid]: uid,
    sub: accountUser(namespace, name),
  };
}
