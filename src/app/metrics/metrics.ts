import { hostname } from 'node:os';
import type { MetricsSource } from '../../http/endpoints/metrics.ts';
import type { HealthObserver } from '../../http/endpoints/health.ts';
import type { Authenticate } from '../../http/filters/authentication.ts';
import type { AuthorizationParts } from '../../http/filters/authorization.ts';
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
import { RELEASE, RELEASE_NAME, type BuildVersion } from '../version.ts';
import { allocationObserver, type AllocationObserver } from './allocation.ts';
import { admissionObservers, type AdmissionObservers } from './admission.ts';
import { authorizationObserver, type AuthorizationObserver } from './authorization.ts';
import { countedAuthentication, countedAuthorization } from './access.ts';
import { authenticationObserver, type AuthenticationObserver } from './authentication.ts';
import { requestObserver } from './requests.ts';
import { storeGauges, storeObserver } from './store.ts';

/** What the parts of the server tell of themselves, and the exposition of it all. */
export interface ServerMetrics {
  readonly source: MetricsSource;
  /** What `/metrics/slis` shows: the health checks. */
  readonly slis: MetricsSource;
  readonly gateway: GatewayObserver;
  readonly store: StoreObserver;
  readonly health: HealthObserver;
  readonly authorizers: AuthorizationObserver;
  readonly allocation: AllocationObserver;
  readonly admission: AdmissionObservers;
  /** Adds what is read off the store at each scrape. */
  watchStore(store: RunningObjectStore, storage: Storage): void;
  readonly methods: AuthenticationObserver;
  /** The same authentication, counted. */
  authentication(authenticate: Authenticate): Authenticate;
  /** The same authorization, counted. */
  authorization(authorize: AuthorizationParts['authorize']): AuthorizationParts['authorize'];
}

export interface MetricsParts {
  readonly profile: ProfileName;
  readonly config: Pick<CompletedConfig, 'disabledMetrics' | 'gates'>;
  readonly version: BuildVersion;
  readonly clock: Clock;
}

const SLIS: ReadonlySet<string> = new Set(['kubernetes_healthcheck', 'kubernetes_healthchecks_total']);

/** The metrics of one server. */
export function createMetrics({ profile, config, version, clock }: MetricsParts): ServerMetrics {
  const now = (): number => clock.monotonic();
  const { disabledMetrics: disabled, gates } = config;
  const catalogue = readBuilt(profile, 'metrics') as MetricCatalogue;
  const metrics = new Metrics({ catalogue, disabled, now, others: processMetrics() });
  describeBuild(metrics, version);
  describeCatalogue(metrics, catalogue, disabled);
  const enabled = metrics.gauge('kubernetes_feature_enabled');
  for (const gate of gates.all()) {
    // General availability has no name in this metric.
    const stage = gate.stage === 'ga' ? '' : gate.stage.toUpperCase();
    enabled.with({ name: gate.name, stage }).set(gate.enabled ? 1 : 0);
  }
  const { contentType } = metrics;
  return {
    source: { text: () => metrics.text(), contentType },
    slis: { text: () => metrics.text(SLIS), contentType },
    gateway: requestObserver({ metrics, now, release: RELEASE_NAME }),
    store: storeObserver(metrics),
    health: { onCheck: countChecks(metrics) },
    authorizers: authorizationObserver(metrics),
    allocation: allocationObserver(metrics),
    admission: admissionObservers(metrics, now, Number(RELEASE.minor)),
    watchStore: (store, storage) =>
      storeGauges(metrics, { statistics: () => store.statistics(), status: () => storage.status() }),
    methods: authenticationObserver({ metrics, serverId: hostname(), now: () => clock.now() }),
    authentication: (authenticate) => countedAuthentication(metrics, now, authenticate),
    authorization: (authorize) => countedAuthorization(metrics, now, authorize),
  };
}

function describeBuild(metrics: Metrics, { gitVersion, gitCommit, buildDate }: BuildVersion): void {
  metrics
    .gauge('kubernetes_build_info')
    .with({
      build_date: buildDate,
      compiler: 'v8',
      git_commit: gitCommit,
      git_tree_state: 'clean',
      git_version: gitVersion,
      // Where users of the interface look for what the server runs on.
      go_version: process.version,
      major: RELEASE.major,
      minor: RELEASE.minor,
      platform: `${process.platform}/${process.arch}`,
    })
    .set(1);
}

function describeCatalogue(metrics: Metrics, catalogue: MetricCatalogue, disabled: readonly string[]): void {
  const registered = metrics.counter('registered_metrics_total');
  for (const { stability } of Object.values(catalogue.metrics)) {
    registered.with({ stability_level: stability.toUpperCase(), deprecated_version: '' }).inc();
  }
  metrics.counter('disabled_metrics_total').with({}).inc(disabled.length);
}

function countChecks(metrics: Metrics): NonNullable<HealthObserver['onCheck']> {
  const state = metrics.gauge('kubernetes_healthcheck');
  const totals = metrics.counter('kubernetes_healthchecks_total');
  return (type, name, healthy) => {
    state.with({ name, type }).set(healthy ? 1 : 0);
    totals.with({ name, type, status: healthy ? 'success' : 'error' }).inc();
  };
}
