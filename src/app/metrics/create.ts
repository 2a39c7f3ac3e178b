import type { ProfileName } from '../../names/profile.ts';
import type { HealthObserver } from '../../http/endpoints/health.ts';
import type { MetricCatalogue } from '../../telemetry/metrics/catalogue.ts';
import { Metrics } from '../../telemetry/metrics/metrics.ts';
import { processMetrics } from '../../telemetry/metrics/process.ts';
import { readBuilt } from '../options/built.ts';
import type { FeatureGates, Stage } from '../options/feature-gates.ts';

export interface CreateMetricsOptions {
  readonly profile: ProfileName;
  /** `--disabled-metrics`. */
  readonly disabled: readonly string[];
  readonly gates: FeatureGates;
  readonly build: BuildInfo;
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
}

/** What tells one build from another. */
export interface BuildInfo {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly buildDate: string;
}

/** The metrics of a server, with those that never change set. */
export function createMetrics(options: CreateMetricsOptions): Metrics {
  const { profile, disabled, gates, build, now } = options;
  const catalogue = readBuilt(profile, 'metrics') as MetricCatalogue;
  const metrics = new Metrics({ catalogue, disabled, now, others: processMetrics() });
  describeBuild(metrics, build);
  const features = metrics.gauge('kubernetes_feature_enabled');
  for (const { name, stage, enabled } of gates.all()) {
    features.with({ name, stage: STAGE_LABELS[stage] }).set(enabled ? 1 : 0);
  }
  const registered = metrics.counter('registered_metrics_total');
  for (const { stability } of Object.values(catalogue.metrics)) {
    registered.with({ stability_level: stability.toUpperCase(), deprecated_version: '' }).inc();
  }
  metrics.counter('disabled_metrics_total').with({}).inc(disabled.length);
  return metrics;
}

/** The stable stage has no name. */
const STAGE_LABELS: Readonly<Record<Stage, string>> = {
  alpha: 'ALPHA',
  beta: 'BETA',
  ga: '',
  deprecated: 'DEPRECATED',
};

function describeBuild(metrics: Metrics, build: BuildInfo): void {
  metrics
    .gauge('kubernetes_build_info')
    .with({
      major: build.major,
      minor: build.minor,
      git_version: build.gitVersion,
      git_commit: build.gitCommit,
      git_tree_state: build.gitCommit === '' ? '' : 'clean',
      build_date: build.buildDate,
      // Where the interface's users look for what the server runs on.
      compiler: 'v8',
      go_version: `node ${process.version}`,
      platform: `${process.platform}/${process.arch}`,
    })
    .set(1);
}

/** What `/metrics/slis` shows. */
export const SLI_METRICS: ReadonlySet<string> = new Set([
  'kubernetes_healthcheck',
  'kubernetes_healthchecks_total',
]);

/** Counts health checks. */
export function healthMetrics(metrics: Metrics): Required<Pick<HealthObserver, 'onCheck'>> {
  const healthy = metrics.gauge('kubernetes_healthcheck');
  const total = metrics.counter('kubernetes_healthchecks_total');
  return {
    onCheck(type, name, passed) {
      healthy.with({ type, name }).set(passed ? 1 : 0);
      total.with({ type, name, status: passed ? 'success' : 'error' }).inc();
    },
  };
}
