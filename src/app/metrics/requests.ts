import type { Exchange } from '../../http/exchange.ts';
import type { GatewayObserver } from '../../http/gateway.ts';
import type { Route } from '../../http/dispatch.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Metrics } from '../../telemetry/metrics/metrics.ts';

/** The labels that all metrics of a request share, without its code. */
interface RequestLabels extends Readonly<Record<string, string>> {
  readonly component: string;
  readonly group: string;
  readonly resource: string;
  readonly scope: string;
  readonly subresource: string;
  readonly verb: string;
  readonly version: string;
}

/** What is counted for one kind of request, resolved once. */
interface RequestSeries {
  readonly labels: RequestLabels & { readonly dry_run: string };
  readonly seconds: { observe(value: number): void };
  readonly sizes: { observe(value: number): void };
  readonly running: { inc(): void; dec(): void } | undefined;
  readonly codes: Map<number, { inc(): void }>;
}

const VERBS: Readonly<Record<string, string>> = {
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETECOLLECTION',
};

/** Counts requests by what they ask for, how they end and how long they take. */
export function requestObserver(metrics: Metrics, clock: Clock): GatewayObserver {
  const totals = metrics.counter('apiserver_request_total');
  const durations = metrics.histogram('apiserver_request_duration_seconds');
  const sizes = metrics.histogram('apiserver_response_sizes');
  const longRunning = metrics.gauge('apiserver_longrunning_requests');
  const inFlight = metrics.gauge('apiserver_current_inflight_requests');
  const reading = inFlight.with({ request_kind: 'readOnly' });
  const mutating = inFlight.with({ request_kind: 'mutating' });
  const events = metrics.counter('apiserver_watch_events_total');
  const series = new Map<string, RequestSeries>();

  const make = (labels: RequestSeries['labels']): RequestSeries => {
    const { dry_run: _, ...plain } = labels;
    return {
      labels,
      seconds: durations.with(labels),
      sizes: sizes.with(plain),
      running: labels.verb === 'WATCH' ? longRunning.with(plain) : undefined,
      codes: new Map(),
    };
  };
  const seriesOf = (labels: RequestSeries['labels']): RequestSeries => {
    const key = Object.values(labels).join('|');
    let found = series.get(key);
    if (found === undefined) series.set(key, (found = make(labels)));
    return found;
  };
  const ended = (exchange: Exchange, of: RequestSeries): void => {
    let code = of.codes.get(exchange.status);
    if (code === undefined) {
      code = totals.with({ ...of.labels, code: String(exchange.status) });
      of.codes.set(exchange.status, code);
    }
    code.inc();
    if (of.running === undefined) of.seconds.observe((clock.monotonic() - exchange.startedAt) / 1000);
    else of.running.dec();
    of.sizes.observe(exchange.sentBytes);
  };
  return {
    onRequest(exchange) {
      const gauge =
        exchange.source.method === 'GET' || exchange.source.method === 'HEAD' ? reading : mutating;
      gauge.inc();
      exchange.atEnd(() => gauge.dec());
    },
    onRoute(exchange, route) {
      const of = seriesOf(labelsOf(exchange, route));
      of.running?.inc();
      exchange.atEnd(() => ended(exchange, of));
    },
    onEvents(encoder, count) {
      const { group, version, kind } = encoder.resource;
      events.with({ group, version, kind }).inc(count);
    },
  };
}

function labelsOf(
  exchange: Exchange,
  { verb, resource, subresource, namespace, name }: Route,
): RequestSeries['labels'] {
  return {
    component: 'apiserver',
    dry_run: exchange.queryHas('dryRun') ? 'All' : '',
    group: resource.group,
    resource: resource.resource,
    scope: name !== '' ? 'resource' : namespace !== '' ? 'namespace' : 'cluster',
    subresource: subresource?.name ?? '',
    verb: VERBS[verb] ?? verb.toUpperCase(),
    version: resource.version,
  };
}
