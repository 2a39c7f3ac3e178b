import type { HealthCheck } from '../http/endpoints/health.ts';
import type { Clock } from '../lib/clock.ts';
import type { Storage } from '../storage/port.ts';
import type { RunningObjectStore } from '../store/create.ts';
import type { CompletedConfig } from './options/complete.ts';
import type { StartHooks } from './start-hooks.ts';

export interface HealthParts {
  readonly config: CompletedConfig;
  readonly storage: Storage;
  readonly store: RunningObjectStore;
  readonly hooks: StartHooks;
  readonly shuttingDown: () => boolean;
  readonly clock: Clock;
}

/** The checks of each health endpoint, by the names that operators know, for the parts that exist. */
export function healthChecks(parts: HealthParts): Record<'healthz' | 'livez' | 'readyz', HealthCheck[]> {
  const { storage: timeouts, shutdown } = parts.config;
  const startedAt = parts.clock.monotonic();
  const inGrace = (): boolean => parts.clock.monotonic() - startedAt < shutdown.livezGraceMs;
  const ping: HealthCheck[] = [
    { name: 'ping', check: () => undefined },
    { name: 'log', check: () => undefined },
  ];
  const { hooks } = parts;
  const started = (isExcused: () => boolean): HealthCheck[] =>
    hooks.names.map((name) => ({
      name: `poststarthook/${name}`,
      check: () => must(hooks.isDone(name) || isExcused(), 'not finished'),
    }));
  const asksStore = (name: string, timeoutMs: number): HealthCheck => ({
    name,
    check: (signal) => askStore(parts.storage, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])),
  });
  return {
    healthz: [...ping, asksStore('etcd', timeouts.healthTimeoutMs), ...started(() => false)],
    livez: [...ping, asksStore('etcd', timeouts.healthTimeoutMs), ...started(inGrace)],
    readyz: [
      ...ping,
      asksStore('etcd', timeouts.healthTimeoutMs),
      asksStore('etcd-readiness', timeouts.readyTimeoutMs),
      { name: 'informer-sync', check: () => cachesFollow(parts.store) },
      ...started(() => false),
      { name: 'shutdown', check: () => must(!parts.shuttingDown(), 'process is shutting down') },
    ],
  };
}

async function askStore(storage: Storage, signal: AbortSignal): Promise<void> {
  await storage.status(signal);
}

function cachesFollow(store: RunningObjectStore): void {
  const waiting = store.notReady();
  must(waiting.length === 0, `caches are not loaded: ${waiting.join(', ')}`);
}

function must(condition: boolean, otherwise: string): void {
  if (!condition) throw new Error(otherwise);
}
