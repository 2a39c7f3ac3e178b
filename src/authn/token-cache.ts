import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import type { TokenAuthenticator, TokenUser } from './token.ts';

export interface TokenCacheOptions {
  /** How long the user of a token is remembered, at most until the token expires; 0: not at all. */
  readonly successMs: number;
  /** How long it is remembered that a token is nobody's. Errors never are. */
  readonly failureMs: number;
  /**
   * Tokens that are remembered with their users, and as many that are nobody's; beyond that, those remembered first are
   * forgotten. So whoever makes tokens up can't have the users' forgotten.
   */
  readonly limit?: number;
  readonly clock: Clock;
  readonly observer?: TokenCacheObserver | undefined;
}

/** Told how much remembering is worth. */
export interface TokenCacheObserver {
  /** A token was judged, by what was remembered (`hit`) or not. */
  looked(status: 'hit' | 'miss', seconds: number): void;
  /** A method judged a token that wasn't remembered. */
  asked(status: 'ok' | 'error'): void;
  /** How many wait for that, or are under way, more than before. */
  waiting(status: 'blocked' | 'in_flight', more: 1 | -1): void;
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
  const { clock, successMs, failureMs, limit = LIMIT, observer } = options;
  const key = randomBytes(32);
  const users = new Map<string, Remembered>();
  const nobodies = new Map<string, Remembered>();
  const asked = new Map<string, Promise<TokenUser | undefined>>();

  const ask = async (
    id: string,
    token: string,
    audiences: readonly string[],
  ): Promise<TokenUser | undefined> => {
    const known = await method(token, audiences);
    const now = clock.now();
    const until = Math.min(now + (known === undefined ? failureMs : successMs), known?.expires ?? Infinity);
    if (until > now) remember(known === undefined ? nobodies : users, id, { known, until }, limit);
    return known;
  };
  const judge = observer === undefined ? ask : observed(ask, observer);

  return function cachedToken(token, audiences) {
    const since = clock.monotonic();
    const seconds = (): number => (clock.monotonic() - since) / 1000;
    const id = digest(key, token, audiences);
    const before = recall(users, id, clock) ?? recall(nobodies, id, clock);
    if (before !== undefined) {
      observer?.looked('hit', seconds());
      return Promise.resolve(before.known);
    }
    let asking = asked.get(id);
    if (asking === undefined) {
      asking = judge(id, token, audiences).finally(() => asked.delete(id));
      asked.set(id, asking);
    }
    return observer === undefined ? asking : waitedFor(asking, observer, seconds);
  };
}

type Ask = (id: string, token: string, audiences: readonly string[]) => Promise<TokenUser | undefined>;

function observed(ask: Ask, observer: TokenCacheObserver): Ask {
  return async function observedAsk(...question) {
    observer.waiting('in_flight', 1);
    let status: 'ok' | 'error' = 'error';
    try {
      const known = await ask(...question);
      status = 'ok';
      return known;
    } finally {
      observer.waiting('in_flight', -1);
      observer.asked(status);
    }
  };
}

async function waitedFor<T>(
  answer: Promise<T>,
  observer: TokenCacheObserver,
  seconds: () => number,
): Promise<T> {
  observer.waiting('blocked', 1);
  try {
    return await answer;
  } finally {
    observer.waiting('blocked', -1);
    observer.looked('miss', seconds());
  }
}

function recall(all: Map<string, Remembered>, id: string, clock: Clock): Remembered | undefined {
  const before = all.get(id);
  if (before === undefined || clock.now() < before.until) return before;
  all.delete(id);
  return undefined;
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
