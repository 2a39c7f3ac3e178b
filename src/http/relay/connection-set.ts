/** Connections that go on in other protocols, so that the server can end them when it stops. */
export class ConnectionSet {
  readonly #ends = new Set<() => void>();

  get size(): number {
    return this.#ends.size;
  }

  /** @param end ends the connection. @returns what to call when it is over. */
  add(end: () => void): () => void {
    this.#ends.add(end);
    return () => void this.#ends.delete(end);
  }

  endAll(): void {
    for (const end of this.#ends) end();
  }
}
