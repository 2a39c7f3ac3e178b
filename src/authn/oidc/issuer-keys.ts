import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../lib/clock.ts';

export interface IssuerKeysOptions {
  /** As it must call itself. */
  readonly issuer: string;
  /** Of the discovery document; by default where the issuer's own is. */
  readonly discoveryUrl?: string;
  /** Gets a document, in bounded time and size. */
  readonly fetch: (url: string) => Promise<string>;
  /** Makes a finder of keys of a set. @throws Error for what is none. */
  readonly makeSet: (keys: JSONWebKeySet) => JWTVerifyGetKey;
  readonly clock: Clock;
  /** Told why keys couldn't be had. */
  readonly onFailure?: (error: unknown) => void;
}

/** Between two times of asking an issuer, however many tokens name keys that it doesn't have. */
const FLOOR_MS = 10_000;
/** Keys that are older are asked for anew while they serve on. */
const FRESH_MS = 5 * 60_000;
/** Keys that are older than this serve no more: an issuer that can't be reached can't say that it took one back. */
const STALE_MS = 60 * 60_000;

interface Known {
  readonly find: JWTVerifyGetKey;
  readonly fetchedAt: number;
}

/**
 * The keys of one issuer, found by its discovery document. They are asked for once, however many wait; again when a
 * token names another key, and every few minutes while there are tokens.
 */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  #known: Known | undefined;
  #asking: Promise<Known> | undefined;
  #askedAt = -Infinity;
  #failure: Error | undefined;

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
  }

  /** Asks for the keys, if there are none. @throws Error that says why there are none. */
  async ready(): Promise<void> {
    await this.#current();
  }

  /** Finds the key that a token names, for the library that verifies it. @throws what it throws without one. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const known = await this.#current();
    try {
      return await known.find(header, token);
    } catch (error) {
      if (!isUnknownKey(error) || !this.#mayAsk()) throw error;
      const next = await this.#ask();
      return await next.find(header, token);
    }
  };

  /** Whether asking again may bring something: one answer is under way, or the last is old enough. */
  #mayAsk(): boolean {
    return this.#asking !== undefined || this.#options.clock.monotonic() - this.#askedAt >= FLOOR_MS;
  }

  async #current(): Promise<Known> {
    const known = this.#known;
    const age = known === undefined ? Infinity : this.#options.clock.monotonic() - known.fetchedAt;
    if (known !== undefined && age < STALE_MS) {
      // What comes of it is noted by the asking itself.
      if (age >= FRESH_MS && this.#mayAsk()) this.#ask().catch(() => undefined);
      return known;
    }
    if (!this.#mayAsk()) throw this.#failure ?? new Error('the keys of the issuer are not there yet');
    return this.#ask();
  }

  #ask(): Promise<Known> {
    this.#asking ??= this.#fetch().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #fetch(): Promise<Known> {
    const { fetch, makeSet, clock, onFailure } = this.#options;
    this.#askedAt = clock.monotonic();
    try {
      const keys = parse(await fetch(await this.#address()), 'the key set');
      this.#known = { find: makeSet(keys as unknown as JSONWebKeySet), fetchedAt: clock.monotonic() };
      this.#failure = undefined;
      return this.#known;
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      this.#failure = new Error(`the keys of the issuer can't be had: ${why}`, { cause });
      onFailure?.(this.#failure);
      throw this.#failure;
    }
  }

  /** Where the issuer has its keys. */
  async #address(): Promise<string> {
    const { issuer, discoveryUrl, fetch } = this.#options;
    const url = discoveryUrl ?? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const { issuer: named, jwks_uri: address } = parse(await fetch(url), 'the discovery document');
    if (named !== issuer) {
      const got = typeof named === 'string' ? JSON.stringify(named.slice(0, 200)) : 'none';
      throw new Error(
        `issuer did not match the issuer returned by provider, expected ${JSON.stringify(issuer)} got ${got}`,
      );
    }
    if (typeof address !== 'string') throw new Error('the discovery document names no jwks_uri');
    return address;
  }
}

function parse(text: string, what: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`${what} is not JSON`);
  }
  if (typeof value !== 'object' || value === null) throw new Error(`${what} is no object`);
  return value as Readonly<Record<string, unknown>>;
}

function isUnknownKey(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ERR_JWKS_NO_MATCHING_KEY';
}
