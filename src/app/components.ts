import { probeHealth } from '../outbound/health-probe.ts';
import type { ComponentCheck } from '../registry/componentstatus/hooks.ts';
import type { Storage } from '../storage/port.ts';

/** Programs of a control plane that usually run beside its API server, and where they say how they are. */
const NEIGHBOURS = [
  ['controller-manager', 'https://127.0.0.1:10257/healthz'],
  ['scheduler', 'https://127.0.0.1:10259/healthz'],
] as const;

const PROBE_TIMEOUT_MS = 5_000;

/** What componentstatuses tell of. @param storeTimeoutMs how long the store may take to say that it is well. */
export function componentChecks(storage: Storage, storeTimeoutMs: number): ComponentCheck[] {
  return [
    ...NEIGHBOURS.map(([name, url]): ComponentCheck => ({
      name,
      async check(signal) {
        const { ok, text } = await probeHealth(url, deadline(signal, PROBE_TIMEOUT_MS));
        return { healthy: ok, message: text };
      },
    })),
    {
      // So named on both stores, like the health check.
      name: 'etcd-0',
      async check(signal) {
        try {
          await storage.status(deadline(signal, storeTimeoutMs));
          return { healthy: true, message: 'ok' };
        } catch (error) {
          return { healthy: false, error: error instanceof Error ? error.message : String(error) };
        }
      },
    },
  ];
}

function deadline(signal: AbortSignal, ms: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ms)]);
}
