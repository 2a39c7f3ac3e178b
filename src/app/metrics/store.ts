import type { StorageOperation, StoreObserver } from '../../store/observer.ts';
import type { Metrics } from '../../telemetry/metrics/metrics.ts';

interface RequestSeries {
  readonly count: { inc(): void };
  readonly seconds: { observe(value: number): void };
  readonly errors: { inc(): void };
}

/** Counts what the store does and asks its storage for. */
export function storeObserver(metrics: Metrics): StoreObserver {
  const requests = metrics.counter('etcd_requests_total');
  const durations = metrics.histogram('etcd_request_duration_seconds');
  const errors = metrics.counter('etcd_request_errors_total');
  const received = metrics.counter('apiserver_watch_cache_events_received_total');
  const initialized = metrics.counter('apiserver_watch_cache_initializations_total');
  const loaded = metrics.counter('apiserver_init_events_total');
  const consistent = metrics.counter('apiserver_watch_cache_consistent_read_total');
  const waits = metrics.histogram('apiserver_watch_cache_read_wait_seconds');
  const series = new Map<string, RequestSeries>();
  const seriesOf = (operation: StorageOperation, type: string): RequestSeries => {
    const key = `${operation} ${type}`;
    let found = series.get(key);
    if (found === undefined) {
      const labels = { operation, type };
      found = { count: requests.with(labels), seconds: durations.with(labels), errors: errors.with(labels) };
      series.set(key, found);
    }
    return found;
  };
  return {
    storageRequest(operation, resource, seconds, error) {
      const of = seriesOf(operation, resource);
      of.count.inc();
      of.seconds.observe(seconds);
      if (error !== undefined) of.errors.inc();
    },
    initialized(resource, objects) {
      initialized.with({ resource }).inc();
      loaded.with({ resource }).inc(objects);
    },
    eventsReceived: (resource, count) => received.with({ resource }).inc(count),
    consistentRead(resource, fromCache) {
      consistent.with({ resource, success: 'true', fallback: fromCache ? 'false' : 'true' }).inc();
    },
    readWaited: (resource, seconds) => waits.with({ resource }).observe(seconds),
  };
}
