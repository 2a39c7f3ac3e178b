import { ApiError } from '../../errors/api-error.ts';
import { badRequestError } from '../../errors/status-errors.ts';
import { exactJson } from '../../lib/exact-json.ts';
import type { Json, JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import { isObject } from './directives.ts';
import { locate, parsePointer, type Pointer } from './json-pointer.ts';

/** A patch may have this many operations. */
export const MAX_OPERATIONS = 10_000;

/** What `copy` may add to a document altogether, in bytes of JSON: a few operations could else double it many times. */
export const MAX_COPIED_BYTES = 3 * 1024 * 1024;

type Kind = 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
const KINDS: ReadonlySet<unknown> = new Set<Kind>(['add', 'remove', 'replace', 'move', 'copy', 'test']);

interface Operation {
  readonly op: Kind;
  readonly path: string;
  readonly to: Pointer;
  readonly from: Pointer;
  readonly value: Json;
}

/**
 * JSON Patch (RFC 6902), with the freedoms that the interface has always allowed: indexes below zero count from a list's
 * end, `replace` may set an object's absent member, and an absent member equals null in `test` and `copy`. Keys such as
 * `__proto__` are keys like any other.
 *
 * @param document changed in place, also where the patch fails half-way.
 * @returns the patched document, which is another value when the patch replaces its root.
 * @throws ApiError 400 for a patch that is no list of operations, 413 for one with too many operations, 422 for one
 *   that doesn't fit the document or whose test fails.
 */
export function applyJsonPatch(document: Json, patch: Json): Json {
  const patcher = new Patcher(document);
  for (const operation of checkOperations(patch)) patcher.apply(operation);
  return patcher.root;
}

class Patcher {
  root: Json;
  #copied = 0;

  constructor(document: Json) {
    this.root = document;
  }

  apply(operation: Operation): void {
    const { op, path, to, from, value } = operation;
    try {
      switch (op) {
        case 'add':
          return this.#add(to, value);
        case 'remove':
          return locate(this.root, to).remove();
        case 'replace':
          return this.#replace(to, value);
        case 'move':
          return this.#move(from, to);
        case 'copy':
          return this.#add(to, this.#copy(from));
        case 'test':
          return this.#test(to, value);
      }
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw misfit(`${op} at ${JSON.stringify(path)}: ${error instanceof Error ? error.message : 'failed'}`);
    }
  }

  #add(to: Pointer, value: Json): void {
    locate(this.root, to).add(value);
  }

  #replace(to: Pointer, value: Json): void {
    if (to.length > 0) locate(this.root, to).replace(value);
    else if (typeof value === 'object' && value !== null) this.root = value;
    else throw new TypeError('the document must stay an object or a list');
  }

  #move(from: Pointer, to: Pointer): void {
    const source = locate(this.root, from);
    const value = source.get() ?? null;
    source.remove();
    this.#add(to, value);
  }

  #copy(from: Pointer): Json {
    const value = this.#get(from);
    this.#copied += Buffer.byteLength(exactJson(value));
    if (this.#copied > MAX_COPIED_BYTES) {
      throw new ApiError('RequestEntityTooLarge', `the patch copies more than ${MAX_COPIED_BYTES} bytes`);
    }
    return structuredClone(value);
  }

  #test(to: Pointer, value: Json): void {
    if (!sameJson(this.#get(to), value)) throw new Error('the value is another');
  }

  #get(at: Pointer): Json {
    return at.length === 0 ? this.root : (locate(this.root, at).get() ?? null);
  }
}

function misfit(why: string): ApiError {
  const message = `the server rejected our request due to an error in our request: ${why}`;
  return new ApiError('Invalid', message, { details: {} });
}

function checkOperations(patch: Json): Operation[] {
  if (patch === null) return [];
  if (!Array.isArray(patch)) throw badRequestError('a JSON patch must be an array of operations');
  if (patch.length > MAX_OPERATIONS) {
    const text = `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`;
    throw new ApiError('RequestEntityTooLarge', text);
  }
  return patch.map((operation, index) => {
    if (!isObject(operation)) throw badRequestError(`JSON patch operation ${index} is not an object`);
    return checkOperation(operation, index);
  });
}

function checkOperation({ op, path, from, value = null }: JsonObject, index: number): Operation {
  const to = typeof path === 'string' ? parsePointer(path) : undefined;
  if (to === undefined) throw misfit(`operation ${index} has no valid path`);
  const moves = op === 'move' || op === 'copy';
  const source = moves ? (typeof from === 'string' ? parsePointer(from) : undefined) : [];
  if (source === undefined) throw misfit(`operation ${index} has no valid from`);
  if (!KINDS.has(op)) throw misfit(`operation ${index} is of an unknown kind`);
  return { op: op as Kind, path: path as string, to, from: source, value };
}
