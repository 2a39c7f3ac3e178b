/** A selector that can't be understood: the client's fault (400). */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
}
