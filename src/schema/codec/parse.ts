import { badRequestError } from '../../errors/status-errors.ts';
import { isAlias, isMap, isScalar, LineCounter, parseAllDocuments, type Document, type Tags } from 'yaml';
import { visit } from 'jsonc-parser';
import type { Json } from '../../meta/object.ts';
import { scanJson } from '../parse/json-scan.ts';
import { formatPath } from './decode.ts';

/** A parsed body. */
export interface Parsed {
  readonly value: Json;
  /**
   * Paths of keys that occur more than once in their object; the last one counts.
   *
   * @param keys how many keys the value has (see `Decoded.keys`): when the text has as many, none is repeated.
   */
  duplicateFields(keys: number): readonly string[];
}

/** Nesting beyond this is refused: nothing of the interface comes near, and what walks a value recurses. */
export const MAX_DEPTH = 1_000;
const MAX_DUPLICATES = 100;
const NO_DUPLICATES: readonly string[] = [];

/** Parses a JSON body. @throws ApiError 400. */
export function parseJson(bytes: Buffer): Parsed {
  const scan = scanJson(bytes);
  if (scan.depth > MAX_DEPTH) throw badRequestError(`the body is nested more than ${MAX_DEPTH} deep`);
  const text = bytes.toString('utf8');
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    throw badRequestError(`the body is not JSON: ${(error as Error).message}`);
  }
  return { value, duplicateFields: (keys) => (keys === scan.colons ? NO_DUPLICATES : findDuplicates(text)) };
}

function findDuplicates(text: string): readonly string[] {
  const duplicates: string[] = [];
  const seen: Set<string>[] = [];
  visit(text, {
    onObjectBegin: () => void seen.push(new Set()),
    onObjectEnd: () => void seen.pop(),
    onObjectProperty: (name, _offset, _length, _line, _column, path) => {
      const names = seen.at(-1);
      if (names?.has(name) === true && duplicates.length < MAX_DUPLICATES) {
        duplicates.push(formatPath([...path(), name]));
      }
      names?.add(name);
    },
  });
  return duplicates;
}

const MAX_ALIASES = 100;

/** Parses a YAML body by the rules of YAML 1.1. @throws ApiError 400. */
export function parseYaml(bytes: Buffer): Parsed {
  const lines = new LineCounter();
  const documents = parseAllDocuments(bytes.toString('utf8'), {
    version: '1.1',
    customTags: withoutTimes,
    merge: true,
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const [document, second] = Array.isArray(documents) ? documents : [];
  if (document === undefined) return { value: null, duplicateFields: () => NO_DUPLICATES };
  if (second !== undefined && second.contents !== null)
    throw badRequestError('the body has more than one document');
  const [error] = document.errors;
  if (error !== undefined) {
    throw badRequestError(`the body is not YAML: line ${lines.linePos(error.pos[0]).line}: ${error.message}`);
  }
  return { value: toJson(document), duplicateFields: () => NO_DUPLICATES };
}

function toJson(document: Document): Json {
  checkKeys(document.contents, 0);
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES }) as Json;
  } catch (error) {
    throw badRequestError(`the body is not YAML: ${(error as Error).message}`);
  }
}

function checkKeys(node: unknown, depth: number): void {
  if (depth > MAX_DEPTH) throw badRequestError(`the body is nested more than ${MAX_DEPTH} deep`);
  if (node === null || typeof node !== 'object' || isScalar(node) || isAlias(node)) return;
  const { items } = node as { items: unknown[] };
  for (const item of items) {
    if (!isMap(node)) {
      checkKeys(item, depth + 1);
      continue;
    }
    const { key, value } = item as { key: unknown; value: unknown };
    if (!isScalar(key)) throw badRequestError('the body is not JSON-like YAML: a key is no scalar');
    checkKeys(value, depth + 1);
  }
}

function withoutTimes(tags: Tags): Tags {
  return tags.filter(
    (tag) =>
      typeof tag === 'string' ||
      (!tag.tag.endsWith(':timestamp') && !tag.tag.endsWith(':binary') && tag.format !== 'TIME'),
  );
}
