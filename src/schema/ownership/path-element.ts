import { exactJson } from '../../lib/exact-json.ts';
import type { Json } from '../../meta/object.ts';
import { compareUtf8 } from '../codec/key-order.ts';
import { parseJsonText } from '../parse/json.ts';

/**
 * Steps of the paths in field sets, as text: `f:` and a field or a map's key; `k:` and the key fields of a list's item,
 * `v:` and a set's item, both as JSON; `i:` and an index. `.` isn't a step, but says that the path itself is a member.
 */

/** The path element of a list's item by its key fields. @param fields sorted by name. */
export function keyElement(fields: readonly (readonly [name: string, value: Json])[]): string {
  let text = 'k:{';
  for (const [name, value] of fields)
    text += `${text.length === 3 ? '' : ','}${jsonText(name)}:${jsonText(value)}`;
  return `${text}}`;
}

/** The path element of a set's item. */
export function valueElement(value: Json): string {
  return `v:${jsonText(value)}`;
}

const PLAIN_TEXT = /^[\w ./:@*-]*$/;
const ESCAPED = /[<>&\u2028\u2029]/g;

/** JSON as Go writes it, which is how path elements are spelled wherever they come from. */
function jsonText(value: Json): string {
  if (typeof value === 'string' && PLAIN_TEXT.test(value)) return `"${value}"`;
  return exactJson(value).replace(ESCAPED, escapeUnit);
}

function escapeUnit(c: string): string {
  return `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * The one spelling of a path element.
 *
 * @returns null for kinds that later versions may know, which are left out; undefined for what is no element.
 */
export function canonicalElement(text: string): string | null | undefined {
  if (text.charCodeAt(1) !== 0x3a) return undefined;
  switch (text[0]) {
    case 'f':
      return text;
    case 'i':
      return /^-?\d{1,9}$/.test(text.slice(2)) ? `i:${Number(text.slice(2))}` : undefined;
    case 'v': {
      const value = parse(text);
      return value === undefined ? undefined : valueElement(value);
    }
    case 'k': {
      const key = parse(text);
      if (typeof key !== 'object' || key === null || Array.isArray(key)) return undefined;
      return keyElement(sortedFields(key as Readonly<Record<string, Json>>));
    }
    default:
      return null;
  }
}

/** A path element as users read it: `.name`, `[name="a"]`, `[="value"]`, `[0]`. */
export function describeElement(element: string): string {
  const text = element.slice(2);
  switch (element[0]) {
    case 'f':
      return `.${text}`;
    case 'k': {
      const fields = sortedFields((parse(element) ?? {}) as Readonly<Record<string, Json>>);
      return `[${fields.map(([name, value]) => `${name}=${exactJson(value)}`).join(',')}]`;
    }
    case 'v':
      return `[=${exactJson(parse(element))}]`;
    default:
      return `[${text}]`;
  }
}

/** Elements whose JSON has one spelling, and that sort like their texts: nearly all that aren't fields. */
const PLAIN = /^(?:v:"[\w./:@*-]*"|k:\{"\w+":"[\w./:@*-]*"\})$/;

/** Whether an element is one, in its one spelling. */
export function isCanonicalElement(text: string): boolean {
  if (text.charCodeAt(0) === 0x66) return text.charCodeAt(1) === 0x3a;
  return PLAIN.test(text) || canonicalElement(text) === text;
}

function parse(element: string): Json | undefined {
  return parseJsonText(element.slice(2));
}

function sortedFields(key: Readonly<Record<string, Json>>): [string, Json][] {
  return Object.entries(key).sort(([a], [b]) => compareUtf8(a, b));
}

const KIND_ORDER = '.fkvi';

/** Sorts path elements. @param elements in their one spelling; changed in place */
export function sortInOrder(elements: string[]): string[] {
  const known = new Map<string, Json | undefined>();
  const parseOnce = (element: string): Json | undefined => {
    const value = known.get(element);
    if (value !== undefined) return value;
    const parsed = parse(element);
    known.set(element, parsed);
    return parsed;
  };
  return elements.sort((a, b) => compareElements(a, b, parseOnce));
}

/** The order of path elements in a set: negative, zero or positive. Elements are in their one spelling. */
export function compareElements(a: string, b: string, read = parse): number {
  const kind = a.charAt(0);
  if (kind !== b.charAt(0)) return KIND_ORDER.indexOf(kind) - KIND_ORDER.indexOf(b.charAt(0));
  if (kind === 'f' || a === b) return compareUtf8(a, b);
  if (PLAIN.test(a) && PLAIN.test(b)) return compareUtf8(a, b);
  if (kind === 'k') return compareKeys(read(a), read(b));
  return compareValues(read(a), read(b));
}

function compareKeys(a: Json | undefined, b: Json | undefined): number {
  const left = Object.entries((a ?? {}) as Readonly<Record<string, Json>>);
  const right = Object.entries((b ?? {}) as Readonly<Record<string, Json>>);
  for (const [i, [name, value]] of left.entries()) {
    const other = right[i];
    if (other === undefined) return 1;
    const order = compareUtf8(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

const TYPE_ORDER = ['number', 'string', 'boolean', 'object'];

function compareValues(a: Json | undefined, b: Json | undefined): number {
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'string' && typeof b === 'string') return compareUtf8(a, b);
  const byType = typeRank(a) - typeRank(b);
  return byType === 0 ? compareUtf8(exactJson(a), exactJson(b)) : byType;
}

function typeRank(value: Json | undefined): number {
  return isNumber(value) ? 0 : TYPE_ORDER.indexOf(typeof value);
}

function isNumber(value: Json | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}
