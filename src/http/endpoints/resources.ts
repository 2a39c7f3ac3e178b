import { pathNotFoundError } from '../../errors/status-errors.ts';
import { flagValue } from '../../request/query-values.ts';
import type { VerbHandler, VerbRequest } from '../../verbs/result.ts';
import { deprecationWarnings } from '../deprecation.ts';
import { findRoute, type FindResource, type Route } from '../dispatch.ts';
import type { Exchange } from '../exchange.ts';
import type { Delivery, Negotiator } from '../negotiate/negotiator.ts';
import type { Endpoint } from '../pipeline.ts';
import { answerStyle, type Responder } from '../respond/responder.ts';
import type { WatchServer } from '../watch/server.ts';

export interface ResourceEndpointParts {
  readonly find: FindResource;
  /** By the interface's verb. */
  readonly verbs: Readonly<Record<string, VerbHandler>>;
  readonly negotiator: Negotiator;
  readonly responder: Responder;
  readonly watches: WatchServer;
  /** The release that is served, `major.minor`. */
  readonly release: string;
  /** Told of each request once its route is known. */
  readonly onRoute?: (exchange: Exchange, route: Route) => void;
}

/** Answers requests for resources: finds the route, settles the answer's encoding, runs the verb, responds. */
export function resourceEndpoint(parts: ResourceEndpointParts): Endpoint {
  const { find, verbs, negotiator, responder, watches, onRoute } = parts;
  const warningOf = deprecationWarnings(parts.release);
  return async function serveResource(exchange) {
    const route = findRoute(exchange.info, find);
    onRoute?.(exchange, route);
    const warning = warningOf(route.resource);
    if (warning !== undefined) exchange.warn(warning);
    const negotiated = negotiator.forResource(exchange.source.headers.accept, deliveryOf(exchange, route));
    const style = answerStyle(exchange, route.verb, negotiated);
    const handler = Object.hasOwn(verbs, route.verb) ? verbs[route.verb] : undefined;
    if (handler === undefined) throw pathNotFoundError();
    const result = await handler(verbRequest(exchange, route));
    if (exchange.reply.closed) return;
    if (result.kind === 'watch') await watches.serve(exchange, style, result);
    else await responder.respond(exchange, style, result);
  };
}

function deliveryOf(exchange: Exchange, { verb }: Route): Delivery {
  if (verb !== 'watch') return 'document';
  const isList = isSet(exchange, 'sendInitialEvents') && isSet(exchange, 'allowWatchBookmarks');
  return isList ? 'watchList' : 'watch';
}

function isSet(exchange: Exchange, flag: string): boolean {
  return flagValue(exchange.queryValue(flag));
}

function verbRequest(context: Exchange, route: Route): VerbRequest {
  const { resource, subresource, namespace, name } = route;
  return subresource === undefined
    ? { context, resource, namespace, name }
    : { context, resource, subresource, namespace, name };
}
