import { Pacer } from '../../lib/pacer.ts';
import type { JsonObject } from '../../meta/object.ts';
import { ZERO_REVISION } from '../../meta/revision.ts';
import type { ListPage, StoredEntry } from '../../store/object-store.ts';
import type { Exchange } from '../exchange.ts';
import type { Envelope, Format } from '../format/format.ts';
import { sendBytes } from './bytes.ts';
import type { Form } from './forms.ts';
import { PieceWriter, type PiecePool } from './piece-writer.ts';

/** A list to send: at least one entry. */
export interface ListAnswer {
  readonly entries: readonly StoredEntry[];
  readonly form: Form;
  readonly envelope: Envelope;
  readonly format: Format;
  readonly mediaType: string;
}

/**
 * Sends a list: whole with its length if it fits one piece, else streamed, so that its memory does not grow with its
 * length. Waits only where a piece is full.
 */
export async function writeList(exchange: Exchange, list: ListAnswer, pool: PiecePool): Promise<void> {
  const headers = { 'content-type': list.mediaType };
  const writer = new PieceWriter(exchange, pool, () => exchange.sendHead(200, headers));
  if (!writer.tryPut(list.envelope.open)) await writer.put(list.envelope.open);
  const { separator } = list.format;
  const pacer = new Pacer();
  for (let i = 0; i < list.entries.length && !writer.abandoned; i++) {
    if (i > 0 && !writer.tryPut(separator)) await writer.put(separator);
    if (!tryElement(writer, list, i)) await putElement(writer, list, i);
    if (pacer.due()) await pacer.rest();
  }
  if (!writer.tryPut(list.envelope.close)) await writer.put(list.envelope.close);
  const short = writer.streaming ? undefined : writer.unsent();
  await writer.close();
  if (short === undefined) exchange.reply.end();
  else await sendBytes(exchange, 200, headers, short);
}

/** The way of nearly every element: stored bytes, and room for them. */
function tryElement(writer: PieceWriter, list: ListAnswer, index: number): boolean {
  if (list.format.element !== undefined) return false;
  const element = list.form.element(list.entries[index] as StoredEntry);
  return writer.tryPut(element.bytes, element.start, element.prefix);
}

async function putElement(writer: PieceWriter, list: ListAnswer, index: number): Promise<void> {
  const { prefix, bytes, start } = list.form.element(list.entries[index] as StoredEntry);
  if (list.format.element === undefined) {
    if (prefix !== undefined) await writer.put(prefix);
    await writer.put(bytes, start);
    return;
  }
  const whole = prefix === undefined ? bytes.subarray(start) : Buffer.concat([prefix, bytes.subarray(start)]);
  await writer.put(list.format.element(whole));
}

/** The `metadata` of a list. */
export function listMetadata(page: ListPage): JsonObject {
  return {
    ...(page.revision === ZERO_REVISION ? {} : { resourceVersion: String(page.revision) }),
    ...(page.continueToken === undefined ? {} : { continue: page.continueToken }),
    ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
  };
}
