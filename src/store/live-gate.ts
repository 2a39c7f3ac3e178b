/** A door that is open or shut; whoever waits goes through once it opens. */
export class LiveGate {
  #open = false;
  #waiting = new Set<() => void>();

  get isOpen(): boolean {
    return this.#open;
  }

  open(): void {
    this.#open = true;
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const go of waiting) go();
  }

  shut(): void {
    this.#open = false;
  }

  /** Resolves once the door is open or the signal aborts. */
  passed(signal?: AbortSignal): Promise<void> {
    if (this.#open || signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const go = (): void => {
        signal?.removeEventListener('abort', go);
        this.#waiting.delete(go);
        resolve();
      };
      this.#waiting.add(go);
      signal?.addEventListener('abort', go);
    });
  }
}
