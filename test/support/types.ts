import type { Field, ScalarKind, StructType, ValueType } from '../../src/schema/model.ts';

/** What a field of a test's type may say besides its type. */
export type FieldOptions = Partial<Omit<Field, 'name' | 'type'>>;

/** A field: left out of the encoding when it is zero, unless the options say otherwise. */
export function field(name: string, type: ValueType | ScalarKind, options: FieldOptions = {}): Field {
  const valueType = typeof type === 'string' ? { kind: type } : type;
  return { name, type: valueType, number: 1, pointer: false, omitEmpty: true, required: false, ...options };
}

/** A struct of fields, in encoding order. */
export function struct(
  fields: readonly Field[],
  options: Partial<Pick<StructType, 'name' | 'atomic'>> = {},
): StructType {
  return {
    name: 'test.Struct',
    atomic: false,
    ...options,
    fields,
    field: new Map(fields.map((one) => [one.name, one])),
  };
}

/** The type of a field that holds a struct. */
export function structOf(fields: readonly Field[]): ValueType {
  return { kind: 'struct', struct: struct(fields) };
}
