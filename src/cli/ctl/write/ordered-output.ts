import type { Output } from '../output.ts';

/** Writes texts in the order of their numbers, each as soon as all before it are there. */
export class OrderedOutput {
  readonly #output: Output;
  readonly #before: () => Promise<void>;
  readonly #waiting = new Map<number, string>();
  #next = 0;
  #writing: Promise<void> = Promise.resolve();

  /** @param before is called before something is written. */
  constructor(output: Output, before: () => Promise<void>) {
    this.#output = output;
    this.#before = before;
  }

  /** @param text '' for what is not told here. */
  add(number: number, text: string): Promise<void> {
    this.#waiting.set(number, text);
    this.#writing = this.#writing.then(() => this.#flush());
    return this.#writing;
  }

  async #flush(): Promise<void> {
    let ready = '';
    for (;;) {
      const text = this.#waiting.get(this.#next);
      if (text === undefined) break;
      this.#waiting.delete(this.#next++);
      ready += text;
    }
    if (ready === '') return;
    await this.#before();
    await this.#output.write(ready);
  }
}
