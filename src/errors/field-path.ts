/**
 * Where in an object a value is, such as `spec.containers[0].ports`. A path is made on the way down and becomes text only
 * where something is wrong, so walking an object costs one small object per struct and list.
 */
export class FieldPath {
  /** The object itself: its text is empty. */
  static readonly ROOT = new FieldPath(undefined, '');

  readonly #parent: FieldPath | undefined;
  readonly #step: string | number;

  private constructor(parent: FieldPath | undefined, step: string | number) {
    this.#parent = parent;
    this.#step = step;
  }

  /** A field of the struct that is here. */
  child(name: string): FieldPath {
    return new FieldPath(this, name);
  }

  /** An item of the list that is here. */
  index(index: number): FieldPath {
    return new FieldPath(this, index);
  }

  /** An entry of the map that is here. */
  key(key: string): FieldPath {
    return new FieldPath(this, `[${key}]`);
  }

  toString(): string {
    const parent = this.#parent;
    if (parent === undefined) return '';
    const step = this.#step;
    const before = parent.toString();
    if (typeof step === 'number') return `${before}[${step}]`;
    return before === '' || step.startsWith('[') ? before + step : `${before}.${step}`;
  }
}
