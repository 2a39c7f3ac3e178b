import type { Revision } from '../meta/revision.ts';

/**
 * Asks the store how far it is, for many readers at once. Who asks joins a query that has *not yet been sent*, because
 * only such a one sees every write that was acknowledged before; one query is under way at a time.
 */
export class RevisionQuery {
  readonly #ask: () => Promise<Revision>;
  #underWay = false;
  #next: Promise<Revision> | undefined;
  #send: (() => void) | undefined;

  constructor(ask: () => Promise<Revision>) {
    this.#ask = ask;
  }

  /** The store's newest revision, not older than any write acknowledged before the call. */
  newest(): Promise<Revision> {
    if (this.#next !== undefined) return this.#next;
    if (!this.#underWay) return this.#start();
    return (this.#next = new Promise((resolve, reject) => {
      this.#send = () => {
        this.#next = undefined;
        this.#send = undefined;
        this.#start().then(resolve, reject);
      };
    }));
  }

  async #start(): Promise<Revision> {
    this.#underWay = true;
    try {
      return await this.#ask();
    } finally {
      this.#underWay = false;
      this.#send?.();
    }
  }
}
