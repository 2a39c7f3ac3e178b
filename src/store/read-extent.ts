import { utf8SortKey } from '../lib/utf8-order.ts';
import { scopeEnd, type Extent } from './extent.ts';
import type { ResourceCache } from './resource-cache.ts';

/** Decodes what has not been of all that an extent is about, so that it is known what of it can't be read. */
export async function readExtent(
  cache: ResourceCache,
  { only, scope, signal }: Pick<Extent, 'only' | 'scope' | 'signal'>,
): Promise<void> {
  const start = utf8SortKey(only ?? scope);
  const end = only === undefined ? scopeEnd({ scope }) : utf8SortKey(`${only}\0`);
  await cache.readPart(start, end, signal);
}
