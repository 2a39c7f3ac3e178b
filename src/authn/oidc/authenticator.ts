import type { Clock } from '../../lib/clock.ts';
import type { UserInfo } from '../../request/context.ts';
import { expressionValue } from '../../schema/expressions/values.ts';
import { authenticatedUser } from '../authenticator.ts';
import type { TokenUser } from '../token.ts';
import {
  extraOf,
  groupsOf,
  requireClaims,
  requireRules,
  uidOf,
  usernameOf,
  type ClaimValues,
} from './claims.ts';
import type { CompiledJwt } from './compile.ts';
import { IssuerKeys } from './issuer-keys.ts';
import { claimedIssuer, verifyToken, type Claims, type Jose } from './verify.ts';

export interface JwtParts {
  readonly jose: Jose;
  /** Gets documents of an issuer, whose server one of these authorities vouches for; '' for the machine's own. */
  readonly fetchFor: (authority: string) => (url: string) => Promise<string>;
  readonly algorithms: readonly string[];
  /** Key of the extra value with a token's id. */
  readonly credentialKey: string;
  readonly clock: Clock;
  /** Told why an issuer's keys couldn't be had. */
  readonly onFailure: (issuer: string, error: unknown) => void;
  /** Told of every token of an issuer. */
  readonly observe?: (issuer: string, result: 'success' | 'failure', seconds: number) => void;
}

/** The user of an OpenID Connect token. Whom it is for is the configuration's matter, not the asker's. */
export type JwtUser = Omit<TokenUser, 'audiences'>;

/** Tokens of configured issuers (OpenID Connect Core, ID tokens). */
export interface JwtAuthenticator {
  /** @returns undefined for what is no token of these issuers. @throws Error for one that is refused. */
  authenticate(token: string): Promise<JwtUser | undefined>;
  /** Waits until all issuers gave their keys. @throws Error naming the first that doesn't. */
  ready(): Promise<void>;
}

/** Longer ones are nobody's: what is above fits 10,000 groups. */
const MAX_TOKEN = 1 << 20;

/** Authenticates by the tokens of all issuers: each goes to the one that it says it is from. */
export function jwtAuthenticator(issuers: readonly CompiledJwt[], parts: JwtParts): JwtAuthenticator {
  const byUrl = new Map(
    issuers.map((compiled) => [compiled.configuration.issuer.url, new Issuer(compiled, parts)]),
  );
  return {
    async authenticate(token) {
      if (token.length > MAX_TOKEN) return undefined;
      const url = claimedIssuer(token);
      const issuer = url === undefined ? undefined : byUrl.get(url);
      return issuer?.authenticate(token);
    },
    async ready() {
      await Promise.all([...byUrl.values()].map((issuer) => issuer.ready()));
    },
  };
}

class Issuer {
  readonly #compiled: CompiledJwt;
  readonly #parts: JwtParts;
  readonly #keys: IssuerKeys;
  readonly #hasExpressions: boolean;

  constructor(compiled: CompiledJwt, parts: JwtParts) {
    const { url, discoveryURL, certificateAuthority } = compiled.configuration.issuer;
    const { username, groups, uid, extra, claimRules } = compiled.expressions;
    this.#compiled = compiled;
    this.#parts = parts;
    this.#hasExpressions =
      [username, groups, uid].some((one) => one !== undefined) || extra.length + claimRules.length > 0;
    this.#keys = new IssuerKeys({
      issuer: url,
      ...(discoveryURL === '' ? {} : { discoveryUrl: discoveryURL }),
      fetch: parts.fetchFor(certificateAuthority),
      makeSet: (keys) => parts.jose.createLocalJWKSet(keys),
      clock: parts.clock,
      onFailure: (error) => parts.onFailure(url, error),
    });
  }

  async ready(): Promise<void> {
    try {
      await this.#keys.ready();
    } catch (cause) {
      const { url } = this.#compiled.configuration.issuer;
      throw new Error(`oidc: authenticator for issuer ${JSON.stringify(url)} is not healthy`, { cause });
    }
  }

  async authenticate(token: string): Promise<JwtUser> {
    const { clock, observe } = this.#parts;
    const started = clock.monotonic();
    let result: 'success' | 'failure' = 'failure';
    try {
      const user = await this.#authenticate(token);
      result = 'success';
      return user;
    } finally {
      observe?.(this.#compiled.configuration.issuer.url, result, (clock.monotonic() - started) / 1000);
    }
  }

  async #authenticate(token: string): Promise<JwtUser> {
    const { jose, algorithms, clock } = this.#parts;
    const { url, audiences } = this.#compiled.configuration.issuer;
    const checks = { issuer: url, audiences, algorithms, key: this.#keys.find };
    const claims = await verifyToken(jose, token, checks, clock.now());
    return { user: this.#userOf(claims), expires: Number(claims['exp']) * 1000 };
  }

  #userOf(claims: Claims): UserInfo {
    const { expressions } = this.#compiled;
    const forExpressions = this.#hasExpressions ? expressionValue(claims) : undefined;
    const values: ClaimValues = { claims, forExpressions };
    const user = {
      name: usernameOf(this.#compiled, values),
      groups: groupsOf(this.#compiled, values),
      uid: uidOf(this.#compiled, values),
      extra: extraOf(this.#compiled, values, this.#parts.credentialKey),
    };
    requireClaims(this.#compiled, values);
    requireRules(expressions.claimRules, 'claim validation expression', { claims: forExpressions });
    if (expressions.userRules.length > 0) {
      const { name: username, ...others } = user;
      requireRules(expressions.userRules, 'user info validation rule', {
        user: expressionValue({ username, ...others }),
      });
    }
    return authenticatedUser(user);
  }
}
