import { exactJson } from '../../lib/exact-json.ts';
import { badRequestError } from '../../errors/status-errors.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import type { ListPage } from '../../store/object-store.ts';
import type { VerbResult } from '../../verbs/result.ts';
import type { Exchange } from '../exchange.ts';
import { compactJson, prettyJson, yaml, type Format } from '../format/format.ts';
import { notAcceptable, type Negotiated } from '../negotiate/negotiator.ts';
import { wantsPretty } from '../negotiate/pretty.ts';
import { formFor, type Form, type FormSources, type IncludeObject, type Item } from './forms.ts';
import { sendBytes } from './bytes.ts';
import { sendDocument } from './document.ts';
import { listMetadata, writeList } from './list.ts';
import type { PiecePool } from './piece-writer.ts';

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
  if (kind !== undefined && kind !== 'Table') {
    const wantsList = kind === 'PartialObjectMetadataList';
    const answersList = LIST_VERBS.has(verb);
    if (wantsList !== answersList) throw notAcceptable([negotiated.serializer]);
  }
  return {
    negotiated,
    format: formatOf(exchange, negotiated),
    include: kind === 'Table' ? includeObject(exchange.queryValue('includeObject')) : 'Metadata',
  };
}

/** The format of documents that have no other forms. */
export function formatOf(exchange: Exchange, negotiated: Negotiated): Format {
  if (negotiated.serializer.format === 'yaml') return yaml;
  return negotiated.pretty || wantsPretty(exchange) ? prettyJson : compactJson;
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
  readonly #pool: PiecePool;

  constructor(sources: FormSources, pool: PiecePool) {
    this.#sources = sources;
    this.#pool = pool;
  }

  respond(
    exchange: Exchange,
    style: AnswerStyle,
    result: Exclude<VerbResult, { kind: 'watch' }>,
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
          mediaType: style.negotiated.serializer.mediaType,
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
    return sendDocument(exchange, {
      status: result.status,
      mediaType: style.negotiated.serializer.mediaType,
      format: style.format,
      json: this.#form(style, result.resource).single(item),
    });
  }

  #list(
    exchange: Exchange,
    style: AnswerStyle,
    resource: ResourceDefinition,
    page: ListPage,
  ): Promise<void> | void {
    const form = this.#form(style, resource);
    const envelope = style.format.envelope(form.listFields(listMetadata(page)), form.array);
    const { mediaType } = style.negotiated.serializer;
    if (page.selectedNone && form.array === 'items') {
      // The reference's answer where a selector leaves nothing of a collection that isn't empty.
      const json = Buffer.from(exactJson({ ...form.listFields(listMetadata(page)), items: null }));
      return sendDocument(exchange, { status: 200, mediaType, format: style.format, json });
    }
    if (page.entries.length === 0)
      return sendBytes(exchange, 200, { 'content-type': mediaType }, envelope.empty);
    return writeList(
      exchange,
      { entries: page.entries, form, envelope, format: style.format, mediaType },
      this.#pool,
    );
  }

  #form(style: AnswerStyle, resource: ResourceDefinition): Form {
    return formFor(
      resource,
      {
        include: style.include,
        ...(style.negotiated.transform === undefined ? {} : { transform: style.negotiated.transform }),
      },
      this.#sources,
    );
  }
}
