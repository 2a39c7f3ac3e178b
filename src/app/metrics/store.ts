import type { StorageStatus } from '../../storage/port.ts';
import type { ResourceStatistics, StoreObserver } from '../../store/observer.ts';
import type { Family } from '../../telemetry/metrics/family.ts';
import type { Metrics } from '../../telemetry/metrics/metrics.ts';
import type { Series } from '../../telemetry/metrics/series.ts';

/** Counts what the store does and asks its storage for. */
export function storeObserver(metrics: Metrics): StoreObserver {
  const requests = metrics.counter('etcd_requests_total');
  const errors = metrics.counter('etcd_request_errors_total');
  const durations = metrics.histogram('etcd_request_duration_seconds');
  const request = kept((operation, type) => ({
    total: requests.with({ operation, type }),
    duration: durations.with({ operation, type }),
  }));
  const received = byResource(metrics.counter('apiserver_watch_cache_events_received_total'));
  const fromStorage = byResource(metrics.counter('apiserver_storage_events_received_total'));
  const loads = byResource(metrics.counter('apiserver_watch_cache_initializations_total'));
  const loaded = byResource(metrics.counter('apiserver_init_events_total'));
  const waits = byResource(metrics.histogram('apiserver_watch_cache_read_wait_seconds'));
  const unreadable = byResource(metrics.counter('apiserver_storage_decode_errors_total'));
  const consistent = metrics.counter('apiserver_watch_cache_consistent_read_total');
  const reads = kept((resource, fromCache) =>
    consistent.with({ resource, success: 'true', fallback: String(fromCache !== 'true') }),
  );
  return {
    storageRequest(operation, resource, seconds, error) {
      const { total, duration } = request(operation, resource);
      total.inc();
      duration.observe(seconds);
      if (error !== undefined) errors.with({ operation, type: resource }).inc();
    },
    initialized(resource, objects) {
      loads(resource).inc();
      loaded(resource).inc(objects);
    },
    eventsReceived(resource, count) {
      received(resource).inc(count);
      fromStorage(resource).inc(count);
    },
    consistentRead: (resource, fromCache) => reads(resource, String(fromCache)).inc(),
    readWaited: (resource, seconds) => waits(resource).observe(seconds),
    unreadable: (key) => unreadable(key.split('/')[2] ?? '').inc(),
  };
}

export interface StoreGaugeSources {
  readonly statistics: () => readonly ResourceStatistics[];
  /** Rejects when the store can't be reached. */
  readonly status: () => Promise<StorageStatus>;
}

/** Shows how much there is in the store and its caches, as of each scrape. */
export function storeGauges(metrics: Metrics, { statistics, status }: StoreGaugeSources): void {
  const objects = metrics.gauge('apiserver_storage_objects');
  const size = metrics.gauge('apiserver_storage_size_bytes');
  const revisions = metrics.gauge('apiserver_watch_cache_resource_version');
  const capacity = metrics.gauge('watch_cache_capacity');
  metrics.onScrape(async () => {
    for (const gauge of [objects, revisions, capacity, size]) gauge.clear();
    for (const { resource, revision, history, objects: count } of statistics()) {
      if (count !== undefined) objects.with({ resource }).set(count);
      revisions.with({ resource }).set(revision);
      capacity.with({ resource }).set(history.changes);
    }
    // A store that can't be reached has no size; the health checks tell.
    const state = await status().catch(() => undefined);
    if (state !== undefined) size.with({ storage_cluster_id: state.clusterId }).set(state.sizeBytes);
  });
}

function byResource<S extends Series>(family: Family<S>): (resource: string) => S {
  const make = kept((resource) => family.with({ resource }));
  return (resource) => make(resource, '');
}

/** A function's results by its arguments, kept. */
function kept<T>(make: (first: string, second: string) => T): (first: string, second: string) => T {
  const results = new Map<string, Map<string, T>>();
  return (first, second) => {
    let bySecond = results.get(first);
    if (bySecond === undefined) {
      bySecond = new Map<string, T>();
      results.set(first, bySecond);
    }
    let result = bySecond.get(second);
    if (result === undefined) {
      result = make(first, second);
      bySecond.set(second, result);
    }
    return result;
  };
}
