import type { Json, JsonObject } from '../../../src/meta/object.ts';

const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d`;

/** What each matcher of the corpus stands for. */
const MATCHERS: Readonly<Record<string, string>> = {
  uid: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  rv: '[1-9][0-9]*',
  time: `${TIME}Z`,
  microtime: String.raw`${TIME}\.\d{6}Z`,
  continue: String.raw`[\s\S]+`,
  jwt: String.raw`[\w-]+\.[\w-]+\.[\w-]+`,
  ip: String.raw`\d+\.\d+\.\d+\.\d+`,
  age: String.raw`(?:(?:\d+[smhdy])+|<invalid>|<unknown>)(?: .*)?`,
  rand5: '[a-z0-9]{5}',
  msg: String.raw`[\s\S]+`,
  str: String.raw`[\s\S]*`,
};

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const escapeToken = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Whether a value is what a recorded string, possibly with matchers, stands for. */
export function matchesText(expected: string, actual: Json | undefined): boolean {
  if (expected === '<<any>>') return true;
  if (expected === '<<num>>') return typeof actual === 'number';
  if (expected === '<<port>>') return typeof actual === 'number' && actual >= 30000 && actual <= 32767;
  if (typeof actual !== 'string') return false;
  if (!expected.includes('<<') || expected === '<<absent>>') return expected === actual;
  const pattern = expected
    .split(/(<<\w+>>)/)
    .map((part) =>
      part.startsWith('<<') ? (MATCHERS[part.slice(2, -2)] ?? String.raw`[\s\S]*`) : escapeRegExp(part),
    );
  return new RegExp(`^${pattern.join('')}$`).test(actual);
}

function show(value: Json | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 157)}…` : text;
}

/** Adds a line to `out` for every place where a value differs from the recorded one. */
export function difference(
  expected: Json | undefined,
  actual: Json | undefined,
  path: string,
  out: string[],
): void {
  if (typeof expected === 'string' && expected.includes('<<')) {
    if (!matchesText(expected, actual)) out.push(`${path}: want ${expected}, got ${show(actual)}`);
  } else if (Array.isArray(expected)) {
    arrayDifference(expected, actual, path, out);
  } else if (expected !== null && typeof expected === 'object') {
    objectDifference(expected, actual, path, out);
  } else if (expected !== actual) {
    out.push(`${path}: want ${show(expected)}, got ${show(actual)}`);
  }
}

function arrayDifference(expected: Json[], actual: Json | undefined, path: string, out: string[]): void {
  if (!Array.isArray(actual)) {
    out.push(`${path}: want an array, got ${show(actual)}`);
    return;
  }
  if (expected.length !== actual.length) {
    out.push(`${path}: want ${expected.length} items, got ${actual.length} ${show(actual)}`);
  }
  for (let i = 0; i < Math.min(expected.length, actual.length); i++) {
    difference(expected[i], actual[i], `${path}/${i}`, out);
  }
}

function objectDifference(expected: JsonObject, actual: Json | undefined, path: string, out: string[]): void {
  if (actual === null || typeof actual !== 'object' || Array.isArray(actual)) {
    out.push(`${path}: want an object, got ${show(actual)}`);
    return;
  }
  for (const [key, value] of Object.entries(expected)) {
    const here = `${path}/${escapeToken(key)}`;
    if (Object.hasOwn(actual, key)) difference(value, actual[key], here, out);
    else out.push(`${here}: missing, want ${show(value)}`);
  }
  for (const key of Object.keys(actual)) {
    if (!Object.hasOwn(expected, key))
      out.push(`${path}/${escapeToken(key)}: unexpected ${show(actual[key])}`);
  }
}
