import { setTimeout as delay } from 'node:timers/promises';
import type { Pod } from './pods.ts';

const EVERY_MS = 1000;

export interface PodsGoneOptions {
  /** Reads the pods that there are on the node. */
  readonly read: () => Promise<readonly Pod[]>;
  /** Whether nobody waits for a pod any more. */
  readonly givesUp: (pod: Pod) => boolean;
  readonly signal: AbortSignal;
}

/** What became of a pod. */
export type Departure = 'gone' | 'left behind';

interface Waiting {
  readonly pod: Pod;
  readonly resolve: (departure: Departure) => void;
  readonly reject: (error: unknown) => void;
}

/** Waits for any number of pods of a node, with one request a second for all of them. */
export class PodsGone {
  readonly #options: PodsGoneOptions;
  readonly #waiting = new Set<Waiting>();
  #running = false;

  constructor(options: PodsGoneOptions) {
    this.#options = options;
  }

  /** @throws the signal's reason; ServerError where the pods can't be read. */
  async of(pod: Pod): Promise<Departure> {
    const departure = new Promise<Departure>((resolve, reject) => {
      this.#waiting.add({ pod, resolve, reject });
    });
    if (!this.#running) void this.#run();
    return departure;
  }

  async #run(): Promise<void> {
    this.#running = true;
    try {
      while (this.#waiting.size > 0) {
        this.#look(await this.#options.read());
        if (this.#waiting.size > 0) await delay(EVERY_MS, undefined, { signal: this.#options.signal });
      }
    } catch (error) {
      const reason: unknown = this.#options.signal.aborted ? this.#options.signal.reason : error;
      for (const { reject } of this.#waiting) reject(reason);
      this.#waiting.clear();
    } finally {
      this.#running = false;
    }
  }

  #look(pods: readonly Pod[]): void {
    const present = new Map(pods.map((pod) => [pod.metadata.uid, pod]));
    for (const one of this.#waiting) {
      const now = present.get(one.pod.metadata.uid);
      if (now !== undefined && !this.#options.givesUp(now)) continue;
      this.#waiting.delete(one);
      one.resolve(now === undefined ? 'gone' : 'left behind');
    }
  }
}
