import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import type { TokenAuthenticator, TokenUser } from './token.ts';

export interface TokenCacheOptions {
  /** How long the user of a token is remembered, at most until the token expires; 0: not at all. */
  readonly successMs: number;
  /** How long it is remembered that a token is nobody's. Errors never are. */
  readonly failureMs: number;
  /** Tokens that are remembered; beyond that, those remembered first are forgotten. */
  readonly limit?: number;
  readonly clock: Clock;
}

interface Remembered {
  readonly known: TokenUser | undefined;
  /** Milliseconds since 1970. */
  readonly until: number;
}

const LIMIT = 32_768;

/**
 * Remembers what a method says of tokens, and asks it once for a token that many requests bring at a time. Tokens are
 * kept as digests of a key that this process has made up.
 */
export function cachedTokens(method: TokenAuthenticator, options: TokenCacheOptions): TokenAuthenticator {
  const { clock, successMs, failureMs, limit = LIMIT } = options;
  const key = randomBytes(32);
  const remembered = new Map<string, Remembered>();
  const asked = new Map<string, Promise<TokenUser | undefined>>();

  const ask = async (
    id: string,
    token: string,
    audiences: readonly string[],
  ): Promise<TokenUser | undefined> => {
    const known = await method(token, audiences);
    const now = clock.now();
    const until = Math.min(now + (known === undefined ? failureMs : successMs), known?.expires ?? Infinity);
    if (until > now) remember(remembered, id, { known, until }, limit);
    return known;
  };

  return function cachedToken(token, audiences) {
    const id = digest(key, token, audiences);
    const before = remembered.get(id);
    if (before !== undefined) {
      if (clock.now() < before.until) return Promise.resolve(before.known);
      remembered.delete(id);
    }
    const under = asked.get(id);
    if (under !== undefined) return under;
    const asking = ask(id, token, audiences).finally(() => asked.delete(id));
    asked.set(id, asking);
    return asking;
  };
}

function remember(all: Map<string, Remembered>, id: string, one: Remembered, limit: number): void {
  all.delete(id);
  all.set(id, one);
  if (all.size <= limit) return;
  for (const oldest of all.keys()) {
    all.delete(oldest);
    return;
  }
}

/** Lengths go before the texts, so that no two questions look alike. */
function digest(key: Buffer, token: string, audiences: readonly string[]): string {
  const hmac = createHmac('sha256', key).update(`${token.length}:`).update(token);
  for (const audience of audiences) hmac.update(`${audience.length}:${audience}`);
  return hmac.digest('base64');
}
