/**
 * A JSON value as expressions see it: whole numbers are of the type `int`, others of `double`. Nothing is inherited, so
 * that `claims.constructor` is as absent as any other key.
 */
export function expressionValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(expressionValue);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, one]) => [key, expressionValue(one)]));
}
