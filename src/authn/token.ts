import type { TLSSocket } from 'node:tls';
import type { UserInfo } from '../request/context.ts';
import { bearerToken, type Authenticator, type CredentialNotes } from './authenticator.ts';

/** Whom a token stands for, and for whom it is meant. */
export interface TokenUser {
  readonly user: UserInfo;
  /** Those of the wanted audiences that the token is for; at least one. */
  readonly audiences: readonly string[];
  /** Set where nothing that happens while the server runs makes the token worth less. */
  readonly lasting?: true;
  /** From when on the token stands for nobody: milliseconds since 1970. */
  readonly expires?: number;
}

/**
 * One method of authentication that goes by a token: static ones, service accounts, OpenID Connect, a webhook…
 *
 * @param audiences who wants to know: at least one, and a token that is for none of them is refused.
 * @returns undefined when the token is nothing for this method.
 * @throws Error when it is one of this method's and wrong. Those who review tokens are told the message: it never
 * holds the token.
 */
export type TokenAuthenticator = (
  token: string,
  audiences: readonly string[],
  notes?: CredentialNotes,
) => Promise<TokenUser | undefined>;

/**
 * Asks each method in turn; the first that knows the user decides.
 *
 * @throws Error with the reasons of all that refused the token, when none takes it.
 */
export function tokenUnion(methods: readonly TokenAuthenticator[]): TokenAuthenticator {
  return async function authenticateToken(token, audiences, notes) {
    const reasons: string[] = [];
    for (const method of methods) {
      try {
        const known = await method(token, audiences, notes);
        if (known !== undefined) return known;
      } catch (reason) {
        reasons.push(reason instanceof Error ? reason.message : String(reason));
      }
    }
    if (reasons.length === 0) return undefined;
    throw new Error(reasons.length === 1 ? reasons[0] : `[${reasons.join(', ')}]`);
  };
}

/**
 * A method whose tokens say nothing of audiences: they are for `audiences`, those of this server.
 */
export function forAudiences(
  audiences: readonly string[],
  method: (token: string) => Promise<Omit<TokenUser, 'audiences'> | undefined>,
): TokenAuthenticator {
  return async function withAudiences(token, wanted) {
    const both = common(audiences, wanted);
    if (both.length === 0) return undefined;
    const known = await method(token);
    return known === undefined ? undefined : { ...known, audiences: both };
  };
}

/** The audiences that are in both lists, in the order of the first. */
export function common(audiences: readonly string[], wanted: readonly string[]): string[] {
  return audiences.filter((one) => wanted.includes(one));
}

/** What a connection showed last, and whose it is. */
interface Shown {
  readonly authorization: string;
  readonly user: UserInfo;
}

/**
 * Tokens of the `Authorization` header, for this server.
 *
 * @param audiences what this server is called in tokens.
 */
export function bearerTokens(
  authenticateToken: TokenAuthenticator,
  audiences: readonly string[],
): Authenticator {
  // A connection's requests mostly carry one token. The comparison with what that same connection has shown before
  // tells nobody anything.
  const shown = new WeakMap<TLSSocket, Shown>();
  return async function bearerTokenUser(credentials) {
    const { authorization, socket } = credentials;
    const before = shown.get(socket);
    if (before !== undefined && before.authorization === authorization) return before.user;
    const token = bearerToken(credentials);
    if (authorization === undefined || token === undefined) return undefined;
    const known = await authenticateToken(token, audiences, credentials.notes);
    if (known === undefined) return undefined;
    if (known.lasting) shown.set(socket, { authorization, user: known.user });
    return known.user;
  };
}
