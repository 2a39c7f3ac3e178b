import type { Clock } from './clock.ts';

/** Somebody's turn at a key. */
export interface Turn {
  /** Whether others came first: what was known before may be old. */
  readonly waited: boolean;
  /** Lets the next one begin. To be called once. */
  end(): void;
}

/** Longer than this nobody waits: whoever has the turn may be waiting for them. */
const PATIENCE_MS = 1000;

/** Lets those who want the same key do so one after the other, in the order in which they came. */
export class Turns {
  readonly #clock: Clock;
  /** Whoever waits behind the one whose turn it is. */
  readonly #queues = new Map<string, (() => void)[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes a turn at once where nobody has it, else after those who came before, but no later than after a second. */
  take(key: string): Promise<Turn> {
    const queue = this.#queues.get(key);
    if (queue === undefined) {
      this.#queues.set(key, []);
      return Promise.resolve({ waited: false, end: () => this.#pass(key) });
    }
    return new Promise((resolve) => {
      const begin = (): void => {
        cancel();
        resolve({ waited: true, end: () => this.#pass(key) });
      };
      queue.push(begin);
      const cancel = this.#clock.after(PATIENCE_MS, () => {
        queue.splice(queue.indexOf(begin), 1);
        resolve({ waited: true, end: () => undefined });
      });
    });
  }

  #pass(key: string): void {
    const next = this.#queues.get(key)?.shift();
    if (next === undefined) this.#queues.delete(key);
    else next();
  }
}
