import type { TLSSocket } from 'node:tls';
import { unauthorizedError } from '../errors/status-errors.ts';
import type { UserInfo } from '../request/context.ts';

/** What a request shows of who sends it. */
export interface Credentials {
  /** The `Authorization` header as received. */
  readonly authorization: string | undefined;
  /** The connection, for its client certificate. */
  readonly socket: TLSSocket;
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[];
  /** What is asked for. */
  readonly path: string;
  /** Takes what is noteworthy of the credentials. */
  readonly notes?: CredentialNotes;
}

/** Takes what is noteworthy of a credential: the request that it came with, whose user and audit are told. */
export interface CredentialNotes {
  annotate(name: string, text: string): void;
  warn(text: string): void;
}

/**
 * One method of authentication.
 *
 * @returns the user; undefined when the request carries nothing for this method.
 * @throws Error when it carries something that is wrong. The message stays in the log: clients get a plain 401.
 */
export type Authenticator = (credentials: Credentials) => Promise<UserInfo | undefined>;

const AUTHENTICATED = 'system:authenticated';
const UNAUTHENTICATED = 'system:unauthenticated';

/** Who a request without credentials is. */
export const ANONYMOUS: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: [UNAUTHENTICATED],
  extra: {},
};

export interface UnionOptions {
  readonly methods: readonly Authenticator[];
  /** Whether a request that no method recognises is {@link ANONYMOUS} rather than refused; or for which paths. */
  readonly anonymous: boolean | ReadonlySet<string>;
  /** Told why a credential was refused. */
  readonly onRefusal?: (reason: unknown) => void;
}

/**
 * Asks each method in turn; the first that knows the user decides. A credential that every method refuses, or that
 * none knows, is answered alike, so that nobody learns which method failed.
 *
 * @throws ApiError Unauthorized.
 */
export function authenticateUnion(options: UnionOptions): (credentials: Credentials) => Promise<UserInfo> {
  const { methods, anonymous, onRefusal } = options;
  return async function authenticate(credentials) {
    let refused = false;
    for (const method of methods) {
      try {
        const user = await method(credentials);
        if (user !== undefined) return user;
      } catch (reason) {
        refused = true;
        onRefusal?.(reason);
      }
    }
    // A token that no method knows is a wrong credential, not the absence of one.
    if (refused || bearerToken(credentials) !== undefined) throw unauthorizedError();
    const allowed = typeof anonymous === 'boolean' ? anonymous : anonymous.has(credentials.path);
    if (!allowed) throw unauthorizedError();
    return ANONYMOUS;
  };
}

/** A user as an authenticator returns it: every authenticated user is in `system:authenticated`. */
export function authenticatedUser(
  user: Omit<UserInfo, 'extra'> & Partial<Pick<UserInfo, 'extra'>>,
): UserInfo {
  const { name, uid, groups, extra = {} } = user;
  return { name, uid, groups: groups.includes(AUTHENTICATED) ? groups : [...groups, AUTHENTICATED], extra };
}

/**
 * The bearer token of a request: what stands behind the scheme, which is case-insensitive (RFC 7235). Undefined where there
 * is none, also because two spaces come before it: that is how clients know it. A token with more behind it is a wrong one.
 */
export function bearerToken({ authorization }: Credentials): string | undefined {
  const text = authorization?.trim();
  if (text?.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  const token = text.slice(7);
  return token.startsWith(' ') ? undefined : token;
}
