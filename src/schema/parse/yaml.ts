import { Composer, LineCounter, Parser, type Document, type ParsedNode, type Tags } from 'yaml';
import { badRequestError } from '../../errors/status-errors.ts';
import { parseJson } from './json.ts';
import type { ParsedBody } from './parsed-body.ts';
import { YamlReader } from './yaml-reader.ts';

const OPEN_BRACE = 0x7b;
/** Characters that no YAML text may hold. */
// eslint-disable-next-line no-control-regex -- it is what the pattern is for
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;
/** YAML 1.1 as the interface reads it knows neither sexagesimal numbers nor times nor the odder collections. */
const OMITTED = new Set([
  'tag:yaml.org,2002:timestamp',
  'tag:yaml.org,2002:omap',
  'tag:yaml.org,2002:pairs',
  'tag:yaml.org,2002:set',
]);

/**
 * Reads a YAML body: the first document of YAML 1.1 (`on` is true, `0777` is 511), its keys made strings, merge keys
 * and aliases resolved. JSON is YAML. A repeated key counts with its last value.
 *
 * @throws ApiError 400 for anything else, for keys that are no scalars, for excessive aliasing.
 */
export function parseYaml(bytes: Uint8Array): ParsedBody {
  if (bytes[0] === OPEN_BRACE) {
    try {
      return parseJson(bytes);
    } catch {
      // Then it is a YAML flow mapping.
    }
  }
  const lines = new LineCounter();
  const document = firstDocument(textOf(bytes), lines);
  if (document === undefined) return { value: null, duplicates: [], floats: [] };
  const [error] = document.errors;
  if (error !== undefined) throw notYaml(error.message);
  return guarded(() => new YamlReader(lines).read(document.contents));
}

function notYaml(why: string): Error {
  // The parser recurses, and tells of the end of the stack as it does of other errors.
  const text = why.includes('call stack') ? 'it is nested too deeply' : (why.split('\n')[0] ?? '');
  return badRequestError(`the body is not YAML: ${text}`);
}

function textOf(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequestError('the body is not YAML: it is not UTF-8');
  }
  if (FORBIDDEN.test(text)) throw badRequestError('the body is not YAML: control characters are not allowed');
  return text;
}

/** Reads no further than the first document's end. */
function firstDocument(text: string, lines: LineCounter): Document.Parsed<ParsedNode> | undefined {
  return guarded(() => {
    const parser = new Parser(lines.addNewLine);
    const composer = new Composer<ParsedNode>({
      version: '1.1',
      uniqueKeys: false,
      intAsBigInt: true,
      lineCounter: lines,
      customTags: coreTags,
    });
    for (const document of composer.compose(parser.parse(text), true, text.length)) return document;
    return undefined;
  });
}

function coreTags(tags: Tags): Tags {
  return tags.filter(
    (tag) => typeof tag === 'string' || !(OMITTED.has(tag.tag) || ('format' in tag && tag.format === 'TIME')),
  );
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
