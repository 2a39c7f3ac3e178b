import type { Revision } from '../meta/revision.ts';
import { objectAt, textAt } from '../meta/fields.ts';
import type { ApiObject } from '../meta/object.ts';
import { Bitmap } from '../registry/allocation/bitmap.ts';
import type { Pool } from '../registry/allocation/pool.ts';
import type { Use } from '../registry/allocation/repair.ts';
import type { ServicePools } from '../registry/service/pools.ts';
import { addressUses, portUses } from '../registry/service/repairs.ts';

export interface FreeUnusedParts {
  readonly pools: ServicePools;
  /** All that there are at this moment; no older than the call. */
  readonly services: () => Promise<readonly ApiObject[]>;
  /** Waits as long as a service may take to be stored after it has been given what it asked for. */
  readonly settle: () => Promise<void>;
}

/** What a service asks for of one pool, while it is marked as taken there. */
interface Marked {
  readonly pool: Pool;
  readonly usesOf: UsesOf;
  readonly taken: Bitmap;
  readonly asked: readonly number[];
  /** Of the record that marks it. */
  readonly revision: Revision;
}

type UsesOf = (services: readonly ApiObject[]) => Use<ApiObject>[];

/**
 * Gives back what a service asks for and no service has, though it is marked as taken: whoever took it has ended before
 * there was a service. The repair would find out, too, but only after minutes.
 *
 * Who has just taken it may still be about to store its service. So nothing is given back of a record that changes before
 * it is certain that no service came.
 *
 * @returns whether something was given back. @throws StorageError, and ApiError what the store's errors come to.
 */
export async function freeUnused(
  { pools, services, settle }: FreeUnusedParts,
  asking: ApiObject,
): Promise<boolean> {
  const marked = await markedFor(pools, withAddresses(asking));
  if (marked.length === 0) return false;
  await settle();
  const existing = await services();
  let isFreed = false;
  for (const { pool, usesOf, taken, asked, revision } of marked) {
    const used = new Set(usesOf(existing).map(({ index }) => index));
    const unused = asked.filter((index) => !used.has(index));
    for (const index of unused) taken.free(index);
    if (unused.length > 0 && (await pool.replace(taken, revision))) isFreed = true;
  }
  return isFreed;
}

async function markedFor({ addresses, ports }: ServicePools, asking: ApiObject): Promise<Marked[]> {
  const places: { pool: Pool; usesOf: UsesOf }[] = [
    ...[...addresses.values()].map(({ range, pool }) => ({
      pool,
      usesOf: (services: readonly ApiObject[]) => addressUses(services, range),
    })),
    { pool: ports.pool, usesOf: (services) => portUses(services, ports.range) },
  ];
  const marked: Marked[] = [];
  for (const { pool, usesOf } of places) {
    const { record, revision } = await pool.record();
    if (record?.range !== pool.range.text) continue;
    const taken = Bitmap.from(record.data, pool.range.size);
    const asked = usesOf([asking]).flatMap(({ index }) =>
      index !== undefined && taken.has(index) ? [index] : [],
    );
    if (asked.length > 0) marked.push({ pool, usesOf, taken, asked, revision });
  }
  return marked;
}

/** What is asked for has only `clusterIP`; uses are read from `clusterIPs`. */
function withAddresses(service: ApiObject): ApiObject {
  const spec = objectAt(service, 'spec');
  return { ...service, spec: { ...spec, clusterIPs: [textAt(spec, 'clusterIP')] } };
}
