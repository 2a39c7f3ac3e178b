import { isDeprecated } from '../../http/deprecation.ts';
import type { Route } from '../../http/dispatch.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { GatewayObserver } from '../../http/gateway.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import type { Metrics } from '../../telemetry/metrics/metrics.ts';
import type { Counter } from '../../telemetry/metrics/series.ts';
import { RequestFamilies, type RequestSeries } from './request-series.ts';

/** What the verbs of the interface are called in metrics. */
const VERB_NAMES: Readonly<Record<string, string>> = {
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
  connect: 'CONNECT',
};

/** Answers by which the server keeps itself from harm. */
const PROTECTIVE: ReadonlySet<number> = new Set([429, 503, 504]);
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Paths that are told apart, by their first segment; what else clients ask for counts together. */
const KNOWN_PATHS: ReadonlySet<string> = new Set(
  ['api', 'apis', 'healthz', 'livez', 'readyz', 'metrics', 'openapi', 'version'].map((path) => `/${path}`),
);

export interface RequestObserverOptions {
  readonly metrics: Metrics;
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
  /** Release that is served: versions deprecated by then are told. */
  readonly release: string;
}

/**
 * Counts requests by what they ask for, how they end and how long they take. What a kind of request counts in is looked
 * up once and kept.
 */
export function requestObserver(options: RequestObserverOptions): GatewayObserver {
  const counter = new RequestCounter(options);
  const streams = {
    translated: options.metrics.counter('apiserver_stream_translator_requests_total'),
    tunnelled: options.metrics.counter('apiserver_stream_tunnel_requests_total'),
  };
  return {
    onRequest: (exchange) => exchange.atEnd(counter.ended),
    onRoute: (exchange, route) => counter.routed(exchange, route),
    onEvents: (encoder, count) => counter.events(encoder.resource, count),
    onStream: (how, code) => streams[how].with({ code: String(code) }).inc(),
  };
}

class RequestCounter {
  readonly #options: RequestObserverOptions;
  readonly #families: RequestFamilies;
  /** By resource, then by the rest of the labels. */
  readonly #byResource = new Map<ResourceDefinition, Map<string, RequestSeries>>();
  readonly #byPath = new Map<string, RequestSeries>();
  readonly #events = new Map<ResourceDefinition, Counter>();
  /** Requests whose resource has been found, until they end. */
  readonly #running = new Map<Exchange, RequestSeries>();

  constructor(options: RequestObserverOptions) {
    this.#options = options;
    this.#families = new RequestFamilies(options.metrics);
  }

  routed(exchange: Exchange, route: Route): void {
    const series = this.#seriesOf(exchange, route);
    this.#running.set(exchange, series);
    series.longRunning?.inc();
    series.inFlight?.inc();
  }

  /** The answer is complete, or nobody wants it any more. */
  readonly ended = (exchange: Exchange): void => {
    const routed = this.#running.get(exchange);
    this.#running.delete(exchange);
    routed?.longRunning?.dec();
    routed?.inFlight?.dec();
    const series = routed ?? this.#unroutedSeries(exchange);
    if (!exchange.reply.ended) series.aborts?.inc();
    const { status } = exchange;
    if (status === 0) return; // the client left before there was an answer
    series.total(status).inc();
    if (PROTECTIVE.has(status)) series.terminations(status).inc();
    const seconds = (this.#options.now() - exchange.startedAt) / 1000;
    series.duration.observe(seconds);
    series.sli.observe(seconds);
    series.size?.observe(exchange.sentBytes);
    const length = series.bodySize && exchange.source.headers['content-length'];
    if (length !== undefined) series.bodySize?.observe(Number(length));
  };

  events(resource: ResourceDefinition, count: number): void {
    let counter = this.#events.get(resource);
    if (counter === undefined) {
      const { group, version, kind } = resource;
      counter = this.#families.events.with({ group, version, kind });
      this.#events.set(resource, counter);
    }
    counter.inc(count);
  }

  #seriesOf(exchange: Exchange, route: Route): RequestSeries {
    const { resource, subresource, verb } = route;
    const scope = scopeOf(route);
    const dryRun = dryRunOf(exchange);
    const name = isApply(exchange, verb) ? 'APPLY' : (VERB_NAMES[verb] ?? 'OTHER');
    const key = `${name} ${subresource?.name ?? ''} ${scope} ${dryRun}`;
    let kinds = this.#byResource.get(resource);
    if (kinds === undefined) {
      kinds = new Map<string, RequestSeries>();
      this.#byResource.set(resource, kinds);
    }
    let series = kinds.get(key);
    if (series === undefined) {
      series = this.#families.make(verb, dryRun, {
        group: resource.group,
        version: resource.version,
        resource: resource.resource,
        subresource: subresource?.name ?? '',
        scope,
        verb: name,
      });
      kinds.set(key, series);
      this.#tellDeprecated(route);
    }
    return series;
  }

  /** Of requests that were refused before their resource was looked for, and of paths that are no resource's. */
  #unroutedSeries(exchange: Exchange): RequestSeries {
    const { method, url } = exchange.source;
    const verb = METHODS.has(method) ? method.replace('HEAD', 'GET') : 'OTHER';
    const first = /^\/[a-z]*/.exec(url)?.[0] ?? '';
    const path = KNOWN_PATHS.has(first) ? first : '';
    const key = `${verb} ${path}`;
    let series = this.#byPath.get(key);
    if (series === undefined) {
      const labels = { group: '', version: '', resource: '', subresource: path, scope: '', verb };
      series = this.#families.make('', '', labels);
      this.#byPath.set(key, series);
    }
    return series;
  }

  #tellDeprecated({ resource, subresource }: Route): void {
    if (!isDeprecated(resource.lifecycle, this.#options.release)) return;
    this.#families.deprecated
      .with({
        group: resource.group,
        version: resource.version,
        resource: resource.resource,
        subresource: subresource?.name ?? '',
        removed_release: resource.lifecycle.removed ?? '',
      })
      .set(1);
  }
}

function scopeOf({ verb, name, namespace }: Route): string {
  if (name !== '' || verb === 'create') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}

function dryRunOf(exchange: Exchange): string {
  const value = exchange.queryValue('dryRun') ?? '';
  return value === '' || value === 'All' ? value : 'invalid';
}

function isApply(exchange: Exchange, verb: string): boolean {
  return verb === 'patch' && (exchange.source.headers['content-type']?.includes('apply-patch') ?? false);
}
