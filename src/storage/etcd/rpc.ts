import type { ClientDuplexStream, Metadata, ServiceError } from '@grpc/grpc-js';
import { status as GrpcStatus } from '@grpc/grpc-js';
import { StorageError } from '../errors.ts';
import { CallMetadata } from './auth.ts';
import { Calls, identity } from './calls.ts';
import { Connections } from './connections.ts';
import type { Connection } from './connections.ts';
import type { Driver } from './driver.ts';
import type { Method } from './outgoing-call.ts';
import { WATCH_PATH } from './driver.ts';
import { abortedError, closedError, judge, toStorageError } from './errors.ts';
import type { EtcdConfig } from './options.ts';
import { decodeWatch } from './proto/watch.ts';
import type { WatchMessage } from './proto/watch.ts';

export interface CallOptions {
  /** A `write` is never sent twice unless the first one is known not to have been carried out. */
  readonly kind: 'read' | 'write';
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export type WatchStream = ClientDuplexStream<Buffer, WatchMessage>;

/** A watch stream just opened. */
export interface OpenedWatch {
  readonly stream: WatchStream;
  readonly connection: Connection;
  readonly metadata: Metadata;
  /** Whether the server at its other end tells progress only when it is true. */
  readonly reliableProgress: boolean;
}

/** How long calls under way may take to finish when the client is closed. */
const CLOSE_GRACE_MS = 500;
/** So many tokens in a row may be refused before a call fails of it. */
const MAX_REFUSED_TOKENS = 2;
/** Before a third and later attempt. */
const RETRY_DELAY_MS = 100;

/** Calls etcd: finds a connection, adds the metadata, tries again where that is safe, and names what went wrong. */
export class Rpc {
  readonly #config: EtcdConfig;
  readonly #driver: Driver;
  readonly #unary: Connections;
  readonly #watches: Connections;
  readonly #metadata: CallMetadata;
  readonly #calls = new Calls();
  #closed = false;

  constructor(config: EtcdConfig, driver: Driver) {
    const options = { clock: config.clock, timeoutMs: config.deadlines.connect };
    const { endpoints } = driver;
    this.#config = config;
    this.#driver = driver;
    this.#unary = new Connections(
      endpoints.map(({ url, unary, quick }) => ({ url, client: unary, quick })),
      options,
    );
    this.#watches = new Connections(
      endpoints.map(({ url, watch }) => ({ url, client: watch })),
      options,
    );
    this.#metadata = new CallMetadata(config.credentials);
  }

  /** Every endpoint's connection for unary calls. */
  get connections(): readonly Connection[] {
    return this.#unary.all;
  }

  /**
   * @throws StorageError with a code of errors.ts; `unavailable` when no endpoint could be connected in time;
   *   `ambiguous` for a write that was sent and whose outcome is unknown; `closed`; `aborted`.
   */
  async call<Request, Response>(
    method: Method<Request, Response>,
    request: Request,
    options: CallOptions,
  ): Promise<Response> {
    const { signal } = options;
    this.#check(signal);
    const payload = encode(method, request);
    const deadline = Date.now() + options.timeoutMs;
    let failures = 0;
    let refusals = 0;
    for (;;) {
      const connection = this.#unary.ready() ?? (await this.#connect(this.#unary, deadline, signal));
      const metadata = this.#metadata.current ?? (await this.#authenticate(connection));
      this.#check(signal);
      try {
        return await this.#calls.send(connection, method, { payload, metadata, deadline, signal });
      } catch (error) {
        const failure = error as ServiceError;
        const again = this.#recover(failure, { connection, metadata, options });
        // A restarted server is first not there and then knows no token: neither uses up the attempts of the other.
        const isLast =
          judge(failure).again === 'with-new-token'
            ? ++refusals > MAX_REFUSED_TOKENS
            : ++failures > this.#unary.all.length + 1;
        if (!again || isLast) throw this.#translate(failure, options);
      }
      if (failures + refusals > 1) await this.#pause(RETRY_DELAY_MS);
    }
  }

  /** One read on one connection, without another attempt. */
  async callOn<Request, Response>(
    connection: Connection,
    method: Method<Request, Response>,
    request: Request,
    timeoutMs: number,
  ): Promise<Response> {
    this.#check();
    const payload = method.encode(request);
    const metadata = this.#metadata.current ?? (await this.#authenticate(connection));
    try {
      return await this.#calls.send(connection, method, {
        payload,
        metadata,
        deadline: Date.now() + timeoutMs,
      });
    } catch (error) {
      throw this.#translate(error as ServiceError, { kind: 'read' });
    }
  }

  /**
   * Opens a watch stream at whichever endpoint can be connected, after asking what that one is able to do.
   *
   * @throws StorageError
   */
  async openWatch(isProgressReliable: (connection: Connection) => Promise<boolean>): Promise<OpenedWatch> {
    this.#check();
    const deadline = Date.now() + this.#config.deadlines.connect;
    const connection = this.#watches.ready() ?? (await this.#connect(this.#watches, deadline));
    const reliableProgress = await isProgressReliable(connection);
    const metadata = this.#metadata.current ?? (await this.#authenticate(connection));
    this.#check();
    const stream = connection.client.makeBidiStreamRequest(WATCH_PATH, identity, decodeWatch, metadata);
    return { stream, connection, metadata, reliableProgress };
  }

  /** A watch stream ended: the next one avoids what this one failed of, an endpoint or a token. */
  watchFailed(opened: OpenedWatch, staleToken: boolean): void {
    if (staleToken) this.#metadata.refused(opened.metadata);
    else this.#watches.failed(opened.connection);
  }

  /** Refuses new calls, lets those under way finish for a moment, then gives them up. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#calls.finish(this.#config.clock, CLOSE_GRACE_MS);
  }

  #check(signal?: AbortSignal): void {
    if (this.#closed) throw closedError();
    if (signal?.aborted === true) throw abortedError(signal);
  }

  /** Whether a failed call may be sent again; if so, what it failed of is avoided. */
  #recover(
    failure: ServiceError,
    used: { connection: Connection; metadata: Metadata; options: CallOptions },
  ): boolean {
    const { kind, signal } = used.options;
    if (this.#closed || signal?.aborted === true) return false;
    const { code, again, executed } = judge(failure);
    if (again === 'with-new-token') return this.#metadata.refused(used.metadata);
    if (code === 'unavailable' || code === 'deadline') this.#unary.failed(used.connection);
    return again === 'elsewhere' && (kind === 'read' || executed === 'no');
  }

  #translate(failure: ServiceError, { kind, signal }: Omit<CallOptions, 'timeoutMs'>): StorageError {
    const ended = this.#closed ? closedError() : signal?.aborted === true ? abortedError(signal) : undefined;
    if (ended === undefined) return toStorageError(failure, kind);
    if (kind === 'read' || judge(failure).executed === 'no') return ended;
    return new StorageError('ambiguous', `${ended.message} after the write was sent`, { cause: ended });
  }

  async #connect(connections: Connections, deadline: number, signal?: AbortSignal): Promise<Connection> {
    const connection = await this.#within(connections.connect(), deadline - Date.now(), signal);
    this.#check(signal);
    return connection ?? this.#explainUnreachable(connections.preferred);
  }

  /** Waits no longer than `ms`, nor beyond the signal's abort. */
  async #within<T>(promise: Promise<T>, ms: number, signal?: AbortSignal): Promise<T | undefined> {
    if (ms >= this.#config.deadlines.connect && signal === undefined) return promise;
    const { promise: givenUp, resolve } = Promise.withResolvers<undefined>();
    const giveUp = () => resolve(undefined);
    const cancel = this.#config.clock.after(Math.max(0, ms), giveUp);
    signal?.addEventListener('abort', giveUp);
    try {
      return await Promise.race([promise, givenUp]);
    } finally {
      cancel();
      signal?.removeEventListener('abort', giveUp);
    }
  }

  /** A call that can't be sent fails with the reason: a refused connection, a bad certificate, an unknown host. */
  async #explainUnreachable(connection: Connection): Promise<never> {
    const { status } = this.#driver.methods;
    const failure = await this.#calls
      .send(connection, status, { payload: status.encode({}), deadline: Date.now() + 50 })
      .then(() => undefined)
      .catch((error: unknown) => error as ServiceError);
    this.#check();
    const silent = failure === undefined || failure.code === GrpcStatus.DEADLINE_EXCEEDED;
    const reason = silent ? `${connection.url} doesn't answer` : failure.details;
    const urls = this.#config.endpoints.map(({ url }) => url).join(', ');
    throw new StorageError('unavailable', `no etcd endpoint of ${urls} can be reached: ${reason}`, {
      cause: failure,
    });
  }

  async #authenticate(connection: Connection): Promise<Metadata> {
    const { authenticate } = this.#driver.methods;
    const deadline = Date.now() + this.#config.deadlines.write;
    try {
      return await this.#metadata.get(async (credentials) => {
        const payload = authenticate.encode(credentials);
        const { token } = await this.#calls.send(connection, authenticate, { payload, deadline });
        return token;
      });
    } catch (error) {
      throw this.#translate(error as ServiceError, { kind: 'read' });
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.#config.clock.after(ms, resolve));
  }
}

/** @throws StorageError `invalid` when a part of the request is nothing that etcd's messages can hold. */
function encode<Request>(method: Method<Request, unknown>, request: Request): Buffer {
  try {
    return method.encode(request);
  } catch (error) {
    throw new StorageError('invalid', `etcd can't be asked this: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
