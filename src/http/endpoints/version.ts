import { indentJson } from '../format/indent-json.ts';
import { notAcceptable } from '../negotiate/negotiator.ts';
import { mediaTypesOf } from '../negotiate/accept.ts';
import { methodRefused } from '../dispatch.ts';
import type { Exchange } from '../exchange.ts';
import type { VersionInfo } from '../../meta/version-info.ts';
import type { Endpoint } from '../pipeline.ts';
import { sendBytes } from '../respond/bytes.ts';
import { nothingBelow, type PathEndpoints } from './router.ts';

const JSON_ONLY = [{ mediaType: 'application/json' }];

/** `/version`: JSON for people, a GET only. */
export function versionEndpoints(version: VersionInfo): Pick<PathEndpoints, 'exact' | 'below'> {
  const body = indentJson(Buffer.from(JSON.stringify(version)));
  const serve: Endpoint = (exchange) => {
    requireGet(exchange);
    requireJson(exchange);
    return sendBytes(exchange, 200, { 'content-type': 'application/json' }, body);
  };
  return {
    exact: new Map([
      ['/version', serve],
      ['/version/', serve],
    ]),
    below: [['/version/', nothingBelow]],
  };
}

/** @throws ApiError 405. */
export function requireGet(exchange: Exchange): void {
  if (exchange.source.method !== 'GET') throw methodRefused();
}

function requireJson(exchange: Exchange): void {
  const { accept } = exchange.source.headers;
  if (accept === undefined || accept === '') return;
  const fits = mediaTypesOf(accept).some((type) => type === '*/*' || type === 'application/json');
  if (!fits) throw notAcceptable(JSON_ONLY, true);
}
