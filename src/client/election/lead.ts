import type { Clock } from '../../lib/clock.ts';
import { wait } from '../request/wait.ts';
import { wakefulClock } from '../wakeful-clock.ts';
import { LeaseLock, type Leases } from './lease-lock.ts';

export interface LeadOptions {
  /** `client.resource('coordination…/v1', 'Lease').namespace(…)`; {@link Client.leases} finds the group's name. */
  readonly leases: Leases;
  /** The Lease's. */
  readonly name: string;
  /** This candidate's: unique among them. */
  readonly identity: string;
  /** What only the leader does. The signal aborts when the lead, or everything, ends. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** Ends it, and gives up the lead. */
  readonly signal: AbortSignal;
  /** Milliseconds after which others take over from a leader that is silent; 15,000 by default. */
  readonly leaseDuration?: number;
  /** Milliseconds after which a leader that can't renew gives up; 10,000 by default, less than the duration. */
  readonly renewDeadline?: number;
  /** Milliseconds between attempts to take or renew; 2,000 by default, less than the deadline. */
  readonly retryPeriod?: number;
  /** Milliseconds between renewals that succeed; as between attempts by default. */
  readonly renewPeriod?: number;
  /** Told who leads when that changes. */
  readonly onNewLeader?: (identity: string) => void;
  readonly onError?: (error: unknown) => void;
  readonly clock?: Clock;
  /** As Math.random, for delays. */
  readonly random?: () => number;
}

/** Somebody else may lead now: whatever only the leader may do has to end. */
export class LeadLostError extends Error {
  override readonly name = 'LeadLostError';

  constructor() {
    super('the lead is lost: the lease could not be renewed in time');
  }
}

/**
 * Waits until this candidate leads, then does what only the leader does; returns when that is done, or the signal aborts.
 *
 * @throws LeadLostError when the lease can't be renewed in time; what the work throws; RangeError for times that can't work.
 */
export async function lead(options: LeadOptions): Promise<void> {
  const {
    clock = wakefulClock,
    signal,
    leaseDuration = 15_000,
    renewDeadline = 10_000,
    retryPeriod = 2_000,
    renewPeriod = retryPeriod,
  } = options;
  const periods = [retryPeriod, renewPeriod];
  if (!(leaseDuration > renewDeadline && periods.every((ms) => renewDeadline > ms && ms > 0))) {
    throw new RangeError(
      'leaseDuration must be more than renewDeadline, and that more than retryPeriod and renewPeriod',
    );
  }
  const lock = new LeaseLock({
    ...options,
    duration: leaseDuration,
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
  });
  const candidate = new Candidate(lock, { ...options, clock, renewDeadline, retryPeriod, renewPeriod });
  if (!(await candidate.acquire())) return;
  const ended = new AbortController();
  const work = endOf(options.work(AbortSignal.any([signal, ended.signal])), signal);
  const renewing = candidate.renew(ended.signal);
  try {
    await Promise.race([work, renewing]);
    await work;
  } finally {
    ended.abort(new Error('the lead ended'));
    const lost = await renewing.then(
      () => false,
      () => true,
    );
    await work.catch(() => undefined); // It was thrown, or the lead's loss was.
    if (!lost) await lock.release(AbortSignal.timeout(renewDeadline)).catch(() => undefined);
  }
}

/** Waits for work that was told to end; throwing the reason back is one way to. */
async function endOf(work: Promise<void>, signal: AbortSignal): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
  }
}

type CandidateOptions = LeadOptions &
  Required<Pick<LeadOptions, 'clock' | 'renewDeadline' | 'retryPeriod' | 'renewPeriod'>>;

class Candidate {
  readonly #lock: LeaseLock;
  readonly #options: CandidateOptions;
  #leader = '';

  constructor(lock: LeaseLock, options: CandidateOptions) {
    this.#lock = lock;
    this.#options = options;
  }

  /** @returns whether it leads; else everything has ended. */
  async acquire(): Promise<boolean> {
    const { signal, clock, retryPeriod, random = Math.random } = this.#options;
    while (!signal.aborted) {
      if (await this.#take(signal)) return true;
      // By chance up to 2.2 times as long, so that candidates don't meet.
      await wait(retryPeriod * (1 + 1.2 * random()), clock, signal).catch(() => undefined);
    }
    return false;
  }

  /** Renews until the lead has ended. @throws LeadLostError when somebody else has it, or renewing fails for too long. */
  async renew(ended: AbortSignal): Promise<void> {
    const { signal, clock, retryPeriod, renewPeriod, renewDeadline, identity } = this.#options;
    const over = AbortSignal.any([signal, ended]);
    let deadline = clock.monotonic() + renewDeadline;
    let pause = renewPeriod;
    while (!over.aborted) {
      await wait(Math.min(pause, deadline - clock.monotonic()), clock, over).catch(() => undefined);
      if (over.aborted) return;
      const late = new AbortController();
      const cancel = clock.after(deadline - clock.monotonic(), () => late.abort(new LeadLostError()));
      const held = await this.#take(AbortSignal.any([over, late.signal]));
      cancel();
      pause = held ? renewPeriod : retryPeriod;
      if (held) deadline = clock.monotonic() + renewDeadline;
      else if (!over.aborted && (this.#lock.holder !== identity || clock.monotonic() >= deadline)) {
        throw new LeadLostError();
      }
    }
  }

  async #take(signal: AbortSignal): Promise<boolean> {
    try {
      return await this.#lock.take(signal);
    } catch (error) {
      if (!signal.aborted) this.#options.onError?.(error);
      return false;
    } finally {
      if (this.#lock.holder !== this.#leader) {
        this.#leader = this.#lock.holder;
        this.#options.onNewLeader?.(this.#leader);
      }
    }
  }
}
