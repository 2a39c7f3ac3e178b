/** What a scalar stands for. Floats may be infinite, or no number. */
export type Resolved =
  | { readonly type: 'str'; readonly value: string }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: number | bigint }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'null'; readonly value: null };

/** A scalar as the text has it. */
export interface SourceScalar {
  readonly text: string;
  /** Written without quotes, on no line of its own. */
  readonly plain: boolean;
  /** As resolved from its handle; '' without one. */
  readonly tag: string;
}

/** What YAML's own tags begin with. */
const CORE = 'tag:yaml.org,2002:';

const NAMED: ReadonlyMap<string, Resolved> = new Map([
  ...spellings({ type: 'bool', value: true }, ['y', 'yes', 'true', 'on']),
  ...spellings({ type: 'bool', value: false }, ['n', 'no', 'false', 'off']),
  ...spellings({ type: 'null', value: null }, ['', '~', 'null']),
  ...spellings({ type: 'float', value: Infinity }, ['.inf', '+.inf']),
  ...spellings({ type: 'float', value: -Infinity }, ['-.inf']),
  ...spellings({ type: 'float', value: NaN }, ['.nan']),
  ['.NaN', { type: 'float', value: NaN }],
]);

/** Words in lower case, in upper case, and with a capital. */
function spellings(resolved: Resolved, words: readonly string[]): [string, Resolved][] {
  const spelled = words.flatMap((word) => [
    word,
    word.toUpperCase(),
    word.replace(/[a-z]/, (c) => c.toUpperCase()),
  ]);
  return spelled.map((text) => [text, resolved]);
}

/**
 * What a scalar stands for in YAML 1.1 as users' tools read it: `on` is true, `017` is 15, times and sexagesimal numbers
 * are texts.
 *
 * @throws Error for what isn't of the type that its tag says.
 */
export function resolveScalar({ text, plain, tag }: SourceScalar): Resolved {
  if (tag === '') return plain ? untagged(text) : textual(text);
  const wanted = tag.startsWith(CORE) ? tag.slice(CORE.length) : 'str';
  switch (wanted) {
    case 'binary':
      return textual(binary(text));
    case 'timestamp':
      if (TIMESTAMP.test(text)) return textual(text);
      break;
    case 'bool':
    case 'int':
    case 'float':
    case 'null': {
      const resolved = untagged(text);
      if (resolved.type === wanted) return resolved;
      if (resolved.type === 'int' && wanted === 'float')
        return { type: 'float', value: Number(resolved.value) };
      break;
    }
    default:
      return textual(text);
  }
  throw new TypeError(`${JSON.stringify(text.slice(0, 100))} is no ${wanted}`);
}

function textual(value: string): Resolved {
  return { type: 'str', value };
}

const TIMESTAMP =
  /^\d{4}-\d\d?-\d\d?(?:[Tt]\d\d?:\d\d?:\d\d?(?:\.\d*)?(?:Z|[-+]\d\d:\d\d)| \d\d?:\d\d?:\d\d?(?:\.\d*)?)?$/;

function untagged(text: string): Resolved {
  const named = NAMED.get(text);
  if (named !== undefined) return named;
  const first = text.charCodeAt(0);
  if (first > 0x39 || first < 0x2b) return textual(text); // no digit, sign or point
  const misplaced = first === 0x2e && MISPLACED_UNDERSCORE.test(text);
  const digits = text.includes('_') && !misplaced ? text.replaceAll('_', '') : text;
  return readInteger(digits) ?? readFloat(digits) ?? textual(text);
}

/** Underscores may stand anywhere, but for numbers that begin with a point: between digits there. */
const MISPLACED_UNDERSCORE = /(?<!\d)_|_(?!\d)/;

const INTEGER = /^([-+]?)(?:(0|[1-9][0-9]*)|0[oO]?([0-7]+)|0[xX]([0-9a-fA-F]+)|0[bB]([01]+))$/;
/** No integer of 64 bits has more characters, but for zeros in front. */
const LONGEST_INTEGER = 100;

/** @returns undefined for what is no integer of 64 bits. */
function readInteger(digits: string): Resolved | undefined {
  const match = digits.length > LONGEST_INTEGER ? null : INTEGER.exec(digits);
  if (match === null) return undefined;
  const [, sign, decimal, octal, hexadecimal, bits] = match;
  if (decimal !== undefined && decimal.length < 16) return { type: 'int', value: Number(digits) || 0 };
  const magnitude =
    decimal !== undefined
      ? BigInt(decimal)
      : BigInt(octal !== undefined ? `0o${octal}` : bits !== undefined ? `0b${bits}` : `0x${hexadecimal}`);
  const value = sign === '-' ? -magnitude : magnitude;
  // What has a sign has room for half as much.
  if (value < -(1n << 63n) || value >= 1n << (sign === '' ? 64n : 63n)) return undefined;
  const number = Number(value);
  return { type: 'int', value: Number.isSafeInteger(number) ? number : value };
}

const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

/** @returns undefined for what is no number that a double can hold. */
function readFloat(digits: string): Resolved | undefined {
  const value = FLOAT.test(digits) ? Number(digits) : NaN;
  return Number.isFinite(value) ? { type: 'float', value } : undefined;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function binary(text: string): string {
  const compact = text.replace(/[\r\n]/g, '');
  if (!BASE64.test(compact)) throw new TypeError('a binary value is not base64');
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(compact, 'base64'));
}

/** A scalar as a key, which is a text in JSON. @returns undefined for what can't be one. */
export function keyText({ type, value }: Resolved): string | undefined {
  switch (type) {
    case 'null':
      return undefined;
    case 'float':
      return floatText(value);
    case 'int':
      return value < 1n << 63n ? value.toString() : undefined;
    default:
      return String(value);
  }
}

/** A number as single precision has it, in as few digits as tell it from its neighbours. */
function floatText(value: number): string {
  const single = Math.fround(value);
  if (Number.isNaN(single)) return '.nan';
  if (!Number.isFinite(single)) return single < 0 ? '-.inf' : '.inf';
  if (single === 0) return Object.is(single, -0) ? '-0' : '0';
  let precision = 1;
  while (Math.fround(Number(single.toPrecision(precision))) !== single) precision++;
  const [mantissa = '', exponent = ''] = single.toExponential(precision - 1).split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(Number(single.toPrecision(precision)));
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
