import { rowsOf, type FlagRow, type FlagTable } from './flag-table.ts';
import { FLAG_TYPES, type FlagValue } from './flag-types.ts';

/** What the command line and the environment say, with the table's defaults behind it. */
export class FlagValues {
  readonly #rows: ReadonlyMap<string, FlagRow>;
  readonly #given: ReadonlyMap<string, FlagValue>;

  constructor(table: FlagTable, given: ReadonlyMap<string, FlagValue>) {
    this.#rows = rowsOf(table);
    this.#given = given;
  }

  /** Whether somebody set the flag, to whatever value. */
  isSet(name: string): boolean {
    return this.#given.has(name);
  }

  /** The flags that somebody set, with their rows and values. */
  *given(): Generator<readonly [name: string, row: FlagRow, value: FlagValue]> {
    for (const [name, value] of this.#given) yield [name, this.#row(name), value];
  }

  /** @throws Error for a flag that has another type, or that no row describes (a bug of ours), here and below. */
  boolean(name: string): boolean {
    const value = this.#value(name);
    return typeof value === 'boolean' ? value : this.#fail(name, 'boolean');
  }

  /** Durations are in milliseconds. */
  number(name: string): number {
    const value = this.#value(name);
    return typeof value === 'number' ? value : this.#fail(name, 'number');
  }

  /** `''` for a flag without default that nobody set. */
  text(name: string): string {
    const value = this.#value(name);
    return typeof value === 'string' ? value : this.#fail(name, 'text');
  }

  list(name: string): readonly string[] {
    const value = this.#value(name);
    return Array.isArray(value) ? (value as readonly string[]) : this.#fail(name, 'list');
  }

  map(name: string): ReadonlyMap<string, string> {
    const value = this.#value(name);
    return value instanceof Map ? value : this.#fail(name, 'map');
  }

  #value(name: string): FlagValue {
    return this.#given.get(name) ?? defaultOf(this.#row(name));
  }

  #row(name: string): FlagRow {
    const row = this.#rows.get(name);
    if (row === undefined) throw new Error(`no flag is called ${name}`);
    return row;
  }

  #fail(name: string, wanted: string): never {
    throw new Error(`the flag ${name} is no ${wanted}`);
  }
}

function defaultOf({ type, default: text }: FlagRow): FlagValue {
  const reader = FLAG_TYPES[type];
  // Lists and maps are written as they are shown: in brackets.
  const bare = typeof reader.zero === 'object' ? text?.replace(/^\[|\]$/g, '') : text;
  return bare === undefined || bare === '' ? reader.zero : reader.read(bare, undefined);
}
