import type { Clock } from '../lib/clock.ts';

export interface ShutdownOptions {
  /** How long requests are still served after the shutdown begins, while readiness fails; milliseconds. */
  readonly delayMs: number;
  /** How long what is under way may then take to complete; milliseconds. */
  readonly graceMs: number;
  /** Whether requests that come in after the delay are told to try elsewhere. */
  readonly sendRetryAfter: boolean;
}

/** What shutting down works on. */
export interface ShutdownParts {
  /** Ends watches in order, so that their clients resume elsewhere, and connections that went on in other protocols. */
  endStreams(): void;
  /** Accepts no more connections, retires those there are; resolves when all are closed. */
  stopListening(): Promise<void>;
  /** Cuts every connection. */
  cutConnections(): void;
}

type Phase = 'serving' | 'delaying' | 'draining' | 'stopped';

/**
 * How a gateway stops: first it is only unready, so that load balancers look elsewhere; then watches and streams end, connections
 * are retired and what is under way completes; at last whatever remains is cut.
 */
export class Lifecycle {
  readonly #options: ShutdownOptions;
  readonly #clock: Clock;
  readonly #parts: ShutdownParts;
  #phase: Phase = 'serving';
  #done: Promise<void> | undefined;

  constructor(options: ShutdownOptions, clock: Clock, parts: ShutdownParts) {
    this.#options = options;
    this.#clock = clock;
    this.#parts = parts;
  }

  /** Whether the shutdown has begun: what the readiness check `shutdown` tells. */
  get shuttingDown(): boolean {
    return this.#phase !== 'serving';
  }

  /** What becomes of a request that comes in now. */
  intake(): 'serve' | 'retire' | 'refuse' {
    if (this.#phase === 'serving' || this.#phase === 'delaying') return 'serve';
    return this.#options.sendRetryAfter ? 'refuse' : 'retire';
  }

  /** Shuts down. Resolves when every connection is closed. Further calls get the same promise. */
  shutdown(): Promise<void> {
    return (this.#done ??= this.#run());
  }

  async #run(): Promise<void> {
    this.#phase = 'delaying';
    if (this.#options.delayMs > 0) await this.#pause(this.#options.delayMs);
    this.#phase = 'draining';
    this.#parts.endStreams();
    const closed = this.#parts.stopListening();
    const cancel = this.#clock.after(this.#options.graceMs, () => this.#parts.cutConnections());
    await closed;
    cancel();
    this.#phase = 'stopped';
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resume) => void this.#clock.after(ms, resume));
  }
}
