import { isIP } from 'node:net';
import { parseDurationMs } from '../../meta/duration.ts';
import type { FlagRow, FlagType } from './flag-table.ts';
import { parsePortRange } from './port-range.ts';

/** A flag's value: durations in milliseconds, lists and maps in the order given. */
export type FlagValue = boolean | number | string | readonly string[] | ReadonlyMap<string, string>;

interface FlagTypeReader {
  /** The value of a flag without default that nobody set. */
  readonly zero: FlagValue;
  /** What a flag means that stands without a value; absent: it needs one. */
  readonly bare?: string;
  /**
   * Reads one occurrence. `before` is the value of earlier ones, for flags that add up.
   *
   * @throws Error saying what the text is not.
   */
  read(text: string, before: FlagValue | undefined): FlagValue;
}

/** How each type of flag is read: the rules of Go's flag library, which existing command lines are written for. */
export const FLAG_TYPES: Readonly<Record<FlagType, FlagTypeReader>> = {
  bool: { zero: false, bare: 'true', read: readBoolean },
  string: { zero: '', read: (text) => text },
  int: { zero: 0, read: readInteger },
  Level: { zero: 0, read: readInteger },
  float: { zero: 0, read: readNumber },
  float32: { zero: 0, read: readNumber },
  duration: { zero: 0, read: readDuration },
  quantity: { zero: '', read: (text) => matching(text, /^\d+(\.\d+)?(Ki|Mi|Gi|k|M|G)?$/, 'no quantity') },
  ip: { zero: '', read: readAddress },
  portRange: { zero: '', read: readPortRange },
  version: { zero: 'false', bare: 'true', read: (text) => text },
  strings: { zero: [], read: (text, before) => [...listOf(before), ...splitList(text)] },
  stringArray: { zero: [], read: (text, before) => [...listOf(before), text] },
  namedCertKey: {
    zero: [],
    read: (text, before) => [
      ...listOf(before),
      matching(text, /^[^,:]+,[^,:]+(:.+)?$/, 'not certfile,keyfile'),
    ],
  },
  'pattern=level': { zero: [], read: (text) => splitList(text).map(checkPattern) },
  mapStringString: { zero: new Map(), read: (text, before) => readPairs(text, before, splitOptionalPair) },
  stringToString: { zero: new Map(), read: (text, before) => readPairs(text, before, splitPair) },
  colonSeparatedMultimapStringString: {
    zero: new Map(),
    read: (text, before) => readPairs(text, before, splitPair),
  },
};

/** How a flag's occurrences are read. */
export function readerOf({ type, whole }: FlagRow): FlagTypeReader {
  return whole === true ? WHOLE_PAIRS : FLAG_TYPES[type];
}

/** Pairs that aren't split at commas. */
const WHOLE_PAIRS: FlagTypeReader = {
  zero: new Map(),
  read: (text, before) => new Map([...mapOf(before), splitPair(text)]),
};

const BOOLEANS: Readonly<Record<string, boolean>> = {
  ...{ '1': true, t: true, T: true, true: true, TRUE: true, True: true },
  ...{ '0': false, f: false, F: false, false: false, FALSE: false, False: false },
};

function readBoolean(text: string): boolean {
  const value = Object.hasOwn(BOOLEANS, text) ? BOOLEANS[text] : undefined;
  if (value === undefined) throw new Error('neither true nor false');
  return value;
}

function readInteger(text: string): number {
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(value)) throw new Error('no whole number');
  return value;
}

function readNumber(text: string): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (!Number.isFinite(value)) throw new Error('no number');
  return value;
}

function readDuration(text: string): number {
  const value = parseDurationMs(text);
  if (value === undefined) throw new Error('no duration such as 1h30m or 500ms');
  return value;
}

function readAddress(text: string): string {
  if (isIP(text) === 0) throw new Error('no IP address');
  return text;
}

function readPortRange(text: string): string {
  if (parsePortRange(text) === undefined) throw new Error('no range of ports such as 30000-32767');
  return text;
}

function checkPattern(text: string): string {
  return matching(text, /^[^=]+=\d+$/, 'not pattern=level');
}

function matching(text: string, pattern: RegExp, complaint: string): string {
  if (!pattern.test(text)) throw new Error(complaint);
  return text;
}

function listOf(value: FlagValue | undefined): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

/** Splits at commas outside double quotes, as a line of CSV; the empty text is an empty list. */
export function splitList(text: string): string[] {
  if (text === '') return [];
  const items: string[] = [];
  let item = '';
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string;
    if (c === '"' && quoted && text[i + 1] === '"') item += text[++i] as string;
    else if (c === '"') quoted = !quoted;
    else if (c === ',' && !quoted) {
      items.push(item);
      item = '';
    } else item += c;
  }
  if (quoted) throw new Error('a double quote is not closed');
  return [...items, item];
}

type Pair = readonly [key: string, value: string];

function readPairs(text: string, before: FlagValue | undefined, split: (text: string) => Pair): FlagValue {
  const pairs = splitList(text).filter((pair) => pair.trim() !== '');
  return new Map([...mapOf(before), ...pairs.map(split)]);
}

function mapOf(value: FlagValue | undefined): ReadonlyMap<string, string> {
  return value instanceof Map ? (value as ReadonlyMap<string, string>) : new Map();
}

function splitPair(text: string): Pair {
  const at = text.indexOf('=');
  if (at < 1) throw new Error(`${JSON.stringify(text)} is not key=value`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function splitOptionalPair(text: string): Pair {
  return text.includes('=') ? splitPair(text) : [text.trim(), ''];
}
