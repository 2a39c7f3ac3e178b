import { pathNotFoundError } from '../../errors/status-errors.ts';
import type { VerbHandler, VerbRequest } from '../../verbs/result.ts';
import { deprecationWarnings } from '../deprecation.ts';
import { findRoute, type FindResource, type Route } from '../dispatch.ts';
import type { Exchange } from '../exchange.ts';
import type { Delivery, Negotiator } from '../negotiate/negotiator.ts';
import type { Endpoint } from '../pipeline.ts';
import type { Relay } from '../relay/relay.ts';
import type { ServeStream } from '../relay/streams.ts';
import type { ServeText } from '../relay/text.ts';
import { answerStyle, type AnswerStyle, type Responder } from '../respond/responder.ts';
import type { WatchServer } from '../watch/server.ts';

export interface ResourceEndpointParts {
  readonly find: FindResource;
  /** By the interface's verb. */
  readonly verbs: Readonly<Record<string, VerbHandler>>;
  readonly negotiator: Negotiator;
  readonly responder: Responder;
  readonly watches: WatchServer;
  /** Passes on what other servers answer; absent: nothing is. */
  readonly relay?: Relay;
  readonly serveText?: ServeText;
  readonly serveStream?: ServeStream;
  /** The release that is served, `major.minor`. */
  readonly release: string;
  /** Told of each request once its route is known. */
  readonly onRoute?: (exchange: Exchange, route: Route) => void;
}

/** Answers requests for resources: finds the route, settles the answer's encoding, runs the verb, responds. */
export function resourceEndpoint(parts: ResourceEndpointParts): Endpoint {
  const { find, verbs, negotiator, responder, watches, relay, serveText, serveStream, onRoute } = parts;
  const warningOf = deprecationWarnings(parts.release);

  function styleOf(exchange: Exchange, verb: string, delivery: Delivery): AnswerStyle {
    return answerStyle(exchange, verb, negotiator.forResource(exchange.source.headers.accept, delivery));
  }

  return async function serveResource(exchange) {
    const route = findRoute(exchange.info, find);
    onRoute?.(exchange, route);
    const { verb, resource } = route;
    const warning = warningOf(resource);
    if (warning !== undefined) exchange.warn(warning);
    const watching = verb === 'watch';
    // What forms a watch has depends on what it asks for: the verb looks at that first. What another server answers has
    // the form that it gives it. A document's style is settled before its verb runs, so that nothing is written and then
    // not answered.
    if (watching) negotiator.requireProduced(exchange.source.headers.accept);
    const asDocument = resource.storage === undefined && verb === 'create' ? 'review' : 'document';
    const later = watching || verb === 'connect' || route.subresource?.text === true;
    const style = later ? undefined : styleOf(exchange, verb, asDocument);
    const handler = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (handler === undefined) throw pathNotFoundError();
    const result = await handler(verbRequest(exchange, route));
    if (exchange.reply.closed) return;
    if (result.kind === 'watch') {
      const delivery = result.initialEventsBookmark ? 'watchList' : 'watch';
      await watches.serve(exchange, styleOf(exchange, verb, delivery), result);
    } else if (result.kind === 'relay') {
      if (relay === undefined) throw pathNotFoundError();
      await relay(exchange, result);
    } else if (result.kind === 'text') {
      if (serveText === undefined) throw pathNotFoundError();
      await serveText(exchange, result);
    } else if (result.kind === 'stream') {
      if (serveStream === undefined) throw pathNotFoundError();
      await serveStream(exchange, result);
    } else await responder.respond(exchange, style ?? styleOf(exchange, verb, asDocument), result);
  };
}

function verbRequest(context: Exchange, route: Route): VerbRequest {
  const { resource, subresource, namespace, name } = route;
  return subresource === undefined
    ? { context, resource, namespace, name }
    : { context, resource, subresource, namespace, name };
}
