import { join } from 'node:path';
import type { Clock } from '../lib/clock.ts';
import { StorageError } from '../storage/errors.ts';
import type { EmbeddedStorageOptions } from '../storage/embedded/index.ts';
import type { Storage } from '../storage/port.ts';
import type { CompletedConfig } from './options/complete.ts';

export interface StorageParts {
  readonly clock: Clock;
  readonly log: (level: 'info' | 'warn', message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/**
 * Compacts a shared store every `--etcd-compaction-interval`, together with the other servers on it. The embedded store
 * does so by itself, by age.
 *
 * @returns what ends it.
 */
export async function startCompaction(
  config: CompletedConfig,
  storage: Storage,
  { clock, log }: StorageParts,
): Promise<() => Promise<void>> {
  const intervalMs = config.storage.compactionIntervalMs;
  if (!storage.capabilities.shared || intervalMs === 0) return () => Promise.resolve();
  const { startCompactor } = await import('../storage/etcd/index.ts');
  const compactor = startCompactor({ store: storage, intervalMs, clock, log });
  return () => compactor.stop();
}

/** What no flag says of the embedded store. */
export type StoreTuning = Pick<EmbeddedStorageOptions, 'sync' | 'mapSize' | 'seen'>;

/** Where the embedded store is. */
export function storeDirectory({ dataDirectory }: CompletedConfig): string {
  return join(dataDirectory, 'store');
}

/** Opens the store that the flags ask for. Its driver is loaded only now: the other one's costs nothing. */
export async function openStorage(
  config: CompletedConfig,
  { clock, log }: StorageParts,
  tuning: StoreTuning = {},
): Promise<Storage> {
  const { storage } = config;
  if (config.store === 'embedded') {
    const { openEmbeddedStorage } = await import('../storage/embedded/index.ts');
    return openEmbeddedStorage({
      directory: storeDirectory(config),
      ...tuning,
      history: storage.historyMs,
      clock,
      onBackgroundError: (error) => log('warn', 'background work of the store failed', { error }),
    });
  }
  const { openEtcdStorage } = await import('../storage/etcd/index.ts');
  const options = {
    endpoints: storage.etcdServers,
    prefix: storage.etcdPrefix,
    tls: {
      ...(storage.etcdCaFile === '' ? {} : { cafile: storage.etcdCaFile }),
      ...(storage.etcdCertificateFile === '' ? {} : { certfile: storage.etcdCertificateFile }),
      ...(storage.etcdKeyFile === '' ? {} : { keyfile: storage.etcdKeyFile }),
    },
    clock,
    log,
  };
  return patiently(() => openEtcdStorage(options), storage.initializationTimeoutMs, { clock, log });
}

const RETRY_MS = 500;

/** Opens a store that may not be up yet: tries again until the time is over. */
async function patiently(
  open: () => Promise<Storage>,
  timeoutMs: number,
  { clock, log }: StorageParts,
): Promise<Storage> {
  const deadline = clock.monotonic() + timeoutMs;
  for (let told = false; ; told = true) {
    try {
      return await open();
    } catch (error) {
      const hopeless = !(error instanceof StorageError) || error.code !== 'unavailable';
      if (hopeless || clock.monotonic() + RETRY_MS > deadline) throw error;
      if (!told) log('warn', 'the store is not there yet; trying again', { error });
      await new Promise<void>((resume) => clock.after(RETRY_MS, resume));
    }
  }
}
