import { hash } from 'node:crypto';
import jwt, { type Jwt, type JwtHeader } from 'jsonwebtoken';
import { isObject, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { KeySet } from './keys.ts';

export interface VerifierOptions<T> {
  readonly keys: KeySet;
  /** Whose tokens these are, as far as a token itself says. */
  readonly isOurs: (issuer: string) => boolean;
  /** Takes a payload whose signature is good. @throws Error for one that is of no use. */
  readonly read: (payload: JsonObject) => T;
  /** Whether what was read is still worth being kept. */
  readonly isCurrent: (read: T) => boolean;
  /** How many tokens are remembered, and how many with wrong signatures. */
  readonly capacity?: number;
}

/** Longer tokens are nobody's: those that are made here have about 1,000 characters. */
const MAX_LENGTH = 65_536;
const CAPACITY = 8192;

/**
 * Verifies signatures, each once: what a token says is kept by its digest, so that the tokens themselves aren't, and only
 * while it is current; a wrong signature, so that a client that goes on with a bad token costs little. Whoever asks must check
 * times, audiences and revocation each time.
 *
 * @returns undefined for what is no token of ours. @throws Error for one whose signature is wrong.
 */
export function tokenVerifier<T>(options: VerifierOptions<T>): (token: string) => T | undefined {
  const { keys, isOurs, read, isCurrent, capacity = CAPACITY } = options;
  const known = new Map<string, T>();
  // The keys stay what they are, and so do the reasons.
  const refused = new Map<string, string>();
  return function verifyToken(token) {
    if (token.length > MAX_LENGTH) return undefined;
    const digest = hash('sha256', token, 'base64');
    const before = known.get(digest);
    if (before !== undefined && isCurrent(before)) return before;
    known.delete(digest);
    const reason = refused.get(digest);
    if (reason !== undefined) throw new Error(reason);
    const form = decode(token);
    if (form === undefined || !isOurs(textAt(form.payload as JsonObject, 'iss'))) return undefined;
    const payload = verifySignature(token, form.header, keys);
    if (payload instanceof Error) {
      remember(refused, capacity, digest, payload.message);
      throw payload;
    }
    const verified = read(payload);
    if (isCurrent(verified)) remember(known, capacity, digest, verified);
    return verified;
  };
}

/** The oldest goes when there are too many. */
function remember<T>(known: Map<string, T>, capacity: number, digest: string, value: T): void {
  if (known.size >= capacity) {
    const [oldest] = known.keys();
    if (oldest !== undefined) known.delete(oldest);
  }
  known.set(digest, value);
}

/** What a token says, unverified: enough to tell whose it is. */
function decode(token: string): Jwt | undefined {
  try {
    const form = jwt.decode(token, { complete: true });
    return form !== null && isObject(form.payload) ? form : undefined;
  } catch {
    return undefined;
  }
}

/** @returns why no key has signed the token, where none has. */
function verifySignature(token: string, header: JwtHeader, keys: KeySet): JsonObject | Error {
  // Extensions that a token insists on, and that nobody here knows (RFC 7515, 4.1.11).
  if (header.crit !== undefined) return new Error('the token has critical headers that are not known');
  const candidates = keys.candidates(typeof header.kid === 'string' ? header.kid : '');
  if (candidates.length === 0) return new Error('invalid signature: no key of that name verifies tokens');
  let reason = 'invalid signature';
  for (const { key, algorithm } of candidates) {
    try {
      const payload = jwt.verify(token, key, {
        algorithms: [algorithm],
        ignoreExpiration: true,
        ignoreNotBefore: true,
      });
      if (isObject(payload)) return payload;
    } catch (error) {
      if (error instanceof Error) reason = error.message;
    }
  }
  return new Error(reason);
}
