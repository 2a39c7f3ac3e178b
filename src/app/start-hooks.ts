/**
 * What a start does before the server is ready, each step by the name that its health check has
 * (`poststarthook/<name>`), in the order of the checks.
 */
export class StartHooks {
  readonly names: readonly string[];
  readonly #done = new Set<string>();

  constructor(names: readonly string[]) {
    this.names = names;
  }

  /** Runs a step. @throws Error for a step without a health check; what `work` throws. */
  async run(name: string, work: () => Promise<void>): Promise<void> {
    this.#mustKnow(name);
    await work();
    this.#done.add(name);
  }

  /** Runs what begins several steps at once. @throws Error for a step without a health check. */
  begin<T>(names: readonly string[], work: () => T): T {
    for (const name of names) this.#mustKnow(name);
    const begun = work();
    for (const name of names) this.#done.add(name);
    return begun;
  }

  /** Takes the steps that are left for done: a server before this one has done them. */
  skipRest(): void {
    for (const name of this.names) this.#done.add(name);
  }

  isDone(name: string): boolean {
    return this.#done.has(name);
  }

  #mustKnow(name: string): void {
    if (!this.names.includes(name)) throw new Error(`no health check tells of the step ${name}`);
  }
}
