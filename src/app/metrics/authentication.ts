import { hash } from 'node:crypto';
import type { Metrics } from '../../telemetry/metrics/metrics.ts';

/** What the methods of authentication tell of themselves. */
export interface AuthenticationObserver {
  /** The configuration file had changed, and was taken or refused. */
  onReload(status: 'success' | 'failure'): void;
  /** A token of an issuer was judged. */
  onJwt(issuer: string, result: 'success' | 'failure', seconds: number): void;
}

export interface ObserverParts {
  readonly metrics: Metrics;
  /** Of this process among those that share a store. */
  readonly serverId: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Counts it. Issuers and servers are told by digests, as dashboards expect. */
export function authenticationObserver({ metrics, serverId, now }: ObserverParts): AuthenticationObserver {
  const reloads = metrics.counter('apiserver_authentication_config_controller_automatic_reloads_total');
  const times = metrics.gauge(
    'apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds',
  );
  const latencies = metrics.histogram('apiserver_authentication_jwt_authenticator_latency_seconds');
  const apiserver_id_hash = digest(serverId);
  return {
    onReload(status) {
      reloads.with({ apiserver_id_hash, status }).inc();
      times.with({ apiserver_id_hash, status }).set(now() / 1000);
    },
    onJwt(issuer, result, seconds) {
      latencies.with({ jwt_issuer_hash: digest(issuer), result }).observe(seconds);
    },
  };
}

function digest(text: string): string {
  return `sha256:${hash('sha256', text, 'hex')}`;
}
