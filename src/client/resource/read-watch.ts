import type { Status } from '../../errors/api-error.ts';
import { parseExactJson } from '../../lib/exact-json.ts';
import { readLines } from '../request/lines.ts';
import type { RawRequest, Requests } from '../request/requests.ts';
import { StatusError } from '../status-error.ts';
import type { WatchEvent } from '../kinds.ts';

/**
 * The events of a watch, until the server ends it or the reader leaves.
 *
 * @throws StatusError when the server refuses, also amid the events, such as for a version that is too old.
 */
export async function* readWatch<T>(
  requests: Requests,
  request: RawRequest,
): AsyncGenerator<WatchEvent<T>, void, void> {
  const { body } = await requests.open(request);
  for await (const line of readLines(body)) {
    const event = parseExactJson(line) as WatchEvent<T> | { type: 'ERROR'; object: Status };
    if (event.type === 'ERROR') throw new StatusError(event.object);
    yield event;
  }
}
