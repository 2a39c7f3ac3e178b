import { ApiError } from '../../errors/api-error.ts';
import { badRequestError } from '../../errors/status-errors.ts';
import { exactJson } from '../../lib/exact-json.ts';
import { isObject, type Json, type JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import { MAX_DEPTH } from '../parse/parsed-body.ts';
import { locate, parsePointer, type Pointer } from './json-pointer.ts';

/** A patch may have this many operations. */
export const MAX_OPERATIONS = 10_000;

/** What `copy` may add to a document altogether, in bytes of JSON: a few operations could else double it many times. */
export const MAX_COPIED_BYTES = 3 * 1024 * 1024;

/** How many list items all operations may move to make or close a gap: it takes time that other requests wait for. */
const MAX_MOVED_ITEMS = 100_000_000;

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
 * @throws ApiError 400 for a patch that is no list of operations, 413 for one with too many operations or too much to
 *   do, 422 for one that doesn't fit the document, whose test fails or that makes the document grow without bound.
 */
export function applyJsonPatch(document: Json, patch: Json): Json {
  const patcher = new Patcher(document);
  for (const operation of checkOperations(patch)) patcher.apply(operation);
  if (isDeeper(patcher.root, MAX_DEPTH))
    throw misfit(`the result is nested more than ${MAX_DEPTH} levels deep`);
  return patcher.root;
}

class Patcher {
  root: Json;
  #copied = 0;
  #moved = 0;

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
          return this.#spend(locate(this.root, to).remove());
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
    this.#spend(locate(this.root, to).add(value));
  }

  #replace(to: Pointer, value: Json): void {
    if (to.length > 0) locate(this.root, to).replace(value);
    else if (typeof value === 'object' && value !== null) this.root = value;
    else throw new TypeError('the document must stay an object or a list');
  }

  #move(from: Pointer, to: Pointer): void {
    const source = locate(this.root, from);
    const value = source.get() ?? null;
    this.#spend(source.remove());
    this.#add(to, value);
  }

  #copy(from: Pointer): Json {
    const value = locate(this.root, from).get() ?? null;
    this.#copied += Buffer.byteLength(exactJson(value));
    if (this.#copied > MAX_COPIED_BYTES) throw misfit(`it copies more than ${MAX_COPIED_BYTES} bytes`);
    return structuredClone(value);
  }

  #test(to: Pointer, value: Json): void {
    const found = to.length === 0 ? this.root : (locate(this.root, to).get() ?? null);
    if (!sameJson(found, value)) throw new Error('the value is another');
  }

  #spend(moved: number): void {
    this.#moved += moved;
    if (this.#moved > MAX_MOVED_ITEMS)
      throw new ApiError('RequestEntityTooLarge', `the patch moves more than ${MAX_MOVED_ITEMS} list items`);
  }
}

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const item of Object.values(value)) if (isDeeper(item ?? null, levels - 1)) return true;
  return false;
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
    if (operation === null) throw misfit(`operation ${index} is null`);
    if (!isObject(operation)) throw badRequestError(`operation ${index} of the JSON patch is not an object`);
    return checkOperation(operation, index);
  });
}

function checkOperation(operation: JsonObject, index: number): Operation {
  const [op, path, from] = TEXTS.map((name) => textOf(operation, name, index));
  const to = path === undefined ? undefined : parsePointer(path);
  if (path === undefined || to === undefined) throw misfit(`operation ${index} has no valid path`);
  const moves = op === 'move' || op === 'copy';
  const source = !moves ? [] : from === undefined ? undefined : parsePointer(from);
  if (source === undefined) throw misfit(`operation ${index} has no valid from`);
  if (!KINDS.has(op)) throw misfit(`operation ${index} is of an unknown kind`);
  return { op: op as Kind, path, to, from: source, value: operation.value ?? null };
}

const TEXTS = ['op', 'path', 'from'] as const;

/** @returns undefined where an operation has none. @throws ApiError 400 for what is no text. */
function textOf(operation: JsonObject, name: string, index: number): string | undefined {
  const value = operation[name];
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
  throw badRequestError(`operation ${index} of the JSON patch: ${name} must be a string`);
}
