import type { Storage } from '../port.ts';
import { completeOptions } from './options.ts';
import type { EtcdOptions } from './options.ts';

export { startCompactor } from './compactor.ts';
export type { Compactor, CompactorOptions } from './compactor.ts';
export type { EtcdDeadlines, EtcdLog, EtcdOptions } from './options.ts';

/**
 * Opens the storage port on an etcd cluster (3.4 or newer). The driver is loaded here and not before: with the
 * embedded store nobody pays for it.
 *
 * @throws StorageError `invalid` for options that make no sense, `unavailable` when no endpoint answers in time,
 *   `unauthenticated` when the cluster refuses the user.
 */
export async function openEtcdStorage(options: EtcdOptions): Promise<Storage> {
  const config = await completeOptions(options);
  const { openAdapter } = await import('./adapter.ts');
  return openAdapter(config);
}
