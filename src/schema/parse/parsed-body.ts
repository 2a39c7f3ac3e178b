import type { Json } from '../../meta/object.ts';

/** A request body as a value, and what the value alone doesn't tell. */
export interface ParsedBody {
  readonly value: Json;
  /**
   * Keys that an object has twice, in the form that users are told: a path such as `spec.containers[0].image`, or, from
   * YAML, a line and a key. At most {@link MAX_PROBLEMS}.
   */
  readonly duplicates: readonly Duplicate[];
  /** Paths of whole numbers that are written with a fraction or an exponent: no integers to the interface. */
  readonly floats: readonly (readonly PathStep[])[];
  /** Fields that the type doesn't have, where reading depends on it: of Protobuf. */
  readonly unknownFields?: readonly string[];
}

/** A field or key, or an index. */
export type PathStep = string | number;

/** A key that an object's text has twice. */
export interface Duplicate {
  /** Absent where only a line is known. */
  readonly path?: readonly PathStep[];
  readonly message: string;
}

/** How deeply arrays and objects may be nested: nothing of the interface comes near, and what walks a value recurses. */
export const MAX_DEPTH = 1_000;

/** So many unknown and repeated fields are told of; more would only fill logs and headers. */
export const MAX_PROBLEMS = 100;

/** A path as users read it: `spec.containers[0].image`. */
export function formatPath(path: readonly PathStep[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}
