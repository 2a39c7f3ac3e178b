import { badRequestError } from '../errors/status-errors.ts';
import type { Revision } from '../meta/revision.ts';

/** Where a list goes on: at the path `start` below the list's prefix, as of `revision`. */
export interface ListPosition {
  /** Undefined: whatever is newest (the list's own revision is gone). */
  readonly revision: Revision | undefined;
  readonly start: string;
}

const LONGEST_TOKEN = 4096;
const BASE64URL = /^[\w-]*$/;
/** The revision of a token that goes on with whatever is newest. */
export const NEWEST = -1;

/**
 * Writes a token in the Go API server's form, so that a list can go on at any gateway.
 *
 * @param version the token version of the naming profile.
 * @param revision the list's, or {@link NEWEST}.
 * @param start where to go on, inclusive: a path below the list's prefix.
 */
export function encodeContinueToken(
  version: string,
  revision: Revision | typeof NEWEST,
  start: string,
): string {
  return Buffer.from(JSON.stringify({ v: version, rv: revision, start })).toString('base64url');
}

/**
 * Reads a token. What it names stays below the list's prefix, whoever wrote it.
 *
 * @throws ApiError 400.
 */
export function decodeContinueToken(version: string, token: string): ListPosition {
  const content = parseToken(token);
  if (content['v'] !== version) {
    throw invalid(`this server does not know version ${JSON.stringify(content['v'] ?? null)} of it`);
  }
  const { rv, start } = content;
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv === 0) throw invalid('it names no revision');
  if (typeof start !== 'string' || start === '') throw invalid('it names no position');
  const path = start.startsWith('/') ? start.slice(1) : start;
  if (path !== '' && !staysBelow(path)) throw invalid('its position is outside the list');
  return { revision: rv < 0 ? undefined : (rv as Revision), start: path };
}

function parseToken(token: string): Record<string, unknown> {
  if (token.length > LONGEST_TOKEN) throw invalid('it is too long');
  if (!BASE64URL.test(token)) throw invalid('it is not base64url');
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(token, 'base64url').toString());
  } catch {
    throw invalid('it does not decode');
  }
  if (typeof content !== 'object' || content === null) throw invalid('it does not decode');
  return content as Record<string, unknown>;
}

/** No empty segment, no `.`, no `..`: the path is what it looks like. */
function staysBelow(path: string): boolean {
  return path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

function invalid(why: string): Error {
  return badRequestError(`the continue token is not valid: ${why}`);
}
