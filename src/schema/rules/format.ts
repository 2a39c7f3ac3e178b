import type { FormatName } from './formats.ts';

/**
 * The form of `schemas/rules/*.yaml`: what must hold for the fields of a type, in every version of its group that has
 * them. docs/validation.md explains the vocabulary; what it can't say is a check in TypeScript.
 */
export interface RulesFile {
  readonly types: Readonly<Record<string, TypeRules>>;
}

export interface TypeRules {
  readonly fields?: Readonly<Record<string, FieldRules>>;
  /** One of these fields is set, and no other. */
  readonly exactlyOneOf?: readonly string[];
  /** At most one of these fields is set. */
  readonly atMostOneOf?: readonly string[];
}

/** What must hold for the value of a field. */
export interface FieldRules extends ValueRules {
  /** Empty and absent texts and numbers are held to the other words, too, unless the field is a pointer. */
  readonly checkEmpty?: true;
  /** The field is neither absent nor empty: always, or under a condition. */
  readonly required?: true | Condition;
  /** The field is absent or empty under this condition. */
  readonly forbidden?: Condition;
  /** An update leaves the field as it is: in any case, or once it has a value. */
  readonly immutable?: true | 'onceSet';
  /** The types below don't have their rules here: what is stored is looked at where it is used. */
  readonly unchecked?: true;
}

/** What other fields of the same struct hold: each of `when`, none of `unless`. An absent text is `''`. */
export interface Condition {
  readonly when?: Readonly<Record<string, readonly Scalar[]>>;
  readonly unless?: Readonly<Record<string, readonly Scalar[]>>;
}

export type Scalar = string | number | boolean;

/**
 * What must hold for a value. Absent pointers and empty texts in fields are left alone (`required` and `checkEmpty` are
 * about those); an absent number that is no pointer is 0.
 */
export interface ValueRules {
  /** A text has this form. */
  readonly format?: FormatName;
  /** A text matches this regular expression, as a whole. */
  readonly pattern?: string;
  /** The least that a number or quantity may be. */
  readonly min?: number;
  /** The most that a number or quantity may be. */
  readonly max?: number;
  /** A text is one of these. */
  readonly enum?: readonly string[];
  /** The most bytes (UTF-8) that a text has. */
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Items differ: as a whole, or in these fields together. The error is at the item, or at its only key field. */
  readonly unique?: true | readonly string[];
  /** For each item of a list and each value of a map. */
  readonly each?: ValueRules;
  /** For each key of a map. */
  readonly keys?: ValueRules;
}

/** Every word of the vocabulary, by where it may stand. */
export const WORDS = {
  type: ['fields', 'exactlyOneOf', 'atMostOneOf'],
  field: ['checkEmpty', 'required', 'forbidden', 'immutable', 'unchecked'],
  value: [
    'format',
    'pattern',
    'min',
    'max',
    'enum',
    'maxLength',
    'minItems',
    'maxItems',
    'unique',
    'each',
    'keys',
  ],
  condition: ['when', 'unless'],
} as const;
