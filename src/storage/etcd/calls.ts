import { Metadata } from '@grpc/grpc-js';
import type { Clock } from '../../lib/clock.ts';
import type { Connection } from './connections.ts';
import type { Method, OutgoingCall } from './outgoing-call.ts';
import type { UnaryConnection } from './unary-connection.ts';

/** A call under way. */
interface Cancellable {
  cancel(): void;
}

const NO_METADATA = new Metadata();

/** Sends unary calls, and knows those under way so that closing can wait for them. */
export class Calls {
  readonly #underWay = new Set<Cancellable>();
  #allDone: (() => void) | undefined;

  /** Sends one call once. Rejects with gRPC's ServiceError; CANCELLED when the signal aborts. */
  send<Response>(
    connection: Connection,
    method: Method<never, Response>,
    call: OutgoingCall,
  ): Promise<Response> {
    if (connection.quick?.ready() === true) return this.#sendQuickly(connection.quick, method, call);
    return new Promise((resolve, reject) => {
      const { signal } = call;
      const cancel = () => sent.cancel();
      const sent = withoutStackTrace(() =>
        connection.client.makeUnaryRequest(
          method.path,
          identity,
          method.decode,
          call.payload,
          call.metadata ?? NO_METADATA,
          { deadline: call.deadline },
          (error, answer) => {
            this.#ended(sent);
            signal?.removeEventListener('abort', cancel);
            if (error === null) resolve(answer as Response);
            else reject(error);
          },
        ),
      );
      this.#underWay.add(sent);
      signal?.addEventListener('abort', cancel);
    });
  }

  async #sendQuickly<Response>(
    quick: UnaryConnection,
    method: Method<never, Response>,
    { payload, metadata = NO_METADATA, deadline, signal }: OutgoingCall,
  ): Promise<Response> {
    const sent = quick.send(method, { payload, metadata, deadline });
    const cancel = () => sent.cancel();
    this.#underWay.add(sent);
    signal?.addEventListener('abort', cancel);
    try {
      return await sent.answer;
    } finally {
      this.#ended(sent);
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Waits until every call has been answered, `graceMs` at most, then gives up the rest. */
  async finish(clock: Clock, graceMs: number): Promise<void> {
    if (this.#underWay.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = clock.after(graceMs, resolve);
    this.#allDone = resolve;
    await promise;
    cancel();
    for (const call of this.#underWay) call.cancel();
  }

  #ended(call: Cancellable): void {
    this.#underWay.delete(call);
    if (this.#underWay.size === 0) this.#allDone?.();
  }
}

export function identity(message: Buffer): Buffer {
  return message;
}

/** grpc-js captures a stack trace with every call, in case it fails: a sixth of a call's cost, and of no use to anyone. */
function withoutStackTrace<T>(run: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
