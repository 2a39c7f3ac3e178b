/**
 * What a configuration file may hold. What is left out has its zero: an empty text, false, 0, no items, no time, an
 * object of zeros; what is optional is undefined. `any` is what another reader looks at.
 */
export type Shape =
  'string' | 'boolean' | 'integer' | 'duration' | 'any' | ListShape | MapShape | OptionalShape | RecordShape;

interface ListShape {
  readonly kind: 'list';
  readonly of: Shape;
}

/** Keys are the user's choice. */
interface MapShape {
  readonly kind: 'map';
  readonly of: Shape;
}

interface OptionalShape {
  readonly kind: 'optional';
  readonly of: Shape;
}

interface RecordShape {
  readonly kind: 'record';
  readonly fields: Readonly<Record<string, Shape>>;
}

/** The values of a shape. Durations are in milliseconds. */
export type Shaped<S> = S extends 'string'
  ? string
  : S extends 'boolean'
    ? boolean
    : S extends 'duration' | 'integer'
      ? number
      : S extends 'any'
        ? unknown
        : S extends { readonly kind: 'list'; readonly of: infer Item }
          ? readonly Shaped<Item>[]
          : S extends { readonly kind: 'map'; readonly of: infer Value }
            ? ReadonlyMap<string, Shaped<Value>>
            : S extends { readonly kind: 'optional'; readonly of: infer Value }
              ? Shaped<Value> | undefined
              : S extends { readonly kind: 'record'; readonly fields: infer Fields }
                ? { readonly [Field in keyof Fields]: Shaped<Fields[Field]> }
                : never;

export const list = <const S extends Shape>(of: S) => ({ kind: 'list', of }) as const;
export const map = <const S extends Shape>(of: S) => ({ kind: 'map', of }) as const;
export const optional = <const S extends Shape>(of: S) => ({ kind: 'optional', of }) as const;
export const record = <const F extends Readonly<Record<string, Shape>>>(fields: F) =>
  ({ kind: 'record', fields }) as const;
