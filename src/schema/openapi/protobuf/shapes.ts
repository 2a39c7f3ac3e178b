import type { Json } from '../../../meta/object.ts';

/**
 * How the JSON of OpenAPI documents becomes the Protobuf messages that clients know under the media types
 * `application/com.github.proto-openapi.spec.v2@v1.0+protobuf` and `….v3@v1.0+protobuf`. A shape is
 *
 * - `string`, `boolean`, `integer`, `number`;
 * - `any`: a value of its own, as YAML text in a message;
 * - the name of a message or of a choice;
 * - `X[]`: a field for each item;
 * - `X()`: a message whose first field is repeated for each item; a single value counts as one;
 * - `X{}`: a message whose first field is repeated for each member of an object: a message of its name and value.
 */
export type Shape = string;

/** The messages of one version of OpenAPI. */
export interface DocumentShapes {
  readonly messages: Readonly<Record<string, MessageShape>>;
  readonly choices: Readonly<Record<string, Choice>>;
}

/** Field number and shape, by the JSON's names. */
export type MessageShape = Readonly<Record<string, readonly [number, Shape]>> & {
  /** Members whose names begin with `x-`. Each is repeated as a message of its name and value. */
  readonly 'x-'?: readonly [number, 'any'];
  /** All other members, likewise. */
  readonly '*'?: readonly [number, Shape];
};

/** A message with one of several fields. @returns undefined where none fits. */
export type Choice = (value: Json) => readonly [number, Shape] | undefined;

function member(value: Json, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value[name] : undefined;
}

/** A thing, or a reference to it. */
export function orReference(shape: Shape, reference: Shape): Choice {
  return (value) => (member(value, '$ref') === undefined ? [1, shape] : [2, reference]);
}

/** By the text of one member. */
export function byMember(
  name: string,
  fields: Readonly<Record<string, readonly [number, Shape]>>,
  other?: readonly [number, Shape],
): Choice {
  return (value) => {
    const text = member(value, name);
    return (typeof text === 'string' ? fields[text] : undefined) ?? other;
  };
}

/** A boolean, or something else. */
export function orBoolean(shape: Shape): Choice {
  return (value) => (typeof value === 'boolean' ? [2, 'boolean'] : [1, shape]);
}
