import { readList } from '../../../client/resource/read-list.ts';
import type { JsonObject } from '../../../meta/object.ts';
import type { Api } from '../api/api.ts';
import { resourcePath, type ApiResource } from '../api/resource.ts';
import type { Target } from './arguments.ts';

export interface ReadOptions {
  readonly api: Api;
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly subresource?: string | undefined;
  /** Objects a request; 0 for all in one. */
  readonly chunkSize?: number;
  readonly accept?: string;
  /** More query parameters. */
  readonly query?: Readonly<Record<string, string | undefined>>;
}

/** An answer, as it came: an object, a list's page, or a Table of either. */
export interface Page {
  readonly resource: ApiResource;
  readonly body: JsonObject;
  readonly last: boolean;
}

/** An object and the resource it was found under. */
export interface FoundObject {
  readonly resource: ApiResource;
  readonly object: JsonObject;
}

/** The metadata of a list. */
export interface ListMeta {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** As kubectl has it. */
export const DEFAULT_CHUNK_SIZE = 500;

/** Reads a target page by page; an object by name is a page by itself. */
export async function* readPages(target: Target, options: ReadOptions): AsyncGenerator<Page> {
  const { api, subresource, chunkSize = DEFAULT_CHUNK_SIZE } = options;
  const { resource, name, namespace = options.namespace } = target;
  const path = resourcePath({ resource, namespace, name, subresource });
  const accept = options.accept === undefined ? {} : { accept: options.accept };
  if (name !== undefined) {
    const body = await api.json({ path, ...accept, query: { ...options.query } });
    yield { resource, body, last: true };
    return;
  }
  let next: string | undefined;
  do {
    const body = await api.json({
      path,
      ...accept,
      query: {
        labelSelector: options.labelSelector,
        fieldSelector: options.fieldSelector,
        limit: chunkSize > 0 ? chunkSize : undefined,
        continue: next,
        ...options.query,
      },
    });
    next = (body['metadata'] as ListMeta | undefined)?.continue || undefined;
    yield { resource, body, last: next === undefined };
  } while (next !== undefined);
}

/**
 * Reads a target's objects some at a time, as they come: no page of them is ever held. Items of lists get the kind and version
 * that their list has.
 */
export async function* readItems(
  target: Target,
  options: ReadOptions,
): AsyncGenerator<readonly JsonObject[]> {
  const { api, subresource, chunkSize = DEFAULT_CHUNK_SIZE } = options;
  const { resource, name, namespace = options.namespace } = target;
  const path = resourcePath({ resource, namespace, name, subresource });
  if (name !== undefined) {
    yield itemsOf(await api.json({ path, query: { ...options.query } }));
    return;
  }
  let next: string | undefined;
  do {
    const { labelSelector, fieldSelector } = options;
    const limit = chunkSize > 0 ? chunkSize : undefined;
    const query = { labelSelector, fieldSelector, limit, continue: next, ...options.query };
    next = undefined;
    for await (const { items, metadata } of readList<JsonObject>(api, { path, query })) {
      if (items.length > 0) yield items;
      next = metadata?.continue || undefined;
    }
  } while (next !== undefined);
}

/** Reads a target's objects one by one. */
export async function* readObjects(target: Target, options: ReadOptions): AsyncGenerator<FoundObject> {
  const { resource } = target;
  for await (const items of readItems(target, options)) {
    for (const object of items) yield { resource, object };
  }
}

/** The objects of an answer: those of a list, or the object itself. */
export function itemsOf(body: JsonObject): JsonObject[] {
  const { items, kind, apiVersion } = body;
  if (!isList(body) || !Array.isArray(items) || typeof kind !== 'string') return [body];
  return (items as JsonObject[]).map((item) =>
    item['kind'] === undefined || item['apiVersion'] === undefined
      ? { apiVersion, kind: kind.slice(0, -'List'.length), ...item }
      : item,
  );
}

/** Whether an answer is a list: of one kind, or a List of any. */
export function isList({ items, kind }: JsonObject): boolean {
  return Array.isArray(items) && typeof kind === 'string' && kind.endsWith('List');
}
