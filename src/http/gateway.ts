import type { AddressInfo } from 'node:net';
import type { Clock } from '../lib/clock.ts';
import { CoarseTimer } from '../lib/coarse-timer.ts';
import type { UserInfo } from '../request/context.ts';
import type { VerbHandler } from '../verbs/result.ts';
import type { FindResource, Route } from './dispatch.ts';
import { resourceEndpoint, type ResourceEndpointParts } from './endpoints/resources.ts';
import { router, type PathEndpoints } from './endpoints/router.ts';
import { ErrorRenderer, type FaultLog } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { auditId } from './filters/audit-id.ts';
import { authentication, type Authenticate } from './filters/authentication.ts';
import { authorization, type AuthorizationParts, type DecisionNames } from './filters/authorization.ts';
import { impersonation, type ReadImpersonation } from './filters/impersonation.ts';
import { deadline } from './filters/deadline.ts';
import { requestInfo } from './filters/request-info.ts';
import { draining, goAway } from './filters/retirement.ts';
import type { ConnectionLimits } from './limits.ts';
import { Lifecycle, type ShutdownOptions } from './lifecycle.ts';
import type { Encoding } from './negotiate/encodings.ts';
import { Negotiator } from './negotiate/negotiator.ts';
import type { Filter } from './pipeline.ts';
import { ConnectionSet } from './relay/connection-set.ts';
import { createRelay } from './relay/relay.ts';
import { StreamServer, type StreamObserver, type StreamParts, type StreamTools } from './relay/streams.ts';
import { createTextServer } from './relay/text.ts';
import type { FormSources } from './respond/forms.ts';
import { compress, neverCompress } from './respond/compress.ts';
import { PiecePool } from './respond/piece-writer.ts';
import { Responder } from './respond/responder.ts';
import { createServe, type Serve } from './serve.ts';
import { Listener } from './server/listener.ts';
import type { TlsOptions } from './server/tls-server.ts';
import type { BookmarkNames } from './watch/bookmarks.ts';
import { FlushScheduler } from './watch/flush-scheduler.ts';
import type { FrameEncoder } from './watch/frames.ts';
import { WatchServer } from './watch/server.ts';
import { WebSocketAcceptor } from './websocket/acceptor.ts';

/** What a gateway is made of; `app/` gives it. */
export interface GatewayOptions {
  readonly clock: Clock;
  /** A new audit ID. */
  newId(): string;
  /** In [0, 1). */
  random(): number;
  readonly log: FaultLog;
  readonly tls: TlsOptions;
  /** Where they differ from {@link CONNECTION_LIMITS}. */
  readonly limits?: Partial<ConnectionLimits>;
  readonly names: BookmarkNames & {
    /** The group of Table and PartialObjectMetadata. */
    readonly metaGroup: string;
    /** What the name of a WebSocket's protocol that carries a bearer token begins with. */
    readonly tokenProtocolPrefix: string;
    /** Annotations of the audit. */
    readonly audit: DecisionNames & { readonly method: string };
  };
  readonly authenticate: Authenticate;
  /** By which method a user was authenticated. */
  readonly methodOf?: (user: UserInfo) => string | undefined;
  /** How requests say that they are another user's; absent: they can't be. */
  readonly impersonate?: ReadImpersonation;
  readonly access: AuthorizationParts;
  readonly filters?: FurtherFilters;
  readonly find: FindResource;
  /** The release that is served, `major.minor`. */
  readonly release: string;
  servesGroup(group: string): boolean;
  /** By the interface's verb: get, list, watch, create, update, patch, delete, deletecollection. */
  readonly verbs: Readonly<Record<string, VerbHandler>>;
  readonly forms: Omit<FormSources, 'metaGroup'>;
  /** How requests are passed on to other servers; absent: none is. */
  readonly relay?: StreamParts;
  /** What answers can be encoded as, the default first; JSON and YAML by default. */
  readonly encodings?: readonly Encoding[];
  /** Endpoints that are no resources: documents, health, metrics. */
  paths(parts: PathParts): PathEndpoints;
  readonly observer?: GatewayObserver;
  /** Whether long answers are compressed for clients that take it; by default they are. */
  readonly compresses?: boolean;
  /** Of requests that aren't long-running; the upper bound of `?timeout=`. */
  readonly requestTimeoutMs: number;
  readonly shutdown: ShutdownOptions;
  /** The chance that a request sends its HTTP/2 connection away, 0 to 0.02. */
  readonly goAwayChance: number;
}

/** Steps that other parts of the server add to every request's way. */
export interface FurtherFilters {
  /** The request is read, its user isn't known: audit opens. */
  readonly beforeAuthentication?: readonly Filter[];
  /** The user is known, what it may do isn't: audit level, impersonation, flow control. */
  readonly beforeAuthorization?: readonly Filter[];
}

/** What endpoints may use of the gateway. */
export interface PathParts {
  readonly negotiator: Negotiator;
  /** Whether the shutdown has begun. */
  readonly shuttingDown: () => boolean;
}

/** Told what happens, for metrics. What must wait for the answer's end is left with {@link Exchange.atEnd}. */
export interface GatewayObserver {
  readonly onRequest?: (exchange: Exchange) => void;
  readonly onRoute?: (exchange: Exchange, route: Route) => void;
  /** Events were handed to a watch. */
  readonly onEvents?: (encoder: FrameEncoder, count: number) => void;
  /** A WebSocket to a node agent was translated, or carried SPDY itself: how that ended, or began. */
  readonly onStream?: StreamObserver;
}

/** The HTTP side of the server. */
export interface Gateway {
  /** Starts to accept connections. @throws when the address can't be had. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /** Serves a request of another transport than the gateway's own port. */
  readonly serve: Serve;
  /** Stops as {@link Lifecycle} says. Resolves when every connection is closed. */
  shutdown(): Promise<void>;
  /** Stops at once, whatever is under way: for a server that could not start. Resolves when every connection is closed. */
  abort(): Promise<void>;
  /** Uses another certificate for new connections. */
  setCertificate(tls: Partial<Pick<TlsOptions, 'cert' | 'key' | 'clientCa'>>): void;
  readonly connections: number;
  readonly watches: number;
}

/** Puts a gateway together. */
export function createGateway(options: GatewayOptions): Gateway {
  const { clock } = options;
  const timer = new CoarseTimer(clock);
  const now = (): number => clock.monotonic();
  const pool = new PiecePool();
  const sources: FormSources = { ...options.forms, metaGroup: options.names.metaGroup };
  const negotiator = new Negotiator(options.names.metaGroup, options.encodings);
  const errors = new ErrorRenderer(negotiator, options.log);
  const scheduler = new FlushScheduler(clock);
  const watches = new WatchServer({
    sources,
    names: options.names,
    timer,
    tools: { scheduler, pool, now, ...pick(options.observer, 'onEvents') },
    webSockets: new WebSocketAcceptor(options.names.tokenProtocolPrefix),
  });
  const connections = new ConnectionSet();
  const lifecycle = new Lifecycle(options.shutdown, clock, {
    endStreams() {
      watches.endAll();
      connections.endAll();
    },
    stopListening: () => listener?.stop() ?? Promise.resolve(),
    cutConnections: () => listener?.destroy(),
  });
  const serve = createServe({
    clock,
    errors,
    filters: filtersOf(options, { timer, errors, lifecycle }),
    endpoint: router({
      servesGroup: (group) => options.servesGroup(group),
      paths: options.paths({ negotiator, shuttingDown: () => lifecycle.shuttingDown }),
      resources: resourceEndpoint({
        find: options.find,
        release: options.release,
        verbs: options.verbs,
        negotiator,
        responder: new Responder(sources, pool, options.compresses === false ? neverCompress : compress),
        watches,
        ...(options.relay === undefined
          ? {}
          : passingOn(options.relay, { clock, connections, ...pick(options.observer, 'onStream') })),
        ...pick(options.observer, 'onRoute'),
      }),
    }),
  });
  // Made when it is needed: what comes another way needs no TLS.
  let listener: Listener | undefined;
  return {
    serve,
    listen: (port, host) => (listener = new Listener(options, serve)).listen(port, host),
    shutdown: () => lifecycle.shutdown(),
    abort() {
      const closed = listener?.stop();
      listener?.destroy();
      return closed ?? Promise.resolve();
    },
    setCertificate: (tls) => listener?.setCertificate(tls),
    get connections() {
      return listener?.connections ?? 0;
    },
    get watches() {
      return watches.size;
    },
  };
}

/** The way of every request, in the order of execution. */
function filtersOf(
  options: GatewayOptions,
  parts: { timer: CoarseTimer; errors: ErrorRenderer; lifecycle: Lifecycle },
): Filter[] {
  const { filters = {}, observer } = options;
  return [
    auditId(() => options.newId()),
    ...(observer?.onRequest === undefined ? [] : [observation(observer.onRequest)]),
    draining(() => parts.lifecycle.intake()),
    ...(options.goAwayChance > 0 ? [goAway(options.goAwayChance, () => options.random())] : []),
    requestInfo,
    deadline({
      timer: parts.timer,
      maxMs: options.requestTimeoutMs,
      render: (exchange, error) => parts.errors.render(exchange, error),
    }),
    ...(filters.beforeAuthentication ?? []),
    authentication(
      options.authenticate,
      { tokenPrefix: options.names.tokenProtocolPrefix, method: options.names.audit.method },
      options.methodOf,
    ),
    ...(filters.beforeAuthorization ?? []),
    ...(options.impersonate === undefined ? [] : [impersonation(options.impersonate, options.access)]),
    authorization(options.access, options.names.audit),
  ];
}

/** How requests are answered that are passed on to other servers. */
function passingOn(
  parts: StreamParts,
  tools: StreamTools,
): Pick<ResourceEndpointParts, 'relay' | 'serveText' | 'serveStream'> {
  const streams = new StreamServer(parts, tools);
  return {
    relay: createRelay(parts, tools.connections),
    serveText: createTextServer(parts),
    serveStream: (exchange, result) => streams.serve(exchange, result),
  };
}

function observation(onRequest: (exchange: Exchange) => void): Filter {
  return { name: 'observation', run: onRequest };
}

/** One optional property of an object, left out where it is absent. */
function pick<T extends object, K extends keyof T>(from: T | undefined, key: K): Partial<Pick<T, K>> {
  return from?.[key] === undefined ? {} : ({ [key]: from[key] } as unknown as Pick<T, K>);
}
