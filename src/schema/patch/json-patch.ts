import { applyPatch, type Operation } from 'rfc6902';
import { ApiError } from '../../errors/api-error.ts';
import { badRequestError } from '../../errors/status-errors.ts';
import type { Json } from '../../meta/object.ts';
import { isObject } from './directives.ts';

/** A patch may have this many operations. */
export const MAX_OPERATIONS = 10_000;

/** What `copy` may add to a document altogether, in bytes of JSON: a few operations could else double it many times. */
export const MAX_COPIED_BYTES = 3 * 1024 * 1024;

const OPERATIONS: ReadonlySet<unknown> = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test']);

/**
 * JSON Patch (RFC 6902).
 *
 * @param document changed in place, also where the patch fails half-way.
 * @returns the patched document, which is another value when the patch replaces its root.
 * @throws ApiError 400 for a patch that is malformed, 413 for one with too many operations, 422 for one that doesn't
 *   fit the document or whose test fails.
 */
export function applyJsonPatch(document: Json, patch: Json): Json {
  const operations = checkOperations(patch);
  const root = { document };
  let copied = 0;
  for (const operation of operations) {
    if (operation.op === 'copy') copied += sizeAt(root.document, operation.from);
    if (copied > MAX_COPIED_BYTES) {
      throw new ApiError('RequestEntityTooLarge', `the patch copies more than ${MAX_COPIED_BYTES} bytes`);
    }
    const [error] = applyPatch(root, [rooted(settable(operation, root.document))]);
    if (error !== null && error !== undefined) throw unfit(why(operation, error));
  }
  return root.document;
}

/** 422 without a cause: the patch is one, and doesn't fit. */
function unfit(reason: string): ApiError {
  const text = `the server rejected our request due to an error in our request: ${reason}`;
  return new ApiError('Invalid', text, { details: {} });
}

/** As the Go API server has it, an object's field need not be there to be replaced. */
function settable(operation: Operation, document: Json): Operation {
  if (
    operation.op !== 'replace' ||
    operation.path === '' ||
    valueAt(document, operation.path) !== undefined
  ) {
    return operation;
  }
  const parent = valueAt(document, operation.path.slice(0, operation.path.lastIndexOf('/')));
  return isObject(parent) ? { ...operation, op: 'add' } : operation;
}

/** The library can't replace the root, so the document hangs below one. */
function rooted(operation: Operation): Operation {
  const path = `/document${operation.path}`;
  return 'from' in operation
    ? { ...operation, path, from: `/document${operation.from}` }
    : { ...operation, path };
}

function why(operation: Operation, error: Error): string {
  return operation.op === 'test'
    ? `testing value ${operation.path} failed`
    : `${operation.op} operation does not apply at ${operation.path}: ${error.name}`;
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
    const { path, from, op } = operation;
    if (!isPointer(path)) throw unfit(`operation ${index} has no valid path`);
    if ((op === 'move' || op === 'copy') && !isPointer(from)) {
      throw unfit(`operation ${index} has no valid from`);
    }
    if (!OPERATIONS.has(op)) throw unfit(`operation ${index} is of an unknown kind`);
    const { value = null } = operation;
    return { ...operation, value } as unknown as Operation;
  });
}

function isPointer(value: Json | undefined): value is string {
  return typeof value === 'string' && (value === '' || value.startsWith('/'));
}

function sizeAt(document: Json, pointer: string): number {
  const value = valueAt(document, pointer);
  return value === undefined ? 0 : JSON.stringify(value, plainNumber).length;
}

function valueAt(document: Json, pointer: string): Json | undefined {
  let here: Json | undefined = document;
  for (const token of pointer === '' ? [] : pointer.slice(1).split('/')) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(here)) here = here[Number(key)];
    else if (isObject(here) && Object.hasOwn(here, key)) here = here[key];
    else return undefined;
  }
  return here;
}

function plainNumber(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}
