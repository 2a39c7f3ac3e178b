import { parseExactJson } from '../../../lib/exact-json.ts';
import { readLines } from '../../../client/request/lines.ts';
import type { TransportResponse } from '../../../client/transport.ts';
import type { JsonObject } from '../../../meta/object.ts';
import { ServerError, type FailureStatus } from '../errors.ts';

export interface WatchEvent {
  readonly type: string;
  readonly object: JsonObject;
}

/**
 * The events of a watch, one JSON document a line.
 *
 * @throws ServerError for an event that tells of a failure, such as a version that is too old.
 */
export async function* watchEvents({ body }: TransportResponse): AsyncGenerator<WatchEvent> {
  for await (const line of readLines(body)) {
    const event = parseExactJson(line) as WatchEvent;
    if (event.type === 'ERROR') throw new ServerError(event.object as unknown as FailureStatus);
    yield event;
  }
}
