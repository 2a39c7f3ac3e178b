/** How a text stands in the YAML that Go's library writes, which users' tools compare byte by byte. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'block';

/** Almost every text: it resolves to nothing else, unless it is one of {@link WORDS}. */
const SIMPLE = /^[A-Za-z/][\w./-]*$/;
const WORDS: ReadonlySet<string> = new Set(
  ['y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null', '~', '.inf', '+.inf', '-.inf']
    .flatMap((word) => [word, word.toUpperCase(), word.replace(/[a-z]/, (c) => c.toUpperCase())])
    .concat('.nan', '.NaN', '.NAN'),
);
/** What can't stand as it is; tabs and ends of lines other than the line feed among it. */
const SPECIAL = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;
const OTHER_BREAKS = /[\u2028\u2029]/;
const SPACE_BEFORE_BREAK = / [\n\u2028\u2029]/;
const INDICATOR = /^[#,[\]{}&*!|>'"%@`]|^[-?:](?:[ \t\n]|$)|^(?:---|\.\.\.)|:(?:[ \t\n]|$)|[ \t\n]#/;

/** @param inKey whether it is a key, which must stay on its line. */
export function scalarStyle(text: string, inKey: boolean): ScalarStyle {
  if (SIMPLE.test(text)) return WORDS.has(text) ? 'double' : 'plain';
  if (text === '' || SPECIAL.test(text) || SPACE_BEFORE_BREAK.test(text)) return 'double';
  if (text.includes('\n') || OTHER_BREAKS.test(text)) return inKey || text.endsWith(' ') ? 'double' : 'block';
  if (resolvesToOther(text)) return 'double';
  return text.startsWith(' ') || text.endsWith(' ') || INDICATOR.test(text) ? 'single' : 'plain';
}

const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const INTEGER = /^[-+]?0(?:x[\da-f]+|b[01]+|o?[0-7]+)$/i;
const BASE_60 = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;

function resolvesToOther(text: string): boolean {
  if (WORDS.has(text)) return true;
  const first = text.charCodeAt(0);
  if (first > 0x39 || first < 0x2b || first === 0x2c || first === 0x2f) return false;
  if (first === 0x2e) return FLOAT.test(text);
  const digits = text.replaceAll('_', '');
  return FLOAT.test(digits) || INTEGER.test(digits) || BASE_60.test(text) || isTime(text);
}

const TIME =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt](\d\d):(\d\d?):(\d\d?)(?:[.,]\d+)?(?:Z|[-+]\d\d:\d\d))|(?: (\d\d):(\d\d?):(\d\d?)(?:[.,]\d+)?))?$/;

function isTime(text: string): boolean {
  const match = TIME.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1, 4).map(Number) as [number, number, number];
  const [hour, minute, second] = [match[4] ?? match[7], match[5] ?? match[8], match[6] ?? match[9]].map(
    Number,
  );
  if ((hour ?? 0) > 23 || (minute ?? 0) > 59 || (second ?? 0) > 59) return false;
  const last = new Date(0);
  last.setUTCFullYear(year, month, 0);
  return month >= 1 && month <= 12 && day >= 1 && day <= last.getUTCDate();
}

const ESCAPED = /[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]|["\\]/gu;
const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '"': '"',
  '\\': '\\',
  '\x85': 'N',
  '\u2028': 'L',
  '\u2029': 'P',
};

/** A character in double quotes, escaped where it must be. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(ESCAPED, (character) => `\\${ESCAPES[character] ?? byNumber(character)}`);
}

function byNumber(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `u${hex.padStart(4, '0')}` : `U${hex.padStart(8, '0')}`;
}
