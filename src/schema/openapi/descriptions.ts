import type { Field, StructType } from '../model.ts';
import { typeKey } from '../type-key.ts';

/** What a type and its fields are for: `.` is the type itself. */
export type TypeDescription = Readonly<Record<string, string>>;

/** The built `descriptions.json`: by type, as {@link typeKey} names it, and for scalars by their component's last name. */
export type DescriptionTable = Readonly<Record<string, TypeDescription>>;

/** Says what types, fields and scalars are for, where the table does. */
export class Descriptions {
  readonly #table: DescriptionTable;

  constructor(table: DescriptionTable) {
    this.#table = table;
  }

  ofType(type: StructType): string | undefined {
    return this.#table[typeKey(type)]?.['.'];
  }

  ofField(type: StructType, { name }: Field): string | undefined {
    return this.#table[typeKey(type)]?.[name];
  }

  /** @param name without the package, such as `Quantity`. */
  ofScalar(name: string): string | undefined {
    return this.#table[name]?.['.'];
  }
}
