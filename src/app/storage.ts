import { join } from 'node:path';
import type { Clock } from '../lib/clock.ts';
import type { Storage } from '../storage/port.ts';
import type { CompletedConfig } from './options/complete.ts';

export interface StorageParts {
  readonly clock: Clock;
  readonly log: (level: 'info' | 'warn', message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** Opens the store that the flags ask for. Its driver is loaded only now: the other one's costs nothing. */
export async function openStorage(config: CompletedConfig, { clock, log }: StorageParts): Promise<Storage> {
  const { storage } = config;
  if (config.store === 'embedded') {
    const { openEmbeddedStorage } = await import('../storage/embedded/index.ts');
    return openEmbeddedStorage({
      directory: join(config.dataDirectory, 'store'),
      history: storage.historyMs,
      clock,
      onBackgroundError: (error) => log('warn', 'background work of the store failed', { error }),
    });
  }
  const { openEtcdStorage } = await import('../storage/etcd/index.ts');
  return openEtcdStorage({
    endpoints: storage.etcdServers,
    prefix: storage.etcdPrefix,
    tls: {
      ...(storage.etcdCaFile === '' ? {} : { cafile: storage.etcdCaFile }),
      ...(storage.etcdCertificateFile === '' ? {} : { certfile: storage.etcdCertificateFile }),
      ...(storage.etcdKeyFile === '' ? {} : { keyfile: storage.etcdKeyFile }),
    },
    clock,
    log,
  });
}
