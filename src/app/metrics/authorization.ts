import type { Decision } from '../../authz/authorizer.ts';
import type { Metrics } from '../../telemetry/metrics/metrics.ts';

/** What authorizers tell of themselves. */
export interface AuthorizationObserver {
  /** The graph of nodes changed. */
  graphChanged(operation: string, seconds: number): void;
  /** Makes what is told of every decision of an authorizer. */
  decisions(type: string, name: string): (decision: Pick<Decision, 'verdict'>) => void;
  /** Makes what the calls of a webhook are told to. */
  webhook(name: string): WebhookObserver;
  /** Makes what the conditions of an authorizer are told to. */
  conditions(type: string, name: string): ConditionsObserver;
  /** The file of the authorizers was read anew. @param now seconds since 1970. */
  reloaded(server: string, succeeded: boolean, now: number): void;
}

/** How calls of a webhook end. */
export interface WebhookObserver {
  called(result: 'success' | 'timeout' | 'error', seconds: number): void;
  /** A failure was taken for no opinion. */
  failedOpen(result: 'timeout' | 'error'): void;
}

/** What conditions come to. */
export interface ConditionsObserver {
  evaluated(seconds: number): void;
  failed(): void;
  excluded(): void;
}

/** Counts what authorizers do. */
export function authorizationObserver(metrics: Metrics): AuthorizationObserver {
  const graph = metrics.histogram('node_authorizer_graph_actions_duration_seconds');
  const decisions = metrics.counter('apiserver_authorization_decisions_total');
  const reloads = metrics.counter('apiserver_authorization_config_controller_automatic_reloads_total');
  const reloadTimes = metrics.gauge(
    'apiserver_authorization_config_controller_automatic_reload_last_timestamp_seconds',
  );
  return {
    graphChanged: (operation, seconds) => graph.with({ operation }).observe(seconds),
    decisions(type, name) {
      const allowed = decisions.with({ type, name, decision: 'allowed' });
      const denied = decisions.with({ type, name, decision: 'denied' });
      return ({ verdict }) => {
        if (verdict === 'allow') allowed.inc();
        else if (verdict === 'deny') denied.inc();
      };
    },
    webhook: (name) => webhookObserver(metrics, name),
    conditions: (type, name) => conditionsObserver(metrics, { type, name }),
    reloaded(server, succeeded, now) {
      const labels = { apiserver_id_hash: server, status: succeeded ? 'success' : 'failure' };
      reloads.with(labels).inc();
      reloadTimes.with(labels).set(now);
    },
  };
}

function webhookObserver(metrics: Metrics, name: string): WebhookObserver {
  const calls = metrics.counter('apiserver_authorization_webhook_evaluations_total');
  const durations = metrics.histogram('apiserver_authorization_webhook_duration_seconds');
  const failures = metrics.counter('apiserver_authorization_webhook_evaluations_fail_open_total');
  return {
    called(result, seconds) {
      calls.with({ name, result }).inc();
      durations.with({ name, result }).observe(seconds);
    },
    failedOpen: (result) => failures.with({ name, result }).inc(),
  };
}

function conditionsObserver(
  metrics: Metrics,
  labels: { readonly type: string; readonly name: string },
): ConditionsObserver {
  const seconds = metrics
    .histogram('apiserver_authorization_match_condition_evaluation_seconds')
    .with(labels);
  const errors = metrics
    .counter('apiserver_authorization_match_condition_evaluation_errors_total')
    .with(labels);
  const exclusions = metrics.counter('apiserver_authorization_match_condition_exclusions_total').with(labels);
  return {
    evaluated: (took) => seconds.observe(took),
    failed: () => errors.inc(),
    excluded: () => exclusions.inc(),
  };
}
