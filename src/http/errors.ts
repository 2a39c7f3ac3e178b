import { exactJson } from '../lib/exact-json.ts';
import { ApiError } from '../errors/api-error.ts';
import { internalError } from '../errors/status-errors.ts';
import { prettyJson, type Format } from './format/format.ts';
import type { Exchange } from './exchange.ts';
import type { Negotiator } from './negotiate/negotiator.ts';
import { sendDocument, sendText } from './respond/document.ts';
import { formatOf } from './respond/responder.ts';
import type { ReplyHeaders } from './reply.ts';

/** Told of faults that are ours. */
export type FaultLog = (message: string, details: { auditId: string; error: unknown }) => void;

/** Renders every refusal, and every fault of ours, as a Status or, for a few, as a text: the only place that does. */
export class ErrorRenderer {
  readonly #negotiator: Negotiator;
  readonly #log: FaultLog;

  constructor(negotiator: Negotiator, log: FaultLog) {
    this.#negotiator = negotiator;
    this.#log = log;
  }

  /** Answers with the error; an answer that has begun is cut short instead. */
  render(exchange: Exchange, error: unknown): void {
    const { reply } = exchange;
    if (reply.closed) return;
    const refusal = this.#asRefusal(exchange, error);
    if (reply.started) {
      reply.abort();
      return;
    }
    if (refusal.asText) return sendText(exchange, refusal.code, refusal.message);
    const { mediaType, format } = this.#encoding(exchange);
    const json = Buffer.from(exactJson(refusal.toStatus()));
    void sendDocument(exchange, {
      status: refusal.code,
      mediaType,
      format,
      json,
      headers: headersOf(refusal),
    });
  }

  #asRefusal(exchange: Exchange, error: unknown): ApiError {
    if (error instanceof ApiError) {
      if (error.cause !== undefined && error.code >= 500) this.#report(exchange, error);
      return error;
    }
    this.#report(exchange, error);
    return internalError(
      `an unexpected error; the server's log has it as audit ID ${exchange.auditId}`,
      error,
    );
  }

  #report(exchange: Exchange, error: unknown): void {
    this.#log('request failed', { auditId: exchange.auditId, error });
  }

  /** As the client likes it; JSON for people where it likes nothing that exists. */
  #encoding(exchange: Exchange): { mediaType: string; format: Format } {
    const negotiated = this.#negotiator.plain(exchange.source.headers.accept);
    if (negotiated === undefined) return { mediaType: 'application/json', format: prettyJson };
    return { mediaType: negotiated.encoding.mediaType, format: formatOf(exchange, negotiated) };
  }
}

function headersOf(error: ApiError): ReplyHeaders {
  const headers: ReplyHeaders = {};
  const retryAfter = error.details?.retryAfterSeconds;
  if (retryAfter !== undefined && retryAfter > 0) headers['retry-after'] = retryAfter;
  if (error.reason === 'Forbidden') headers['x-content-type-options'] = 'nosniff';
  return headers;
}
