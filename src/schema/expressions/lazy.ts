import type { ExpressionChecker } from './checker.ts';
import { loadExpressions } from './compile.ts';

/** Expressions for the rules of kinds. The language is loaded before the first object is checked that may hold some. */
export class LazyExpressions {
  #checker: ExpressionChecker | undefined;
  #loading: Promise<void> | undefined;

  /** Loads it, once. */
  readonly load = (): Promise<void> => (this.#loading ??= this.#load());

  /** @throws Error before it is loaded. */
  readonly checker = (): ExpressionChecker => {
    if (this.#checker === undefined) throw new Error('expressions are not loaded');
    return this.#checker;
  };

  async #load(): Promise<void> {
    try {
      this.#checker = (await loadExpressions()).checker;
    } catch (error) {
      this.#loading = undefined;
      throw error;
    }
  }
}
