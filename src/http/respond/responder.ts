import { exactJson } from '../../lib/exact-json.ts';
import { badRequestError } from '../../errors/status-errors.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import type { ListPage } from '../../store/object-store.ts';
import type { VerbResult } from '../../verbs/result.ts';
import type { Exchange } from '../exchange.ts';
import type { Format } from '../format/format.ts';
import { notAcceptable, type Negotiated } from '../negotiate/negotiator.ts';
import { wantsPretty } from '../negotiate/pretty.ts';
import type { ReplyHeaders } from '../reply.ts';
import { sendBytes } from './bytes.ts';
import { neverCompress, type Compress } from './compress.ts';
import { sendDocument } from './document.ts';
import type { Form } from './form.ts';
import { formFor, type FormSources } from './forms.ts';
import { listMetadata, writeList, type ListTools } from './list.ts';
import type { PiecePool } from './piece-writer.ts';
import type { IncludeObject, Item } from './views.ts';

/** How one request's answer is to look, settled before its verb runs so that nothing is written and then refused. */
export interface AnswerStyle {
  readonly negotiated: Negotiated;
  readonly format: Format;
  readonly include: IncludeObject;
}

/** Whether a verb answers with a list. */
const LIST_VERBS = new Set(['list', 'deletecollection']);

/** @throws ApiError 406 for a form that the verb's answer doesn't have, 400 for a bad `includeObject`. */
export function answerStyle(exchange: Exchange, verb: string, negotiated: Negotiated): AnswerStyle {
  const kind = negotiated.transform?.kind;
  // A watch has metadata under either name.
  if (kind !== undefined && kind !== 'Table' && verb !== 'watch') {
    const wantsList = kind === 'PartialObjectMetadataList';
    const answersList = LIST_VERBS.has(verb);
    if (wantsList !== answersList) throw notAcceptable([negotiated.encoding]);
  }
  return {
    negotiated,
    format: formatOf(exchange, negotiated),
    include: kind === 'Table' ? includeObject(exchange.queryValue('includeObject')) : 'Metadata',
  };
}

/** The format of documents that have no other forms. */
export function formatOf(exchange: Exchange, negotiated: Negotiated): Format {
  const { format, pretty } = negotiated.encoding;
  return pretty !== undefined && (negotiated.pretty || wantsPretty(exchange)) ? pretty : format;
}

function includeObject(text: string | null): IncludeObject {
  switch (text) {
    case null:
    case '':
    case 'Metadata':
      return 'Metadata';
    case 'None':
    case 'Object':
      return text;
    default:
      throw badRequestError(`includeObject: "${text}" is none of None, Metadata, Object`);
  }
}

/** Answers what verbs return, watches excepted. */
export class Responder {
  readonly #sources: FormSources;
  readonly #tools: ListTools;

  constructor(sources: FormSources, pool: PiecePool, compress: Compress = neverCompress) {
    this.#sources = sources;
    this.#tools = { pool, compress };
  }

  respond(
    exchange: Exchange,
    style: AnswerStyle,
    result: Exclude<VerbResult, { kind: 'watch' | 'relay' | 'text' | 'stream' }>,
  ): Promise<void> | void {
    switch (result.kind) {
      case 'entry':
        return this.#single(exchange, style, result, { entry: result.entry });
      case 'object':
        return this.#single(exchange, style, result, { object: result.object });
      case 'list':
        return this.#list(exchange, style, result.resource, result.page);
      case 'status':
        return sendDocument(exchange, {
          status: result.status.code ?? 200,
          mediaType: style.negotiated.encoding.mediaType,
          format: style.format,
          json: Buffer.from(exactJson(result.status)),
        });
    }
  }

  #single(
    exchange: Exchange,
    style: AnswerStyle,
    result: { status: number; resource: ResourceDefinition },
    item: Item,
  ): Promise<void> | void {
    const body = this.#form(style, result.resource).single(item);
    this.#tools.compress(exchange, body.length);
    return sendBytes(exchange, result.status, headersOf(style), body);
  }

  async #list(
    exchange: Exchange,
    style: AnswerStyle,
    resource: ResourceDefinition,
    page: ListPage,
  ): Promise<void> {
    const form = this.#form(style, resource);
    const metadata = listMetadata(page);
    if (page.entries.length === 0) {
      const body = form.empty(metadata);
      return sendBytes(exchange, 200, headersOf(style), body);
    }
    const entries = form.order?.(page.entries) ?? page.entries;
    const frame = await form.frame(metadata, entries);
    const { mediaType } = style.negotiated.encoding;
    return writeList(exchange, { entries, form, frame, mediaType }, this.#tools);
  }

  #form({ negotiated, format, include }: AnswerStyle, resource: ResourceDefinition): Form {
    const { transform } = negotiated;
    const choice = { format, include, ...(transform === undefined ? {} : { transform }) };
    return formFor(resource, choice, this.#sources);
  }
}

function headersOf({ negotiated }: AnswerStyle): ReplyHeaders {
  return { 'content-type': negotiated.encoding.mediaType };
}
