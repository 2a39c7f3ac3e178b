import type { Output } from '../output.ts';

const PATIENCE_MS = 1_000;
const EVERY_MS = 200;
const ERASE_LINE = '\r\u001b[K';

/** A line on the terminal that tells how far something is, once it takes more than a second. */
export class Progress {
  readonly #output: Output;
  readonly #total: number;
  readonly #what: string;
  readonly #started = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #done = 0;
  #shown = false;

  /** @param what e.g. `applied`. */
  constructor(output: Output, total: number, what: string) {
    this.#output = output;
    this.#total = total;
    this.#what = what;
    if (output.isTerminal && total > 1) this.#timer = setInterval(() => this.#draw(), EVERY_MS).unref();
  }

  advance(): void {
    this.#done++;
  }

  /** Takes the line away, before something else is written. */
  async clear(): Promise<void> {
    if (!this.#shown) return;
    this.#shown = false;
    await this.#output.write(ERASE_LINE);
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.clear();
  }

  #draw(): void {
    if (performance.now() - this.#started < PATIENCE_MS) return;
    this.#shown = true;
    void this.#output.write(`${ERASE_LINE}${this.#done} of ${this.#total} ${this.#what}`);
  }
}
