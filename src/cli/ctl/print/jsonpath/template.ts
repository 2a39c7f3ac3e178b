/** A parsed JSONPath template: texts, expressions, and ranges over what comes behind them. */
export type Template = readonly TemplatePart[];

export type TemplatePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'path'; readonly steps: Path }
  | { readonly type: 'range'; readonly steps: Path; readonly body: Template };

/** Steps from a value to others, or literals; each step goes on from what the one before found. */
export type Path = readonly Step[];

export type Step =
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'wildcard' }
  | { readonly type: 'recursive' }
  | { readonly type: 'slice'; readonly slice: Slice }
  | { readonly type: 'union'; readonly paths: readonly Path[] }
  | { readonly type: 'filter'; readonly filter: Filter }
  | { readonly type: 'literal'; readonly value: string | number | boolean };

/** `[start:end:step]`; an index alone is a slice of one. */
export interface Slice {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly step: number | undefined;
  /** Written as an index, which must exist. */
  readonly index: boolean;
}

/** `[?(left operator right)]`, or `[?(left)]`, which asks whether there is any. */
export interface Filter {
  readonly left: Path;
  readonly operator: string;
  readonly right: Path;
}

/** A template with a mistake, or one that doesn't fit an object. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}
