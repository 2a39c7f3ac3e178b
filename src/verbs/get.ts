import { readAtOfGet } from './options/list-options.ts';
import type { VerbTools } from './dependencies.ts';
import type { VerbHandler } from './result.ts';

/** GET of one object, or of a subresource that shows the whole object (status). */
export function createGet({ store }: VerbTools): VerbHandler {
  return async function get({ context, resource, namespace, name }) {
    const at = readAtOfGet(context.query);
    const entry = await store.get({ resource, namespace, name, at, signal: context.signal });
    return { kind: 'entry', status: 200, resource, entry };
  };
}
