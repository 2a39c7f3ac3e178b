import type { JsonObject } from '../../meta/object.ts';
import { ListReader } from '../request/list-reader.ts';
import type { RawRequest, Requests } from '../request/requests.ts';
import type { ListMeta } from '../kinds.ts';

/** What of a list came with one piece of the answer: some of its items, and at the end its metadata. */
export interface ListPiece<T> {
  readonly items: T[];
  /** In the last piece. */
  readonly metadata?: ListMeta;
}

/** Reads a list as it comes. Its items get the kind and version that the list leaves out. */
export async function* readList<T>(
  requests: Pick<Requests, 'open'>,
  request: RawRequest,
): AsyncGenerator<ListPiece<T>, void, void> {
  const { body } = await requests.open(request);
  const reader = new ListReader();
  for await (const chunk of body) {
    const items = reader.push(chunk);
    if (items.length > 0) yield { items: completed<T>(items, reader.head) };
  }
  yield { items: [], metadata: (reader.end()['metadata'] ?? {}) as ListMeta };
}

function completed<T>(items: JsonObject[], { kind, apiVersion }: Readonly<JsonObject>): T[] {
  if (typeof kind === 'string' && kind.endsWith('List') && typeof apiVersion === 'string') {
    const itemKind = kind.slice(0, -'List'.length);
    for (const item of items) {
      item['kind'] ??= itemKind;
      item['apiVersion'] ??= apiVersion;
    }
  }
  return items as T[];
}
