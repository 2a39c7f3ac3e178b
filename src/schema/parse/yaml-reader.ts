import { isAlias, isMap, isScalar, isSeq, Scalar, type LineCounter, type Pair, type YAMLMap } from 'yaml';
import { badRequestError } from '../../errors/status-errors.ts';
import type { Json, JsonObject } from '../../meta/object.ts';
import { MAX_DEPTH, MAX_PROBLEMS, type Duplicate, type ParsedBody } from './parsed-body.ts';
import { keyText, resolveScalar, type Resolved } from './yaml-scalar.ts';

const MERGE = '<<';
const MERGE_TAG = 'tag:yaml.org,2002:merge';

/** Makes JSON of one document's nodes, whose scalars are texts still. */
export class YamlReader {
  readonly #lines: LineCounter;
  readonly #anchors = new Map<string, unknown>();
  readonly #duplicates: Duplicate[] = [];
  /** Anchors whose aliases are being resolved. */
  readonly #resolving = new Set<string>();
  /** How many nodes were read, and how many of them through an alias. */
  #nodes = 0;
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
    this.#count();
    if (isAlias(node)) return this.#alias(node.source, (target) => this.#value(target));
    if (isScalar(node)) return jsonOf(this.#scalar(node));
    if (!isMap(node) && !isSeq(node)) return null;
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (++this.#depth > MAX_DEPTH) fail('nested too deeply');
    const value = isMap(node) ? this.#object(node) : node.items.map((item) => this.#value(item));
    this.#depth--;
    return value;
  }

  /** Aliases may make much of little, but not too much. */
  #count(): void {
    this.#nodes++;
    if (this.#resolving.size === 0) return;
    this.#aliased++;
    if (this.#aliased > 100 && this.#nodes > 1000 && this.#aliased / this.#nodes > aliasShare(this.#nodes))
      fail('excessive aliasing');
  }

  #scalar(node: Scalar): Resolved {
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    try {
      const plain = node.type === undefined || node.type === Scalar.PLAIN;
      return resolveScalar({ text: textOf(node), plain, tag: node.tag ?? '' });
    } catch (error) {
      return fail(error instanceof Error ? error.message : 'a scalar makes no sense');
    }
  }

  #alias<T>(name: string, read: (target: unknown) => T): T {
    const node = this.#anchors.get(name);
    if (node === undefined) fail(`unknown anchor ${JSON.stringify(name)}`);
    if (this.#resolving.has(name)) fail(`anchor ${JSON.stringify(name)} contains itself`);
    this.#resolving.add(name);
    const value = read(node);
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
    const sources = Array.isArray(merged) && isSeq(pair.value) ? merged.reverse() : [merged];
    for (const source of sources) {
      if (typeof source !== 'object' || source === null || Array.isArray(source)) {
        fail('a merge key needs a map or a list of maps');
      }
      for (const key of Object.keys(source))
        this.#set(object, seen, { key, value: source[key] ?? null, at: pair.key });
    }
  }

  #key(node: unknown): string {
    this.#count();
    if (isAlias(node)) return this.#alias(node.source, (target) => this.#key(target));
    const key = isScalar(node) ? keyText(this.#scalar(node)) : undefined;
    return key ?? fail('the keys of a map must be strings, numbers or booleans');
  }
}

interface Entry {
  readonly key: string;
  readonly value: Json;
  /** The node to tell the line of. */
  readonly at: unknown;
}

/** The text of a scalar, which nothing has resolved yet. */
function textOf({ value, source }: Scalar): string {
  const text = typeof value === 'string' ? value : (source ?? '');
  return text.isWellFormed() ? text : fail('half of a character is no character');
}

function jsonOf({ value }: Resolved): Json {
  return typeof value !== 'number' || Number.isFinite(value) ? value : fail(`${value} is not a JSON number`);
}

function isMergeKey(key: unknown): boolean {
  if (!isScalar(key) || key.value !== MERGE) return false;
  return key.tag === undefined ? key.type === Scalar.PLAIN : key.tag === MERGE_TAG;
}

const FEW_NODES = 400_000;
const MANY_NODES = 4_000_000;

/** Which share of so many nodes may come from aliases: almost all of a few, a tenth of many. */
function aliasShare(nodes: number): number {
  const many = Math.min(Math.max((nodes - FEW_NODES) / (MANY_NODES - FEW_NODES), 0), 1);
  return 0.99 - 0.89 * many;
}

function fail(why: string): never {
  throw badRequestError(`the body is not YAML: ${why}`);
}
