import type { ApiObject } from '../meta/object.ts';
import type { Storage } from '../storage/port.ts';
import type { Log } from '../telemetry/log/log.ts';
import { keepEndpoints, type OwnEndpointsParts, type PortsPolicy } from './apiserver-endpoints.ts';
import { apiserverLeases, type ApiserverLeases } from './apiserver-leases.ts';
import { apiserverService, createApiserverService, type FreeUnused } from './apiserver-service.ts';
import type { WritableSource } from './late-objects.ts';
import type { ServerCommons } from './server-commons.ts';

export interface OwnServiceParts extends Omit<ServerCommons, 'random'> {
  readonly source: WritableSource;
  readonly storage: Storage;
  /** Where this server listens. */
  readonly port: number;
  readonly freeUnused: FreeUnused;
}

/** So often servers say that they are there, milliseconds. */
const INTERVAL_MS = 10_000;
/** After so long at most, the server looks again whether it is nobody who has what its service asks for, milliseconds. */
const MOST_PAUSE_MS = 10 * 60_000;
/** So long after that they count as gone. */
const LEASE_SECONDS = 15;

/**
 * Keeps the servers' own service and its endpoints: which servers are there, by their leases in the store, they tell each
 * other every ten seconds.
 */
export class OwnService {
  readonly #parts: OwnServiceParts;
  readonly #log: Log;
  /** Absent where no endpoints are kept. */
  readonly #leases: ApiserverLeases | undefined;
  #cancel: (() => void) | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;
  /** When what the service asks for may be given back next, and how long after that again. */
  #freeing = { notBefore: -Infinity, pause: INTERVAL_MS };

  constructor(parts: OwnServiceParts) {
    const { config, storage, log } = parts;
    this.#parts = parts;
    this.#log = log.part('own-service');
    const root = config.storage.etcdPrefix.replace(/\/+$/, '');
    const address = config.endpointAddress;
    if (config.services.keepsEndpoints && address !== '') {
      this.#leases = apiserverLeases({ storage, root, address, ttlSeconds: LEASE_SECONDS });
    }
  }

  /** Says that this server is there, and goes on saying so. What fails is tried again. */
  async start(): Promise<void> {
    await this.#round('reset');
  }

  /** Takes this server's endpoint away, so that nobody is sent here any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    await this.#running;
    // Where nobody else is left, nobody reads it either.
    if (!this.#parts.storage.capabilities.shared) return;
    await this.#attempt(async () => {
      await this.#leases?.remove();
      const addresses = await this.#leases?.addresses();
      if (addresses !== undefined) await keepEndpoints(this.#endpoints(), addresses, 'keep');
    });
  }

  /** Stops without a word, as if the process had ended. */
  abort(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  async #round(ports: PortsPolicy): Promise<void> {
    this.#running = this.#attempt(() => this.#keep(ports));
    await this.#running;
    if (!this.#stopped) this.#cancel = this.#parts.clock.after(INTERVAL_MS, () => void this.#round('keep'));
  }

  async #keep(ports: PortsPolicy): Promise<void> {
    // Others are to know that this server is there even where its service can't be had.
    await this.#leases?.renew();
    const { config, names, source, port } = this.#parts;
    const { clusterIpRanges } = config;
    const { ownNodePort: nodePort } = config.services;
    const options = { names, clusterIpRanges, nodePort, port };
    await createApiserverService(source, apiserverService(options), (asking) => this.#freeUnused(asking));
    if (this.#leases === undefined) return;
    const addresses = await this.#leases.addresses();
    // This server at least is there: a store that doesn't say so is not believed.
    if (addresses.length === 0) throw new Error('no server has a lease');
    await keepEndpoints(this.#endpoints(), addresses, ports);
  }

  /** Ever more rarely: what is refused for long is somebody else's, and to find that out takes all services. */
  async #freeUnused(asking: ApiObject): Promise<boolean> {
    const now = this.#parts.clock.monotonic();
    const { notBefore, pause } = this.#freeing;
    if (now < notBefore) return false;
    this.#freeing = { notBefore: now + pause, pause: Math.min(2 * pause, MOST_PAUSE_MS) };
    return this.#parts.freeUnused(asking);
  }

  #endpoints(): OwnEndpointsParts {
    const { names, port, source } = this.#parts;
    return { ...source, names, port };
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#log.error("the servers' own service could not be kept", error);
    }
  }
}
