import { badRequestError } from '../../errors/status-errors.ts';
import type { Json } from '../../meta/object.ts';
import { MAX_DEPTH, type ParsedBody } from './parsed-body.ts';
import { readExactly } from './json-exact.ts';
import { scanJson } from './json-scan.ts';

const MESSAGE_LIMIT = 200;

/** What repeated keys make: objects are merged, as typed bodies are read, or the last value counts whatever it is. */
export type RepeatedKeys = 'merge' | 'last';

/**
 * Reads a JSON body. Invalid UTF-8 and lone surrogates become U+FFFD; integers beyond 2^53 are bigint; of a repeated
 * key the last value counts.
 *
 * Almost every body is read by JSON.parse alone: a scan of the bytes tells whether it holds anything that JSON.parse
 * would lose.
 *
 * @throws ApiError 400 for anything that isn't one JSON value, or nested too deeply.
 */
export function parseJson(bytes: Uint8Array, repeated: RepeatedKeys = 'merge'): ParsedBody {
  const { colons, depth, exact, escapedKey } = scanJson(bytes);
  if (depth > MAX_DEPTH) throw badRequestError(`the body is nested more than ${MAX_DEPTH} levels deep`);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const value = parseText(text);
  if (exact || countKeys(value, escapedKey) !== colons) return readExactly(text, repeated);
  return { value, duplicates: [], floats: [] };
}

/** What {@link parseJson} takes care of: escape sequences, and numbers that a double may not hold. */
const CARE = /\\|\d{16}/;
/** Texts up to this long are not nested too deeply. */
const SHORT = 512;

/** JSON that stands in a text of an object. @returns undefined for what is none. */
export function parseJsonText(text: string): Json | undefined {
  try {
    if (text.length <= SHORT && !CARE.test(text)) return JSON.parse(text) as Json;
    return parseJson(Buffer.from(text), 'last').value;
  } catch {
    return undefined;
  }
}

function parseText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw badRequestError(`the body is not JSON: ${why.slice(0, MESSAGE_LIMIT)}`);
  }
}

/**
 * How many keys all objects have together: fewer than there are colons when one is repeated.
 *
 * @param suspicious whether there are keys with escape sequences. V8's JSON.parse takes such a key for one that an
 *   earlier text had, when that one's characters are the first of the escaped spelling (seen in 13.6: after `{"\\":0}` it
 *   reads `{"\u003e":0}` as the same again). What it mistakes it for has a backslash; then the count is NaN.
 */
function countKeys(value: Json, suspicious: boolean): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item = value[i];
      if (typeof item === 'object') count += countKeys(item, suspicious);
    }
    return count;
  }
  for (const key in value) {
    if (suspicious && key.includes('\\')) return NaN;
    count++;
    const item = value[key];
    if (typeof item === 'object') count += countKeys(item, suspicious);
  }
  return count;
}
