import type { IncomingMessage } from 'node:http';
import { ApiError, type StatusReason } from '../../errors/api-error.ts';
import { internalError } from '../../errors/status-errors.ts';
import { readBounded } from '../../outbound/bounded-body.ts';
import type { TextResult } from '../../verbs/result.ts';
import type { Exchange } from '../exchange.ts';
import { ask, passBody, reasonOf } from './ask.ts';
import type { RelayParts } from './relay.ts';

/** Answers with a text that another server has. */
export type ServeText = (exchange: Exchange, result: TextResult) => Promise<void>;

/** Of what the other server says when it refuses. */
const MAX_REFUSAL_BYTES = 10_000;

/** What refusals of the other server become; others are faults. */
const REASONS: Readonly<Record<number, StatusReason>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** Makes the function that gets texts from other servers, and streams them on as they come. Nothing of the client's request goes there. */
export function createTextServer({ open }: Pick<RelayParts, 'open'>): ServeText {
  return async function serveText(exchange, { text, resource, name }) {
    if (text === undefined) {
      exchange.sendHead(204, {});
      exchange.reply.end();
      return;
    }
    const { backend, path } = text;
    const { signal } = exchange;
    const begin = () => open(backend, { method: 'GET', path, headers: {}, signal });
    const answer = await ask(exchange, begin, { withBody: false, repeatable: true }).catch(
      (error: unknown) => {
        throw internalError(`${backend.host} can not be reached: ${reasonOf(error)}`);
      },
    );
    const { statusCode = 0 } = answer;
    if (statusCode < 200 || statusCode > 206) throw await refusalOf(answer, resource, name);
    exchange.sendHead(200, { 'content-type': 'text/plain' });
    await passBody(exchange, answer);
  };
}

async function refusalOf(answer: IncomingMessage, kind: string, name: string): Promise<ApiError> {
  const { statusCode = 0 } = answer;
  const said = await readBounded(answer, MAX_REFUSAL_BYTES).then(
    (bytes) => bytes.toString('utf8').trim(),
    () => '',
  );
  answer.destroy();
  const reason = REASONS[statusCode];
  if (reason === undefined)
    return internalError(said === '' ? `the node agent answered ${statusCode}` : said);
  const message = said === '' ? `the node agent answered ${statusCode}` : said;
  return new ApiError(reason, message, reason === 'BadRequest' ? {} : { details: { name, kind } });
}
