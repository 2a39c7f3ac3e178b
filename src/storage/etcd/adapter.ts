import type { Storage, StorageCapabilities, StorageStatus, StorageWatch, WatchRequest } from '../port.ts';
import { findCompaction } from './compaction-point.ts';
import type { Connection } from './connections.ts';
import { createDriver } from './driver.ts';
import type { Driver } from './driver.ts';
import { EtcdKv, MAX_TXN_OPERATIONS } from './kv.ts';
import { grantLease, revokeLease } from './leases.ts';
import type { EtcdConfig } from './options.ts';
import { ProgressSupport } from './progress-support.ts';
import { Rpc } from './rpc.ts';
import type { OpenedWatch } from './rpc.ts';
import { EtcdWatch } from './watch-loop.ts';
import { WatchOutage } from './watch-outage.ts';

/** What a request holds beside the value: its key three times, the condition, framing. */
const REQUEST_OVERHEAD = 16 * 1024;

/**
 * Connects to etcd: returns when the first endpoint has answered.
 *
 * @throws StorageError `unavailable` when none answers in time, `unauthenticated`.
 */
export async function openAdapter(config: EtcdConfig): Promise<Storage> {
  const adapter = new EtcdAdapter(config, await createDriver(config));
  try {
    await adapter.connect();
  } catch (error) {
    await adapter.close();
    throw error;
  }
  return adapter.storage();
}

/** Holds the parts of the adapter together, from the first connection to the close. */
class EtcdAdapter {
  readonly #config: EtcdConfig;
  readonly #driver: Driver;
  readonly #rpc: Rpc;
  readonly #support = new ProgressSupport();
  readonly #watches = new Set<EtcdWatch>();
  readonly #outage: WatchOutage;
  #closing: Promise<void> | undefined;

  constructor(config: EtcdConfig, driver: Driver) {
    this.#config = config;
    this.#driver = driver;
    this.#rpc = new Rpc(config, driver);
    this.#outage = new WatchOutage(config.log, config.clock);
  }

  /** The port's methods, each where it is implemented. */
  storage(): Storage {
    const { deadlines, probeKey, clock } = this.#config;
    const capabilities = this.#capabilities();
    const parts = { rpc: this.#rpc, methods: this.#driver.methods, deadlines, probeKey };
    const kv = new EtcdKv({
      ...parts,
      maxValueBytes: capabilities.maxValueBytes,
      findCompaction: (revision) =>
        findCompaction(() => this.#openWatch(), { revision, probeKey, clock, timeoutMs: deadlines.status }),
    });
    return {
      capabilities,
      range: (request) => kv.range(request),
      create: (key, value, options) => kv.create(key, value, options),
      replace: (key, expected, value, options) => kv.replace(key, expected, value, options),
      delete: (key, expected, options) => kv.delete(key, expected, options),
      transact: (transaction, options) => kv.transact(transaction, options),
      currentRevision: () => kv.currentRevision(),
      compact: (revision) => kv.compact(revision),
      grantLease: (ttlSeconds) => grantLease(parts, ttlSeconds),
      revokeLease: (lease) => revokeLease(parts, lease),
      watch: (request) => this.#watch(request, kv),
      status: (signal) => this.#status(kv, signal),
      close: () => this.close(),
    };
  }

  /** Learns what every endpoint is, as far as they answer; waits for the first. */
  async connect(): Promise<void> {
    if (await this.#learnAny()) return;
    // Waits for an etcd that is just starting, and knows why there is none.
    await this.#rpc.call(
      this.#driver.methods.status,
      {},
      { kind: 'read', timeoutMs: this.#config.deadlines.read },
    );
    await this.#learnAny();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const watch of this.#watches) watch.close();
    await this.#rpc.close();
    for (const endpoint of this.#driver.endpoints) endpoint.close();
  }

  #capabilities(): StorageCapabilities {
    const support = this.#support;
    return {
      get progressRequests() {
        return support.everywhere;
      },
      maxTransactionOperations: MAX_TXN_OPERATIONS,
      maxValueBytes: this.#config.maxRequestBytes - REQUEST_OVERHEAD,
      shared: true,
    };
  }

  #watch(request: WatchRequest, kv: EtcdKv): StorageWatch {
    const { clock, random, deadlines } = this.#config;
    const watch = new EtcdWatch(request, {
      open: () => this.#openWatch(),
      checkState: (revision) => kv.checkState(revision),
      failed: (opened, staleToken) => this.#rpc.watchFailed(opened, staleToken),
      started: (started) => this.#watches.add(started),
      ended: (ended) => this.#watches.delete(ended),
      clock,
      random,
      outage: this.#outage,
      idleMs: deadlines.watchIdle,
    });
    return watch;
  }

  #openWatch(): Promise<OpenedWatch> {
    return this.#rpc.openWatch((connection) => this.#isProgressReliable(connection));
  }

  /** One that can't be asked counts as unreliable for this once. */
  async #isProgressReliable(connection: Connection): Promise<boolean> {
    return this.#support.known(connection.url) ?? this.#learn(connection).catch(() => false);
  }

  async #learnAny(): Promise<boolean> {
    const answers = this.#rpc.connections.map((connection) => this.#learn(connection));
    return Promise.any(answers).then(
      () => true,
      () => false,
    );
  }

  async #learn(connection: Connection): Promise<boolean> {
    const { status } = this.#driver.methods;
    const answer = await this.#rpc.callOn(connection, status, {}, this.#config.deadlines.connect);
    return this.#support.learn(connection.url, answer.version);
  }

  /** A member's own status says nothing about the cluster: a linearizable read does. */
  async #status(kv: EtcdKv, signal?: AbortSignal): Promise<StorageStatus> {
    const timeoutMs = this.#config.deadlines.status;
    const [member, revision] = await Promise.all([
      this.#rpc.call(this.#driver.methods.status, {}, { kind: 'read', timeoutMs, signal }),
      kv.currentRevision({ timeoutMs, signal }),
    ]);
    return {
      sizeBytes: Number(member.dbSize),
      revision,
      version: member.version,
      clusterId: BigInt(member.header.cluster_id).toString(16),
    };
  }
}
