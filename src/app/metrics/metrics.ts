import type { MetricsSource } from '../../http/endpoints/metrics.ts';
import type { HealthObserver } from '../../http/endpoints/health.ts';
import type { GatewayObserver } from '../../http/gateway.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ProfileName } from '../../names/profile.ts';
import type { Storage } from '../../storage/port.ts';
import type { RunningObjectStore } from '../../store/create.ts';
import type { StoreObserver } from '../../store/observer.ts';
import type { MetricCatalogue } from '../../telemetry/metrics/catalogue.ts';
import { Metrics } from '../../telemetry/metrics/metrics.ts';
import { processMetrics } from '../../telemetry/metrics/process.ts';
import { readBuilt } from '../options/built.ts';
import type { CompletedConfig } from '../options/complete.ts';
import { RELEASE, type BuildVersion } from '../version.ts';
import { requestObserver } from './requests.ts';
import { storeObserver } from './store.ts';

/** What the parts of the server tell of themselves, and the exposition of it all. */
export interface ServerMetrics {
  readonly source: MetricsSource;
  readonly gateway: GatewayObserver;
  readonly store: StoreObserver;
  readonly health: HealthObserver;
  /** Adds what is read off the store at each scrape. */
  watchStore(store: RunningObjectStore, storage: Storage): void;
}

export interface MetricsParts {
  readonly profile: ProfileName;
  readonly config: CompletedConfig;
  readonly version: BuildVersion;
  readonly clock: Clock;
}

/** The metrics of one server. */
export function createMetrics({ profile, config, version, clock }: MetricsParts): ServerMetrics {
  const metrics = new Metrics({
    catalogue: readBuilt(profile, 'metrics') as MetricCatalogue,
    disabled: config.disabledMetrics,
    now: () => clock.monotonic(),
    others: processMetrics(),
  });
  metrics
    .gauge('kubernetes_build_info')
    .with({
      build_date: version.buildDate,
      compiler: 'v8',
      git_commit: version.gitCommit,
      git_tree_state: 'clean',
      git_version: version.gitVersion,
      go_version: process.version,
      major: RELEASE.major,
      minor: RELEASE.minor,
      platform: `${process.platform}/${process.arch}`,
    })
    .set(1);
  const enabled = metrics.gauge('kubernetes_feature_enabled');
  for (const gate of config.gates.all()) {
    // General availability has no name in this metric.
    const stage = gate.stage === 'ga' ? '' : gate.stage.toUpperCase();
    enabled.with({ name: gate.name, stage }).set(gate.enabled ? 1 : 0);
  }
  return {
    source: { text: () => metrics.text(), contentType: metrics.contentType },
    gateway: requestObserver(metrics, clock),
    store: storeObserver(metrics),
    health: { onCheck: countChecks(metrics) },
    watchStore: (store, storage) => watchStore(metrics, store, storage),
  };
}

function countChecks(metrics: Metrics): NonNullable<HealthObserver['onCheck']> {
  const state = metrics.gauge('kubernetes_healthcheck');
  const totals = metrics.counter('kubernetes_healthchecks_total');
  return (type, name, healthy) => {
    state.with({ name, type }).set(healthy ? 1 : 0);
    totals.with({ name, type, status: healthy ? 'success' : 'error' }).inc();
  };
}

function watchStore(metrics: Metrics, store: RunningObjectStore, storage: Storage): void {
  const objects = metrics.gauge('apiserver_storage_objects');
  const size = metrics.gauge('apiserver_storage_size_bytes');
  metrics.onScrape(async () => {
    for (const { resource, objects: count } of store.statistics()) {
      if (count !== undefined) objects.with({ resource }).set(count);
    }
    const status = await storage.status().catch(() => undefined);
    if (status !== undefined) size.with({ storage_cluster_id: status.clusterId }).set(status.sizeBytes);
  });
}
