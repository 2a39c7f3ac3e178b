import type { Family } from '../../telemetry/metrics/family.ts';
import type { Metrics } from '../../telemetry/metrics/metrics.ts';
import type { Counter, Gauge, Histogram } from '../../telemetry/metrics/series.ts';

const COMPONENT = 'apiserver';
const CHANGING: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
const LASTING: ReadonlySet<string> = new Set(['watch', 'connect']);

/** What requests of one kind count in. */
export interface RequestSeries {
  /** By status. */
  readonly total: (code: number) => Counter;
  readonly terminations: (code: number) => Counter;
  readonly duration: Histogram;
  readonly sli: Histogram;
  /** Of the answer, for reads. */
  readonly size: Histogram | undefined;
  /** Of the request's body, for writes. */
  readonly bodySize: Histogram | undefined;
  /** For what lasts. */
  readonly longRunning: Gauge | undefined;
  /** For what doesn't. */
  readonly inFlight: Gauge | undefined;
  readonly aborts: Counter | undefined;
}

export type RequestLabels = Readonly<
  Record<'group' | 'version' | 'resource' | 'subresource' | 'scope' | 'verb', string>
>;

/** The metrics of requests. */
export class RequestFamilies {
  readonly events: Family<Counter>;
  readonly deprecated: Family<Gauge>;
  readonly #total: Family<Counter>;
  readonly #terminations: Family<Counter>;
  readonly #aborts: Family<Counter>;
  readonly #duration: Family<Histogram>;
  readonly #sli: Family<Histogram>;
  readonly #size: Family<Histogram>;
  readonly #bodySize: Family<Histogram>;
  readonly #longRunning: Family<Gauge>;
  readonly #reading: Gauge;
  readonly #changing: Gauge;

  constructor(metrics: Metrics) {
    this.events = metrics.counter('apiserver_watch_events_total');
    this.deprecated = metrics.gauge('apiserver_requested_deprecated_apis');
    this.#total = metrics.counter('apiserver_request_total');
    this.#terminations = metrics.counter('apiserver_request_terminations_total');
    this.#aborts = metrics.counter('apiserver_request_aborts_total');
    this.#duration = metrics.histogram('apiserver_request_duration_seconds');
    this.#sli = metrics.histogram('apiserver_request_sli_duration_seconds');
    this.#size = metrics.histogram('apiserver_response_sizes');
    this.#bodySize = metrics.histogram('apiserver_request_body_size_bytes');
    this.#longRunning = metrics.gauge('apiserver_longrunning_requests');
    const inFlight = metrics.gauge('apiserver_current_inflight_requests');
    this.#reading = inFlight.with({ request_kind: 'readOnly' });
    this.#changing = inFlight.with({ request_kind: 'mutating' });
  }

  /**
   * The series of one kind of request.
   *
   * @param verb of the interface; '' for paths that are no resource's.
   */
  make(verb: string, dryRun: string, labels: RequestLabels): RequestSeries {
    const all = { ...labels, component: COMPONENT };
    const lasts = LASTING.has(verb);
    const passes = !lasts && verb !== '';
    const changes = CHANGING.has(verb);
    return {
      total: byCode((code) => this.#total.with({ ...all, dry_run: dryRun, code })),
      terminations: byCode((code) => this.#terminations.with({ ...all, code })),
      duration: this.#duration.with({ ...all, dry_run: dryRun }),
      sli: this.#sli.with(all),
      size: verb === 'get' || verb === 'list' ? this.#size.with(all) : undefined,
      bodySize: changes ? this.#bodySize.with({ resource: labels.resource, verb }) : undefined,
      longRunning: lasts ? this.#longRunning.with(all) : undefined,
      inFlight: passes ? (changes ? this.#changing : this.#reading) : undefined,
      aborts: passes ? this.#aborts.with(labels) : undefined,
    };
  }
}

function byCode(make: (code: string) => Counter): (code: number) => Counter {
  const counters = new Map<number, Counter>();
  return (code) => {
    let counter = counters.get(code);
    if (counter === undefined) {
      counter = make(String(code));
      counters.set(code, counter);
    }
    return counter;
  };
}
