import { StorageError } from '../errors.ts';
import type { LeaseId } from '../port.ts';
import type { EtcdMethods } from './driver.ts';
import type { EtcdDeadlines } from './options.ts';
import type { CallOptions, Rpc } from './rpc.ts';

/** What leases need of the adapter. */
export interface LeaseParts {
  readonly rpc: Pick<Rpc, 'call'>;
  readonly methods: Pick<EtcdMethods, 'leaseGrant' | 'leaseRevoke'>;
  readonly deadlines: Pick<EtcdDeadlines, 'write'>;
}

/**
 * Grants a lease that nobody keeps alive. Unlike a write it may be sent again when its answer is lost: a lease that
 * nobody knows of ends by itself. etcd raises a very short time to live to what an election takes (2 s).
 */
export async function grantLease(parts: LeaseParts, ttlSeconds: number): Promise<LeaseId> {
  if (!Number.isSafeInteger(ttlSeconds) || ttlSeconds < 1) {
    throw new StorageError('invalid', `a lease of ${ttlSeconds} seconds`);
  }
  const answer = await parts.rpc.call(parts.methods.leaseGrant, { TTL: ttlSeconds }, repeatable(parts));
  return answer.ID as LeaseId;
}

/** Ends a lease; one that doesn't exist has ended. */
export async function revokeLease(parts: LeaseParts, lease: LeaseId): Promise<void> {
  try {
    await parts.rpc.call(parts.methods.leaseRevoke, { ID: lease }, repeatable(parts));
  } catch (error) {
    if (!(error instanceof StorageError && error.code === 'leaseNotFound')) throw error;
  }
}

function repeatable({ deadlines }: LeaseParts): CallOptions {
  return { kind: 'read', timeoutMs: deadlines.write };
}
