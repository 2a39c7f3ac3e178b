import type { Claim, Pool } from '../allocation/pool.ts';
import type { AddressRange, Family, PortRange } from '../allocation/ranges.ts';

/** What services are given out of. */
export interface ServicePools {
  /** By family, the cluster's own first. */
  readonly addresses: ReadonlyMap<Family, AddressPool>;
  readonly ports: PortPool;
}

export interface AddressPool {
  readonly range: AddressRange;
  readonly pool: Pool;
}

export interface PortPool {
  readonly range: PortRange;
  readonly pool: Pool;
}

/** All the pools. */
export function poolsOf({ addresses, ports }: ServicePools): Pool[] {
  return [...[...addresses.values()].map(({ pool }) => pool), ports.pool];
}

/** Some of a pool. */
export interface Lot {
  readonly pool: Pool;
  readonly indexes: readonly number[];
}

/** What a write takes, and what it leaves if it succeeds. */
export interface Lots {
  readonly taken: Lot[];
  readonly left: Lot[];
}

/** Claims what is wanted and notes it; a dry run claims nothing. @throws ApiError where the store fails. */
export async function claim(
  pool: Pool,
  wanted: readonly (number | undefined)[],
  { lots, dryRun }: { readonly lots: Lots; readonly dryRun: boolean },
): Promise<Claim> {
  if (dryRun) return pool.tryOut(wanted);
  const claimed = await pool.claim(wanted);
  if (claimed.ok) lots.taken.push({ pool, indexes: claimed.indexes });
  return claimed;
}

/** Gives lots back. What can't be given back now, the repair finds. */
export async function giveBack(lots: readonly Lot[]): Promise<void> {
  await Promise.allSettled(lots.map(({ pool, indexes }) => pool.release(indexes)));
}

/** Notes what an object leaves; a dry run leaves nothing. */
export function leave(lots: Lots, pool: Pool, indexes: readonly number[]): void {
  if (indexes.length > 0) lots.left.push({ pool, indexes });
}
