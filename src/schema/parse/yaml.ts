import { isUtf8 } from 'node:buffer';
import { Composer, CST, Lexer, LineCounter, Parser, type Document, type ParsedNode } from 'yaml';
import { badRequestError } from '../../errors/status-errors.ts';
import { parseJson } from './json.ts';
import type { ParsedBody } from './parsed-body.ts';
import { YamlReader } from './yaml-reader.ts';

const OPEN_BRACE = 0x7b;
/** Characters that no YAML text may hold. */
// eslint-disable-next-line no-control-regex -- it is what the pattern is for
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/** From so many bytes on, reading YAML takes more than a few milliseconds, and belongs on a thread of its own. */
export const LONG_YAML = 8 * 1024;

/**
 * Reads a YAML body as {@link readYaml} does, JSON much faster: it is YAML. Long texts that look like JSON must be JSON.
 *
 * @throws ApiError 400 for anything else.
 */
export function parseYaml(bytes: Uint8Array): ParsedBody {
  if (beginsLikeJson(bytes)) {
    if (!isUtf8(bytes)) throw notUtf8();
    try {
      // YAML knows no difference between 1 and 1.0.
      return { ...parseJson(bytes, 'last'), floats: [] };
    } catch (error) {
      if (bytes.length >= LONG_YAML && looksLikeJson(bytes)) throw error;
      // Then it is a YAML flow mapping.
    }
  }
  return readYaml(bytes);
}

/**
 * Reads the first document of YAML 1.1 (`on` is true, `0777` is 511), its keys made strings, merge keys and aliases
 * resolved. A repeated key counts with its last value.
 *
 * @throws ApiError 400 for anything else, for keys that are no scalars, for excessive aliasing.
 */
export function readYaml(bytes: Uint8Array): ParsedBody {
  const lines = new LineCounter();
  const document = firstDocument(textOf(bytes), lines);
  if (document === undefined) return { value: null, duplicates: [], floats: [] };
  const [error] = document.errors;
  if (error !== undefined) throw notYaml(error.message);
  return guarded(() => new YamlReader(lines).read(document.contents));
}

/** Whether a text is long and can't be read in little time: YAML that isn't JSON. */
export function isLongYaml(bytes: Uint8Array): boolean {
  return bytes.length >= LONG_YAML && !(beginsLikeJson(bytes) && looksLikeJson(bytes));
}

function beginsLikeJson(bytes: Uint8Array): boolean {
  let at = 0;
  while (bytes[at] === SPACE || bytes[at] === LINE_FEED || bytes[at] === RETURN) at++;
  return bytes[at] === OPEN_BRACE;
}

const SPACE = 0x20;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OF_JSON = new Uint8Array(256);
for (const character of ' \t\r\n{}[],:0123456789+-.eEtrufalsn') OF_JSON[character.charCodeAt(0)] = 1;

/** Whether a text has nothing outside double quotes that JSON hasn't. */
function looksLikeJson(bytes: Uint8Array): boolean {
  const { length } = bytes;
  for (let i = 0; i < length; i++) {
    if (bytes[i] === QUOTE) {
      for (i++; i < length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
    } else if (OF_JSON[bytes[i] as number] === 0) return false;
  }
  return true;
}

function notYaml(why: string): Error {
  // The parser recurses, and tells of the end of the stack as it does of other errors.
  const text = why.includes('call stack') ? 'it is nested too deeply' : (why.split('\n')[0] ?? '');
  return badRequestError(`the body is not YAML: ${text}`);
}

function notUtf8(): Error {
  return notYaml('it is not UTF-8');
}

function textOf(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notUtf8();
  }
  if (FORBIDDEN.test(text)) throw badRequestError('the body is not YAML: control characters are not allowed');
  // All line ends are one to YAML; not all are to the parser.
  return /[\r\x85]/.test(text) ? text.replace(/\r\n?|\x85/g, '\n') : text;
}

/** Reads no further than the first document's end. */
function firstDocument(text: string, lines: LineCounter): Document.Parsed<ParsedNode> | undefined {
  return guarded(() => {
    const composer = new Composer<ParsedNode>({
      version: '1.1',
      // Scalars stay texts: the reader makes of them what users' tools do.
      schema: 'failsafe',
      strict: false,
      uniqueKeys: false,
      lineCounter: lines,
    });
    for (const document of composer.compose(tokensOf(text, lines), true, text.length)) return document;
    return undefined;
  });
}

/** The syntax of a text. As users' tools have it, a dash between brackets is a text. */
function* tokensOf(text: string, lines: LineCounter): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let brackets = 0;
  let inScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (!inScalar) {
      if (lexeme === '[' || lexeme === '{') brackets++;
      else if (lexeme === ']' || lexeme === '}') brackets--;
      else if (lexeme === '-' && brackets > 0) yield* parser.next(CST.SCALAR);
    }
    inScalar = lexeme === CST.SCALAR;
    yield* parser.next(lexeme);
  }
  yield* parser.end();
}

/** Too much nesting ends in a RangeError, which is the client's fault. */
function guarded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw notYaml(error.message);
    throw error;
  }
}
