import type { Writing } from './writing.ts';

/** After how many seconds what is written expires; undefined: never. */
export function ttlOf({ dependencies, request }: Writing): number | undefined {
  return request.resource.storage?.ttl === 'events' ? dependencies.eventTtlSeconds : undefined;
}
