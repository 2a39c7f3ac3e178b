import { badRequestError } from '../errors/status-errors.ts';
import type { ResourceDefinition, StorageDefinition } from '../schema/model.ts';

/**
 * Keys are the Go API server's: `<root><prefix>/[namespace/]name`, e.g. `/registry/pods/default/web`. What follows the
 * resource's prefix and its slash is the object's path: `default/web`, or `web` at cluster scope.
 */

/** Longest name and namespace that a key takes, UTF-16 units: above every name rule, below every store's limit. */
const LONGEST_SEGMENT = 1024;

/** The prefix of every key of a resource, with its closing slash. */
export function resourceKeyPrefix(root: string, resource: ResourceDefinition): string {
  return `${root}${storageOf(resource).prefix}/`;
}

/** How a resource is kept. @throws Error for a virtual kind: asking for one is a bug of ours. */
export function storageOf(resource: ResourceDefinition): StorageDefinition {
  if (resource.storage === undefined) throw new Error(`${resource.resource} is not stored`);
  return resource.storage;
}

/** The path of an object. @throws ApiError 400 for names that would not stay in their place. */
export function objectPath(resource: ResourceDefinition, namespace: string, name: string): string {
  checkSegment('name', name);
  if (!resource.namespaced) return name;
  if (namespace === '') throw badRequestError('an empty namespace may not be set when a name is given');
  checkSegment('namespace', namespace);
  return `${namespace}/${name}`;
}

/** The path prefix of a list: `namespace/`, or '' for everything. @throws ApiError 400. */
export function scopePath(resource: ResourceDefinition, namespace: string): string {
  if (namespace === '' || !resource.namespaced) return '';
  checkSegment('namespace', namespace);
  return `${namespace}/`;
}

/** Takes a path apart. @returns undefined for a key that is no object of such a resource. */
export function parsePath(
  namespaced: boolean,
  path: string,
): { readonly namespace: string; readonly name: string } | undefined {
  const slash = path.indexOf('/');
  if (!namespaced) return slash < 0 && path !== '' ? { namespace: '', name: path } : undefined;
  if (slash <= 0 || slash === path.length - 1 || path.includes('/', slash + 1)) return undefined;
  return { namespace: path.slice(0, slash), name: path.slice(slash + 1) };
}

/** Whether a text may be a name or a namespace in a key: one segment, and no more than any store takes. */
export function isPathSegment(text: string): boolean {
  if (text === '' || text === '.' || text === '..') return false;
  if (text.length > LONGEST_SEGMENT || !text.isWellFormed()) return false;
  return !text.includes('/') && !text.includes('%') && !text.includes('\0');
}

function checkSegment(what: 'name' | 'namespace', text: string): void {
  if (isPathSegment(text)) return;
  throw badRequestError(`the ${what} ${JSON.stringify(text.slice(0, 253))} can not be part of a path`);
}
