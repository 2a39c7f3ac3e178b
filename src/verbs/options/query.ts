import { badRequestError } from '../../errors/status-errors.ts';
import { flagValue } from '../../request/query-values.ts';

const INT64 = /^[+-]?\d{1,19}$/;
const INT64_MAX = 2n ** 63n - 1n;

/**
 * Reads an integer query parameter: decimal, within int64. Values that a number can't hold exactly are clamped.
 *
 * @returns undefined when it is absent. @throws ApiError 400 for anything that is no integer, '' included.
 */
export function integerParameter(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = INT64.test(text) ? BigInt(text) : undefined;
  if (value === undefined || value > INT64_MAX || value < -INT64_MAX - 1n) {
    throw badRequestError(`the query parameter ${name} is not a 64-bit integer: ${JSON.stringify(text)}`);
  }
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  return number > 0 ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER;
}

/** Reads a boolean query parameter. @returns undefined when it is absent. */
export function booleanParameter(query: URLSearchParams, name: string): boolean | undefined {
  return query.has(name) ? flagValue(query.get(name)) : undefined;
}

/** Reads a text query parameter; '' when it is absent. */
export function textParameter(query: URLSearchParams, name: string): string {
  return query.get(name) ?? '';
}

/** The values of `dryRun`. Without a text (`?dryRun`) it is as if it weren't there: a normal request. */
export function dryRunParameter(query: URLSearchParams): string[] {
  return query.getAll('dryRun').filter((value) => value !== '');
}
