import { Pacer } from '../../lib/pacer.ts';
import type { JsonObject } from '../../meta/object.ts';
import { ZERO_REVISION } from '../../meta/revision.ts';
import type { ListPage, StoredEntry } from '../../store/object-store.ts';
import type { Exchange } from '../exchange.ts';
import { LIMITS } from '../limits.ts';
import { sendBytes } from './bytes.ts';
import type { Compress } from './compress.ts';
import type { Form, ListFrame } from './form.ts';
import { PieceWriter, type PiecePool } from './piece-writer.ts';
import type { Element } from './views.ts';

/** A list to send: at least one entry. */
export interface ListAnswer {
  readonly entries: readonly StoredEntry[];
  readonly form: Form;
  readonly frame: ListFrame;
  readonly mediaType: string;
}

/** What lists are sent with. */
export interface ListTools {
  readonly pool: PiecePool;
  readonly compress: Compress;
}

/**
 * Sends a list: whole with its length if it fits one piece, else streamed, so that its memory does not grow with its
 * length. Waits only where a piece is full.
 */
export async function writeList(exchange: Exchange, list: ListAnswer, tools: ListTools): Promise<void> {
  const { entries, form } = list;
  const { open, separator, close } = list.frame;
  const headers = { 'content-type': list.mediaType };
  const writer = new PieceWriter(exchange, tools.pool, () => {
    tools.compress(exchange, LIMITS.pieceBytes);
    exchange.sendHead(200, headers);
  });
  if (!writer.tryPut(open)) await writer.put(open);
  const pacer = new Pacer();
  for (let i = 0; i < entries.length && !writer.abandoned; i++) {
    if (i > 0 && separator.length > 0 && !writer.tryPut(separator)) await writer.put(separator);
    const element = form.element(entries[i] as StoredEntry);
    // Nearly every element finds room.
    if (!writer.tryPut(element.bytes, element.start, element.prefix)) await putElement(writer, element);
    if (pacer.due()) await pacer.rest();
  }
  if (!writer.tryPut(close)) await writer.put(close);
  const short = writer.streaming ? undefined : writer.unsent();
  await writer.close();
  if (short === undefined) {
    exchange.reply.end();
    return;
  }
  tools.compress(exchange, short.length);
  await sendBytes(exchange, 200, headers, short);
}

async function putElement(writer: PieceWriter, { prefix, bytes, start }: Element): Promise<void> {
  // While this waits, other lists ask for elements: these bytes are not good for so long.
  const own = Buffer.from(bytes.subarray(start));
  if (prefix !== undefined) await writer.put(prefix);
  await writer.put(own);
}

/** The `metadata` of a list. One of objects that aren't stored has no version. */
export function listMetadata(page: ListPage): JsonObject {
  return {
    ...(page.revision === ZERO_REVISION ? {} : { resourceVersion: String(page.revision) }),
    ...(page.continueToken === undefined ? {} : { continue: page.continueToken }),
    ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
  };
}
