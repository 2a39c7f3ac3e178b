/** Numbers from a seed, so that a run that fails can be run again. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, but not including, 1. */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  happens(chance: number): boolean {
    return this.roll() < chance;
  }

  pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.roll() * values.length)] as T;
  }

  some<T>(values: readonly T[], chance: number): T[] {
    return values.filter(() => this.happens(chance));
  }
}
