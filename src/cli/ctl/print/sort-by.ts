import { compareQuantities } from '../../../meta/quantity-amounts.ts';
import { parseQuantity } from '../../../meta/quantity.ts';
import type { Json } from '../../../meta/object.ts';
import { CtlError } from '../errors.ts';
import { evaluate } from './jsonpath/evaluate.ts';
import { parseTemplate, relaxed } from './jsonpath/parse.ts';
import { JsonPathError } from './jsonpath/template.ts';

/**
 * Sorts by the first value that a path finds in each; those without come first, amounts count by what they amount to.
 *
 * @throws CtlError when the path has a mistake, or finds nothing in any of them.
 */
export function sortBy<T>(path: string, items: readonly T[], objectOf: (item: T) => Json): T[] {
  if (items.length === 0) return [];
  try {
    const spelled = relaxed(path);
    const template = parseTemplate(spelled);
    const keyed = items.map((item) => ({
      item,
      key: evaluate(template, objectOf(item), { allowMissing: true })[0]?.[0],
    }));
    if (keyed.every(({ key }) => key === undefined)) {
      throw new CtlError(
        `couldn't find any field with path ${JSON.stringify(spelled)} in the list of objects`,
      );
    }
    return keyed.sort((a, b) => compareKeys(a.key, b.key)).map(({ item }) => item);
  } catch (error) {
    if (error instanceof JsonPathError) throw new CtlError(error.message, { cause: error });
    throw error;
  }
}

function compareKeys(a: Json | undefined, b: Json | undefined): number {
  if (a === undefined || a === null) return b === undefined || b === null ? 0 : -1;
  if (b === undefined || b === null) return 1;
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  if (Array.isArray(a) && Array.isArray(b)) return compareKeys(a[0], b[0]);
  if (typeof a === 'object' || typeof b === 'object') {
    throw new CtlError('the field to sort by holds other fields; name one of them');
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareTexts(a: string, b: string): number {
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  if (left !== undefined && right !== undefined) return compareQuantities(left, right);
  return a < b ? -1 : a > b ? 1 : 0;
}
