import { objectAt, textAt } from '../meta/fields.ts';
import type { ApiObject } from '../meta/object.ts';
import type { Pool } from '../registry/allocation/pool.ts';
import type { Use } from '../registry/allocation/repair.ts';
import type { ServicePools } from '../registry/service/pools.ts';
import { addressUses, portUses } from '../registry/service/repairs.ts';

/**
 * Gives back what a service asks for and no service has, though it is marked as taken: whoever took it has ended before
 * there was a service. The repair would find out, too, but only after minutes.
 *
 * @param services all that there are.
 * @throws ApiError what the store's errors come to.
 */
export async function freeUnused(
  { addresses, ports }: ServicePools,
  asking: ApiObject,
  services: readonly ApiObject[],
): Promise<void> {
  const free = async (pool: Pool, usesOf: (services: readonly ApiObject[]) => Use<ApiObject>[]) => {
    const used = new Set(usesOf(services).map(({ index }) => index));
    const asked = usesOf([withAddresses(asking)]).flatMap(({ index }) => index ?? []);
    await pool.release(asked.filter((index) => !used.has(index)));
  };
  for (const { range, pool } of addresses.values()) await free(pool, (list) => addressUses(list, range));
  await free(ports.pool, (list) => portUses(list, ports.range));
}

/** Who asks for an address names it alone. */
function withAddresses(service: ApiObject): ApiObject {
  const spec = objectAt(service, 'spec');
  return { ...service, spec: { ...spec, clusterIPs: [textAt(spec, 'clusterIP')] } };
}
