import type { Revision } from '../meta/revision.ts';
import { prefixEnd, type LeaseId, type Storage } from '../storage/port.ts';

/** By their leases in the store, servers know of each other. */
export interface ApiserverLeases {
  /** Says that this server is there, until so long after the last time. @throws StorageError */
  renew(): Promise<void>;
  /** The addresses of the servers that are there, in order. @throws StorageError */
  addresses(): Promise<string[]>;
  /** Says that this server is not there any more. @throws StorageError */
  remove(): Promise<void>;
}

export interface ApiserverLeasesParts {
  readonly storage: Pick<Storage, 'range' | 'create' | 'replace' | 'delete' | 'grantLease' | 'capabilities'>;
  /** What all keys start with, without a closing slash. */
  readonly root: string;
  /** This server's. */
  readonly address: string;
  readonly ttlSeconds: number;
}

/** The leases of the servers on a store. On a store of this process's own there is no other. */
export function apiserverLeases(parts: ApiserverLeasesParts): ApiserverLeases {
  return parts.storage.capabilities.shared ? new StoredLeases(parts) : aloneAt(parts.address);
}

function aloneAt(address: string): ApiserverLeases {
  let there = false;
  return {
    renew() {
      there = true;
      return Promise.resolve();
    },
    addresses: () => Promise.resolve(there ? [address] : []),
    remove() {
      there = false;
      return Promise.resolve();
    },
  };
}

/** One key a server, which the store deletes when the server no longer renews it: those of the Go API server. */
class StoredLeases implements ApiserverLeases {
  readonly #parts: ApiserverLeasesParts;
  readonly #prefix: string;
  readonly #key: string;

  constructor(parts: ApiserverLeasesParts) {
    this.#parts = parts;
    this.#prefix = `${parts.root}/masterleases/`;
    this.#key = this.#prefix + parts.address;
  }

  async renew(): Promise<void> {
    const { storage, ttlSeconds } = this.#parts;
    const lease = await storage.grantLease(ttlSeconds);
    for (let found = await this.#find(); !(await this.#put(found, lease));) found = await this.#find();
  }

  async addresses(): Promise<string[]> {
    const start = this.#prefix;
    const { items } = await this.#parts.storage.range({ start, end: prefixEnd(start), keysOnly: true });
    return items.map(({ key }) => key.slice(start.length)).sort();
  }

  async remove(): Promise<void> {
    const found = await this.#find();
    if (found !== undefined) await this.#parts.storage.delete(this.#key, found);
  }

  async #find(): Promise<Revision | undefined> {
    const { items } = await this.#parts.storage.range({ start: this.#key, keysOnly: true });
    return items[0]?.modRevision;
  }

  async #put(found: Revision | undefined, lease: LeaseId): Promise<boolean> {
    const { storage, address } = this.#parts;
    const value = Buffer.from(
      `${JSON.stringify({
        kind: 'Endpoints',
        apiVersion: 'v1',
        metadata: { creationTimestamp: null },
        subsets: [{ addresses: [{ ip: address }] }],
      })}\n`,
    );
    const written = await (found === undefined
      ? storage.create(this.#key, value, { lease })
      : storage.replace(this.#key, found, value, { lease }));
    return written.ok;
  }
}
