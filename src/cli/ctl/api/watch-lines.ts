import { parseExactJson } from '../../../lib/exact-json.ts';
import type { TransportResponse } from '../../../client/transport.ts';
import type { JsonObject } from '../../../meta/object.ts';
import { ServerError } from '../errors.ts';

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
  for await (const line of lines(body)) {
    const event = parseExactJson(line) as WatchEvent;
    if (event.type === 'ERROR') throw new ServerError(event.object);
    yield event;
  }
}

const NEWLINE = 0x0a;

async function* lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let pending: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      pending.push(chunk.subarray(from, end));
      const line = Buffer.concat(pending).toString('utf8');
      pending = [];
      from = end + 1;
      if (line !== '') yield line;
    }
    if (from < chunk.length) pending.push(chunk.subarray(from));
  }
}
