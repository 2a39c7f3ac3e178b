import { JsonPathError, type Path, type Slice, type Step } from './template.ts';

const TERMINATOR = /[\s.,[\]$@{}]/;
const DICT_KEY = /^'([^']*)'$/;
const SLICE = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const FILTER = /^([^!<>=]+)([!<>=]+)(.+?)$/;
const NUMBER = /[+-]?[\d.]+/y;

/** Words of an expression that are no path: `range` and `end`. */
export interface ParsedPath {
  readonly steps: Path;
  readonly word: string | undefined;
}

/**
 * Reads what stands between braces, such as `range .items[?(@.kind=="Pod")]`.
 *
 * @throws JsonPathError
 */
export function parsePath(text: string): ParsedPath {
  return new PathReader(text).read();
}

class PathReader {
  readonly #text: string;
  readonly #steps: Step[] = [];
  #word: string | undefined;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): ParsedPath {
    while (this.#at < this.#text.length) this.#step();
    return { steps: this.#steps, word: this.#word };
  }

  #step(): void {
    const rest = this.#text.slice(this.#at);
    const first = rest.charAt(0);
    if (rest.startsWith('[?(')) this.#filter();
    else if (rest.startsWith('..')) this.#recursive();
    else if (first === ' ' || first === '@' || first === '$') this.#at++;
    else if (first === '[') this.#brackets();
    else if (first === '"' || first === "'") this.#quoted(first);
    else if (first === '.') this.#field(1);
    else if (/[+\-\d]/.test(first)) this.#number();
    else if (/[\p{L}_]/u.test(first)) this.#identifier();
    else throw new JsonPathError(`unrecognized character in action: ${JSON.stringify(first)}`);
  }

  /** @param skip how many characters stand before the name. */
  #field(skip: number): void {
    const name = this.#until(this.#at + skip);
    if (name === '*') this.#steps.push({ type: 'wildcard' });
    else this.#steps.push({ type: 'field', name: name.replaceAll('\\', '') });
  }

  /** The text up to the next terminator that isn't escaped. */
  #until(from: number): string {
    let end = from;
    while (end < this.#text.length && !TERMINATOR.test(this.#text.charAt(end))) {
      end += this.#text.charAt(end) === '\\' ? 2 : 1;
    }
    this.#at = end;
    return this.#text.slice(from, end);
  }

  #recursive(): void {
    if (this.#steps.at(-1)?.type === 'recursive')
      throw new JsonPathError('invalid multiple recursive descent');
    this.#steps.push({ type: 'recursive' });
    this.#at += 2;
    if (/[\p{L}\d_]/u.test(this.#text.charAt(this.#at))) this.#field(0);
  }

  #number(): void {
    NUMBER.lastIndex = this.#at;
    const text = NUMBER.exec(this.#text)?.[0] ?? '';
    const value = Number(text);
    if (text === '' || Number.isNaN(value)) throw new JsonPathError(`cannot parse number ${text}`);
    this.#at += text.length;
    this.#steps.push({ type: 'literal', value });
  }

  #identifier(): void {
    const word = this.#until(this.#at);
    if (word === 'true' || word === 'false') this.#steps.push({ type: 'literal', value: word === 'true' });
    else if (word === 'range' || word === 'end') this.#word = word;
    else throw new JsonPathError(`unrecognized identifier ${word}`);
  }

  #quoted(quote: string): void {
    let end = this.#at + 1;
    while (end < this.#text.length && this.#text.charAt(end) !== quote) {
      end += this.#text.charAt(end) === '\\' ? 2 : 1;
    }
    if (end >= this.#text.length) throw new JsonPathError('unterminated quoted string');
    const inner = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    this.#steps.push({ type: 'literal', value: unquote(inner) });
  }

  #brackets(): void {
    const end = this.#text.indexOf(']', this.#at);
    if (end < 0) throw new JsonPathError('unterminated array');
    const inner = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    const parts = inner.split(',');
    if (parts.length > 1) {
      const paths = parts.map((part) => parsePath(`[${part.trim()}]`).steps);
      this.#steps.push({ type: 'union', paths });
      return;
    }
    const key = DICT_KEY.exec(inner)?.[1];
    if (key === undefined)
      this.#steps.push({ type: 'slice', slice: parseSlice(inner === '*' ? ':' : inner) });
    else this.#steps.push(...parsePath(`.${key}`).steps);
  }

  #filter(): void {
    const start = this.#at + 3;
    const end = this.#filterEnd(start);
    if (this.#text.charAt(end + 1) !== ']') throw new JsonPathError('unclosed array expect ]');
    const text = this.#text.slice(start, end);
    this.#at = end + 2;
    const [, left = text, operator = 'exists', right = ''] = FILTER.exec(text) ?? [];
    const filter = { left: parsePath(left).steps, operator, right: parsePath(right).steps };
    this.#steps.push({ type: 'filter', filter });
  }

  /** Where the parenthesis closes that isn't between quotes. */
  #filterEnd(start: number): number {
    let quote = '';
    for (let i = start; i < this.#text.length; i++) {
      const c = this.#text.charAt(i);
      if (quote !== '') {
        if (c === quote && this.#text.charAt(i - 1) !== '\\') quote = '';
      } else if (c === '"' || c === "'") quote = c;
      else if (c === ')') return i;
    }
    throw new JsonPathError('unterminated filter');
  }
}

function parseSlice(text: string): Slice {
  const match = SLICE.exec(text);
  if (match === null) throw new JsonPathError(`invalid array index ${text}`);
  const [start, end, step] = match.slice(1).map((part?: string) => numberOf(part));
  return { start, end, step, index: match[2] === undefined };
}

function numberOf(part: string | undefined): number | undefined {
  const digits = part?.replace(':', '') ?? '';
  return digits === '' ? undefined : Number(digits);
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
};

function unquote(text: string): string {
  return text.replace(
    /\\(?:x([\da-f]{2})|u([\da-f]{4})|(.))/gi,
    (_, hex?: string, long?: string, c?: string) => {
      const code = hex ?? long;
      return code === undefined ? (ESCAPES[c ?? ''] ?? c ?? '') : String.fromCharCode(parseInt(code, 16));
    },
  );
}
