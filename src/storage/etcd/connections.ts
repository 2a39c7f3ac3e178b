import { connectivityState } from '@grpc/grpc-js';
import type { Client } from '@grpc/grpc-js';
import type { Clock } from '../../lib/clock.ts';
import type { UnaryConnection } from './unary-connection.ts';

/** One endpoint's connection of one kind (unary calls, or watches). */
export interface Connection {
  readonly url: string;
  readonly client: Client;
  /** Another connection to the same endpoint, on which unary calls cost less. */
  readonly quick?: UnaryConnection;
}

/** How long the preferred endpoint may take to connect before the next one is tried beside it. */
export const HEAD_START_MS = 250;

/**
 * Chooses among the connections to several endpoints. It stays with one as long as that works; when it isn't
 * connected, or a call on it failed, the endpoints are tried in turn, the next one starting as soon as the one before
 * fails or hangs for a moment. The first to connect is taken.
 */
export class Connections {
  readonly all: readonly Connection[];
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  #preferred = 0;
  #connecting: Promise<Connection | undefined> | undefined;

  constructor(connections: readonly Connection[], options: { clock: Clock; timeoutMs: number }) {
    this.all = connections;
    this.#clock = options.clock;
    this.#timeoutMs = options.timeoutMs;
  }

  get preferred(): Connection {
    return this.all[this.#preferred]!;
  }

  /** The preferred connection if it is up: the hot path. */
  ready(): Connection | undefined {
    const { preferred } = this;
    return isReady(preferred) ? preferred : undefined;
  }

  /** Waits for a connection. @returns undefined when no endpoint could be connected in time. */
  connect(): Promise<Connection | undefined> {
    this.#connecting ??= this.#race().finally(() => (this.#connecting = undefined));
    return this.#connecting;
  }

  /** A call failed on this connection: others go first from now on. */
  failed(connection: Connection): void {
    if (connection !== this.preferred) return;
    this.#preferred = (this.#preferred + 1) % this.all.length;
  }

  async #race(): Promise<Connection | undefined> {
    const { all } = this;
    const order = Array.from(all, (_, i) => all[(this.#preferred + i) % all.length]!);
    const winner = await raceConnections(order, this.#clock, this.#timeoutMs);
    if (winner !== undefined) this.#preferred = this.all.indexOf(winner);
    return winner;
  }
}

function raceConnections(
  order: readonly Connection[],
  clock: Clock,
  timeoutMs: number,
): Promise<Connection | undefined> {
  const { promise, resolve } = Promise.withResolvers<Connection | undefined>();
  // gRPC's deadlines are times of the machine's clock; its timers keep the process alive while it connects.
  const deadline = Date.now() + timeoutMs;
  let started = 0;
  let given = 0;
  let done = false;
  let cancelHeadStart = () => {};

  const finish = (winner: Connection | undefined) => {
    if (done) return;
    done = true;
    cancelHeadStart();
    resolve(winner);
  };
  const startNext = () => {
    if (done || started === order.length) return;
    cancelHeadStart();
    cancelHeadStart = clock.after(HEAD_START_MS, startNext);
    follow(order[started++]!);
  };
  const follow = (connection: Connection) => {
    if (done) return;
    const state = stateOf(connection, true);
    if (state === connectivityState.READY) return finish(connection);
    if (state === connectivityState.SHUTDOWN) return finish(undefined);
    if (state === connectivityState.TRANSIENT_FAILURE) startNext();
    connection.client.getChannel().watchConnectivityState(state, deadline, (expired) => {
      if (expired === undefined) follow(connection);
      else if (++given === order.length) finish(undefined);
      else startNext();
    });
  };
  startNext();
  return promise;
}

function isReady(connection: Connection): boolean {
  return stateOf(connection, false) === connectivityState.READY;
}

function stateOf(connection: Connection, connect: boolean): connectivityState {
  try {
    return connection.client.getChannel().getConnectivityState(connect);
  } catch {
    return connectivityState.SHUTDOWN;
  }
}
