import { pathNotFoundError } from '../../errors/status-errors.ts';
import { splitPath } from '../../request/parse-request-info.ts';
import type { AggregatedVersion } from '../discovery/aggregated.ts';
import type { DiscoveryDocument, DiscoveryDocuments } from '../discovery/documents.ts';
import type { Exchange } from '../exchange.ts';
import { notAcceptable, type Negotiator } from '../negotiate/negotiator.ts';
import type { Endpoint } from '../pipeline.ts';
import { sendDocument } from '../respond/document.ts';
import { formatOf } from '../respond/responder.ts';
import { notModified } from './etag.ts';
import { unknownPath } from './router.ts';
import { requireGet } from './version.ts';

export interface DiscoveryParts {
  readonly documents: DiscoveryDocuments;
  readonly negotiator: Negotiator;
  /** The group of the aggregated form. */
  readonly discoveryGroup: string;
}

/** `/api`, `/apis` and the documents below them. */
export function discoveryEndpoint({ negotiator, ...others }: DiscoveryParts): Endpoint {
  const roots = negotiator.withOnly(({ roots: has }) => has);
  const parts = { ...others, negotiator: roots };
  const { documents } = parts;
  return function serveDiscovery(exchange) {
    const [root, first = '', second, ...more] = splitPath(exchange.info.path);
    if (more.length > 0) throw pathNotFoundError();
    if (first === '') return serveRoot(exchange, root === 'api' ? 'api' : 'apis', parts);
    const [group, version] = root === 'api' ? ['', first] : [first, second];
    if (root === 'api' && second !== undefined) throw pathNotFoundError();
    if (version === undefined) {
      const document = documents.group(group);
      return document === undefined ? unknownPath(exchange) : servePlain(exchange, document, roots);
    }
    const document = documents.resources(group, version);
    if (document === undefined) throw pathNotFoundError();
    requireGet(exchange);
    negotiator.requireProduced(exchange.source.headers.accept);
    return servePlain(exchange, document, negotiator);
  };
}

function serveRoot(exchange: Exchange, root: 'api' | 'apis', parts: DiscoveryParts): Promise<void> | void {
  const { documents, negotiator, discoveryGroup } = parts;
  if (root === 'api') requireGet(exchange);
  const aggregated = negotiator.named(exchange.source.headers.accept, {
    group: discoveryGroup,
    kind: 'APIGroupDiscoveryList',
    versions: ['v2', 'v2beta1'],
  });
  if (aggregated === undefined) {
    if (root === 'api') negotiator.requireProduced(exchange.source.headers.accept);
    return servePlain(
      exchange,
      root === 'api' ? documents.coreVersions() : documents.groupList(),
      negotiator,
    );
  }
  const { encoding, version } = aggregated;
  const { etag, json } = documents.aggregated(root, version as AggregatedVersion);
  const headers = { 'cache-control': 'public', vary: 'Accept', etag };
  if (notModified(exchange, etag)) {
    exchange.sendHead(304, headers);
    exchange.reply.end();
    return;
  }
  return sendDocument(exchange, {
    status: 200,
    mediaType: `${encoding.mediaType};g=${discoveryGroup};v=${version};as=APIGroupDiscoveryList`,
    format: formatOf(exchange, aggregated),
    json,
    headers,
  });
}

function servePlain(
  exchange: Exchange,
  { json }: DiscoveryDocument,
  negotiator: Negotiator,
): Promise<void> | void {
  const negotiated = negotiator.plain(exchange.source.headers.accept);
  if (negotiated === undefined) throw notAcceptable(negotiator.encodings);
  const { mediaType } = negotiated.encoding;
  return sendDocument(exchange, { status: 200, mediaType, format: formatOf(exchange, negotiated), json });
}
