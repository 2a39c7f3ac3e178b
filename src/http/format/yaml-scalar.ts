/**
 * How a text stands in YAML 1.1, so that every reader of users' tools reads the same text: plain where nothing else could be meant.
 */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'block';

/** Almost every text: no reader takes it for anything else, unless it is one of {@link WORDS}. */
const SIMPLE = /^[A-Za-z/][\w./-]*$/;
/** What stands for a boolean, for nothing, for a merge or for a default value. */
const WORDS: ReadonlySet<string> = new Set(
  ['y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null', '~', '<<', '='].flatMap((word) => [
    word,
    word.toUpperCase(),
    word.charAt(0).toUpperCase() + word.slice(1),
  ]),
);
/** Characters that not all readers take as they are. Line feeds apart, no line ends: readers change them. */
const UNPRINTABLE = /[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;
const OUTER_SPACE = /^[ \t]|[ \t]$/;
const SPACE_BEFORE_END_OF_LINE = /[ \t]\n/;
/** Characters that begin something else, a mark of a document among them; what ends a key or begins a comment. */
const INDICATOR = /^[#,[\]{}&*!|>'"%@`]|^[-?:](?:\s|$)|^(?:---|\.\.\.)|:(?:\s|$)|\s#/;

/** @param inKey whether it is a key, which must stay on its line. */
export function scalarStyle(text: string, inKey: boolean): ScalarStyle {
  if (SIMPLE.test(text)) return WORDS.has(text) ? 'double' : 'plain';
  if (UNPRINTABLE.test(text)) return 'double';
  if (text.includes('\n')) {
    return inKey || OUTER_SPACE.test(text.slice(-1)) || SPACE_BEFORE_END_OF_LINE.test(text)
      ? 'double'
      : 'block';
  }
  if (text === '' || text.includes('\t') || WORDS.has(text) || isNumberOrTime(text)) return 'double';
  return OUTER_SPACE.test(text) || INDICATOR.test(text) ? 'single' : 'plain';
}

const INTEGER = /^[-+]?0(?:x[\da-f]+|b[01]+|o?[0-7]+)$/i;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?$/i;
const NO_NUMBER = /^[-+]?\.(?:inf|nan)$/i;
const BASE_60 = /^[-+]?\d+(?::[0-5]?\d)+(?:\.\d*)?$/;
const TIME = /^\d{4}-\d\d?-\d\d?(?:[Tt\s]|$)/;

/** Numbers may have underscores anywhere. */
function isNumberOrTime(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first > 0x39 || first < 0x2b) return false;
  const digits = text.includes('_') ? text.replaceAll('_', '') : text;
  return (
    FLOAT.test(digits) ||
    TIME.test(text) ||
    INTEGER.test(digits) ||
    BASE_60.test(digits) ||
    NO_NUMBER.test(text)
  );
}

const ESCAPED = /[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]|["\\]/gu;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
};

/** The text between double quotes. Half of a character becomes U+FFFD. */
export function doubleQuoted(text: string): string {
  const inner = text
    .toWellFormed()
    .replace(ESCAPED, (c) => ESCAPES[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `"${inner}"`;
}

/** The text between single quotes, as it is: it has no characters that need escaping. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The text as lines of their own, as it is, below an indicator of what is between them and of what ends them. */
export function literalBlock(text: string, indent: string): string {
  const start = /^[ \t\n]/.test(text) ? '|2' : '|';
  const end = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  const body = end === '-' ? text : text.slice(0, -1);
  const lines = body.split('\n').map((line) => (line === '' ? '' : indent + line));
  return `${start}${end}\n${lines.join('\n')}`;
}
