import { isAlias, isMap, isScalar, isSeq, Scalar, type LineCounter, type Pair, type YAMLMap } from 'yaml';
import { badRequestError } from '../../errors/status-errors.ts';
import type { Json, JsonObject } from '../../meta/object.ts';
import { MAX_DEPTH, MAX_PROBLEMS, type Duplicate, type ParsedBody } from './parsed-body.ts';

/** How much aliases may add to a document, in nodes. */
const MAX_ALIASED = 100_000;
const MERGE = '<<';

/** Makes JSON of one document's nodes. */
export class YamlReader {
  readonly #lines: LineCounter;
  readonly #anchors = new Map<string, unknown>();
  readonly #duplicates: Duplicate[] = [];
  /** Anchors whose aliases are being resolved. */
  readonly #resolving = new Set<string>();
  #aliased = 0;
  #depth = 0;

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  /** @throws ApiError 400. */
  read(root: unknown): ParsedBody {
    return { value: this.#value(root), duplicates: this.#duplicates, floats: [] };
  }

  #value(node: unknown): Json {
    if (this.#resolving.size > 0 && ++this.#aliased > MAX_ALIASED) fail('excessive aliasing');
    if (isAlias(node)) return this.#alias(node.source);
    if (isScalar(node)) {
      if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
      return scalar(node);
    }
    if (!isMap(node) && !isSeq(node)) return null;
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (++this.#depth > MAX_DEPTH) fail('nested too deeply');
    const value = isMap(node) ? this.#object(node) : node.items.map((item) => this.#value(item));
    this.#depth--;
    return value;
  }

  #alias(name: string): Json {
    const node = this.#anchors.get(name);
    if (node === undefined) fail(`unknown anchor ${JSON.stringify(name)}`);
    if (this.#resolving.has(name)) fail(`anchor ${JSON.stringify(name)} contains itself`);
    this.#resolving.add(name);
    const value = this.#value(node);
    this.#resolving.delete(name);
    return value;
  }

  #object(map: YAMLMap): JsonObject {
    const object: JsonObject = {};
    const seen = new Set<string>();
    for (const pair of map.items) {
      if (isMergeKey(pair.key)) this.#merge(object, seen, pair);
      else
        this.#set(object, seen, { key: this.#key(pair.key), value: this.#value(pair.value), at: pair.key });
    }
    return object;
  }

  /** Keys that are set already are repeated ones, be they merged or not. */
  #set(object: JsonObject, seen: Set<string>, { key, value, at }: Entry): void {
    if (seen.has(key) && this.#duplicates.length < MAX_PROBLEMS) {
      const offset = isScalar(at) ? (at.range?.[0] ?? 0) : 0;
      const { line } = this.#lines.linePos(offset);
      this.#duplicates.push({ message: `line ${line}: key ${JSON.stringify(key)} already set in map` });
    }
    seen.add(key);
    if (key === '__proto__')
      Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
    else object[key] = value;
  }

  /** `<<`: the keys of one map or of several, of which the earlier ones win. */
  #merge(object: JsonObject, seen: Set<string>, pair: Pair): void {
    const merged = this.#value(pair.value);
    const sources = Array.isArray(merged) ? merged.reverse() : [merged];
    for (const source of sources) {
      if (typeof source !== 'object' || source === null || Array.isArray(source)) {
        fail('a merge key needs a map or a list of maps');
      }
      const own = new Set(sources.length > 1 ? [] : seen);
      for (const [key, value] of Object.entries(source)) {
        this.#set(object, own, { key, value: value ?? null, at: pair.key });
        seen.add(key);
      }
    }
  }

  #key(node: unknown): string {
    const value = this.#value(node);
    if (value === null || typeof value === 'object')
      fail('the keys of a map must be strings, numbers or booleans');
    return String(value);
  }
}

interface Entry {
  readonly key: string;
  readonly value: Json;
  /** The node to tell the line of. */
  readonly at: unknown;
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.type === Scalar.PLAIN && key.source === MERGE;
}

/** Octal as newer YAML has it. */
const OCTAL = /^[-+]?0o[0-7]{1,21}$/;

function scalar(node: Scalar): Json {
  const { value, source = '' } = node;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : beyondNumbers(source);
  if (typeof value === 'string') {
    if (node.type === Scalar.PLAIN && node.tag === undefined && OCTAL.test(value)) return octal(value);
    return value.toWellFormed();
  }
  if (typeof value === 'boolean' || value === null) return value;
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  return fail('a value is of no type that JSON has');
}

function octal(text: string): number {
  const magnitude = Number(text.replace(/^[-+]/, ''));
  return text.startsWith('-') ? -magnitude : magnitude;
}

/** Numbers too large for a double are texts; infinity and its like are nothing. */
function beyondNumbers(source: string): string {
  return /\d/.test(source) ? source : fail(`${source} is not a JSON number`);
}

function fail(why: string): never {
  throw badRequestError(`the body is not YAML: ${why}`);
}
