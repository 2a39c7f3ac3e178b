import { parseCidr } from '../lib/cidr.ts';
import type { Clock } from '../lib/clock.ts';
import { Pacer } from '../lib/pacer.ts';
import type { ApiObject } from '../meta/object.ts';
import { Pool, type PoolObserver } from '../registry/allocation/pool.ts';
import { addressRange, portRange, type AddressRange, type Family } from '../registry/allocation/ranges.ts';
import { Repair } from '../registry/allocation/repair.ts';
import type { AddressPool, PortPool, ServicePools } from '../registry/service/pools.ts';
import {
  addressUses,
  portUses,
  strayAddresses,
  takenAddresses,
  takenPorts,
} from '../registry/service/repairs.ts';
import type { Storage } from '../storage/port.ts';
import type { Log } from '../telemetry/log/log.ts';
import type { ObjectSource } from './late-objects.ts';
import type { AllocationObserver } from './metrics/allocation.ts';
import type { CompletedConfig } from './options/complete.ts';
import { addressReports, portReports, type RangeReports, type WriteEvent } from './service-range-reports.ts';

export interface ServiceRangeParts {
  readonly config: Pick<CompletedConfig, 'clusterIpRanges'> & {
    readonly services: Pick<CompletedConfig['services'], 'nodePorts'>;
  };
  readonly storage: Pick<Storage, 'range' | 'create' | 'replace'>;
  readonly root: string;
  readonly storeAs: 'json' | 'protobuf';
  readonly random: () => number;
  readonly observer?: Pick<AllocationObserver, 'addresses' | 'nodePorts'>;
}

/** What services are given out of, as the flags say. Nothing is read or written before the first claim. */
export function servicePools({ config, observer, root, ...rest }: ServiceRangeParts): ServicePools {
  const addresses = new Map<Family, AddressPool>();
  for (const [i, text] of config.clusterIpRanges.entries()) {
    const cidr = parseCidr(text);
    if (cidr === undefined) throw new Error(`--service-cluster-ip-range: ${text} is no range`);
    const range = addressRange(cidr);
    const key = `${root}/ranges/${i === 0 ? 'serviceips' : 'secondaryserviceips'}`;
    const pool = new Pool({ ...rest, key, range, ...toldTo(observer?.addresses(range.text)) });
    addresses.set(range.family, { range, pool });
  }
  const { first, last } = config.services.nodePorts;
  const range = portRange(first, last);
  const key = `${root}/ranges/servicenodeports`;
  const pool = new Pool({ ...rest, key, range, ...toldTo(observer?.nodePorts) });
  return { addresses, ports: { range, pool } };
}

function toldTo(observer: PoolObserver | undefined): { readonly observer?: PoolObserver } {
  return observer === undefined ? {} : { observer };
}

export interface ServiceRepairParts extends ObjectSource {
  readonly pools: ServicePools;
  readonly clock: Clock;
  readonly log: Log;
  readonly observer: AllocationObserver;
  readonly writeEvent: WriteEvent;
}

/** So often the records of what is taken are compared with the services, milliseconds. */
const INTERVAL_MS = 3 * 60_000;

/** The repair of one range. */
interface RangeRepair {
  readonly run: () => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/** Keeps the records of what is taken true to the services. */
export class ServiceRepairs {
  readonly #parts: ServiceRepairParts;
  readonly #repairs: readonly RangeRepair[];
  #cancel: (() => void) | undefined;
  #closed = false;

  constructor(parts: ServiceRepairParts) {
    this.#parts = parts;
    const { addresses, ports } = parts.pools;
    const reports = addressReports(parts);
    const ranges = [...addresses.values()].map(({ range }) => range);
    this.#repairs = [
      ...[...addresses.values()].map((one, i) => this.#addressRepair(one, reports, i === 0 ? ranges : [])),
      this.#portRepair(ports),
    ];
  }

  /** Repairs now, and then every three minutes. What fails is tried again then. */
  async start(): Promise<void> {
    await Promise.all(this.#repairs.map((repair) => repair.run().catch(repair.failed)));
    if (!this.#closed) this.#cancel = this.#parts.clock.after(INTERVAL_MS, () => void this.start());
  }

  close(): void {
    this.#closed = true;
    this.#cancel?.();
  }

  /** @param all ranges of the cluster, for the one repair that looks for addresses of no range */
  #addressRepair(
    { range, pool }: AddressPool,
    reports: RangeReports,
    all: readonly AddressRange[],
  ): RangeRepair {
    const repair = new Repair<ApiObject>({
      pool,
      indexesOf: (record) => takenAddresses(record, range),
      uses: async () => {
        const services = await listServices(this.#parts);
        if (all.length > 0) for (const use of strayAddresses(services, all)) reports.stray(use);
        return addressUses(services, range);
      },
      onProblem: (use, problem) => reports.problem(use, problem, range.text),
      onLeak: (index) => reports.leak(range.addressAt(index)),
    });
    return { run: () => repair.run(), failed: (error) => reports.failed(range.text, error) };
  }

  #portRepair({ range, pool }: PortPool): RangeRepair {
    const reports = portReports(this.#parts);
    const repair = new Repair<ApiObject>({
      pool,
      indexesOf: (record) => takenPorts(record, range),
      uses: async () => portUses(await listServices(this.#parts), range),
      onProblem: (use, problem) => reports.problem(use, problem, range.text),
      onLeak: (index) => reports.leak(String(range.first + index)),
    });
    return { run: () => repair.run(), failed: (error) => reports.failed(range.text, error) };
  }
}

/** All services, as they are now. */
export async function listServices({ store, schemas }: ObjectSource): Promise<ApiObject[]> {
  const resource = schemas.resource('', 'v1', 'services');
  if (resource === undefined) return [];
  const { entries } = await store.list({ resource, namespace: '', at: { at: 'latest' } });
  const services: ApiObject[] = [];
  const pacer = new Pacer();
  for (const entry of entries) {
    services.push(store.decode(entry, resource));
    if (pacer.due()) await pacer.rest();
  }
  return services;
}
