import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '../../../meta/object.ts';
import type { Api } from '../api/api.ts';
import { resourcePath } from '../api/resource.ts';
import { watchEvents } from '../api/watch-lines.ts';
import { ServerError } from '../errors.ts';
import { itemsOf, type ListMeta } from '../resources/read-objects.ts';
import type { ChosenObject } from './choose.ts';

export interface UntilOptions {
  readonly api: Api;
  readonly signal: AbortSignal;
}

/** A watch that ends at once is not opened again at once. */
const SHORTEST_MS = 1000;

/**
 * Follows an object until it is as is asked for.
 *
 * @param done gets the object, or undefined while there is none.
 * @throws the signal's reason when that comes first.
 */
export async function until(
  chosen: ChosenObject,
  { api, signal }: UntilOptions,
  done: (object: JsonObject | undefined) => boolean | Promise<boolean>,
): Promise<void> {
  const path = resourcePath({ resource: chosen.resource, namespace: chosen.namespace });
  const fieldSelector = `metadata.name=${chosen.name}`;
  for (;;) {
    signal.throwIfAborted();
    const since = performance.now();
    const list = await api.json({ path, query: { fieldSelector }, signal });
    if (await done(itemsOf(list)[0])) return;
    const { resourceVersion } = (list['metadata'] ?? {}) as ListMeta;
    const query = { watch: true, fieldSelector, resourceVersion };
    try {
      for await (const { type, object } of watchEvents(await api.open({ path, query, signal }))) {
        if (await done(type === 'DELETED' ? undefined : object)) return;
      }
    } catch (error) {
      // What came in between is no longer known: look again.
      if (!(error instanceof ServerError) || error.code !== 410) throw error;
    }
    const rest = SHORTEST_MS - (performance.now() - since);
    if (rest > 0) await delay(rest, undefined, { signal });
  }
}
