import { hash } from 'node:crypto';
import type { AccountTokenUse } from '../../authn/service-account/authenticator.ts';
import type { TokenCacheObserver } from '../../authn/token-cache.ts';
import type { Metrics } from '../../telemetry/metrics/metrics.ts';

/** What the methods of authentication tell of themselves. */
export interface AuthenticationObserver {
  /** The configuration file had changed, and was taken or refused. */
  onReload(status: 'success' | 'failure'): void;
  /** A token of an issuer was judged. */
  onJwt(issuer: string, result: 'success' | 'failure', seconds: number): void;
  /** Tokens that are remembered once a method has judged them. */
  readonly tokenCache: TokenCacheObserver;
  /** A token of a service account was taken, or refused as `invalidated`. */
  onAccountToken(use: AccountTokenUse): void;
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
    tokenCache: tokenCacheObserver(metrics),
    onAccountToken: countAccountTokens(metrics),
  };
}

function tokenCacheObserver(metrics: Metrics): TokenCacheObserver {
  const looks = metrics.counter('authentication_token_cache_request_total');
  const durations = metrics.histogram('authentication_token_cache_request_duration_seconds');
  const fetches = metrics.counter('authentication_token_cache_fetch_total');
  const active = metrics.gauge('authentication_token_cache_active_fetch_count');
  return {
    looked(status, seconds) {
      looks.with({ status }).inc();
      durations.with({ status }).observe(seconds);
    },
    asked: (status) => fetches.with({ status }).inc(),
    waiting: (status, more) => active.with({ status }).inc(more),
  };
}

function countAccountTokens(metrics: Metrics): (use: AccountTokenUse) => void {
  const counters = {
    valid: metrics.counter('serviceaccount_valid_tokens_total').with({}),
    stale: metrics.counter('serviceaccount_stale_tokens_total').with({}),
    legacy: metrics.counter('serviceaccount_legacy_tokens_total').with({}),
    generated: metrics.counter('serviceaccount_legacy_auto_token_uses_total').with({}),
    manual: metrics.counter('serviceaccount_legacy_manual_token_uses_total').with({}),
    invalidated: metrics.counter('serviceaccount_invalid_legacy_auto_token_uses_total').with({}),
  };
  return (use) => counters[use].inc();
}

function digest(text: string): string {
  return `sha256:${hash('sha256', text, 'hex')}`;
}
