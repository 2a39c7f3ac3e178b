import type { Json, JsonObject } from '../../meta/object.ts';
import type { ListValue, StructType, ValueType } from '../model.ts';
import { itemElement } from '../ownership/list-items.ts';
import { keysOf, type KeyField } from '../ownership/ownership-plan.ts';
import { describeElement, valueElement } from '../ownership/path-element.ts';
import { MAX_PROBLEMS } from '../parse/parsed-body.ts';

/**
 * Checks an applied object against its type, of which it may leave out anything: no fields that the type doesn't have,
 * no values of another kind, and lists whose items have identities, each once.
 *
 * @returns what is wrong, each with its path, such as `.spec.ports[port=80,protocol="TCP"].name: expected string, not a
 *   number`; at most {@link MAX_PROBLEMS}.
 */
export function checkApplied(type: StructType, applied: JsonObject): readonly string[] {
  const checker = new Checker();
  checker.struct(type, applied);
  return checker.problems;
}

class Checker {
  readonly problems: string[] = [];
  /** Steps from the root: fields and indexes as they are shown, items as path elements. */
  readonly #path: string[] = [];

  struct(type: StructType, value: Json): void {
    if (!this.#isObject(value)) return;
    for (const name in value) {
      const item = value[name];
      if (item === undefined) continue;
      const field = type.field.get(name);
      this.#path.push(`.${name}`);
      if (field === undefined) this.#report('field not declared in schema');
      else if (item !== null) this.#value(field.type, item);
      this.#path.pop();
    }
  }

  #value(type: ValueType, value: NonNullable<Json>): void {
    switch (type.kind) {
      case 'struct':
        return this.struct(type.struct, value);
      case 'map':
        return this.#map(type.values, value);
      case 'list':
        return this.#list(type, value);
      case 'fieldsV1':
        this.#isObject(value);
        return;
      case 'rawObject':
      case 'json':
      case 'schemaOrArray':
      case 'schemaOrBool':
      case 'schemaOrStrings':
        return;
      default:
        this.#scalar(SCALARS[type.kind] ?? 'any scalar', value);
    }
  }

  #map(values: ValueType, value: Json): void {
    if (!this.#isObject(value)) return;
    for (const key in value) {
      const item = value[key];
      if (item === undefined || item === null) continue;
      this.#path.push(`.${key}`);
      this.#value(values, item);
      this.#path.pop();
    }
  }

  #list(type: ListValue, value: Json): void {
    if (!Array.isArray(value)) return this.#report(`expected list, not ${describe(value)}`);
    if (type.listType === 'set' || type.listType === 'map') return this.#items(type, value);
    for (const [i, item] of value.entries()) this.#item(type.items, `[${i}]`, item);
  }

  /** Items of which each has an identity. */
  #items(type: ListValue, items: readonly Json[]): void {
    const keys = type.listType === 'map' ? keysOf(type) : undefined;
    const seen = new Set<string>();
    for (const [i, item] of items.entries()) {
      const flaw = keys === undefined ? flawOfValue(item) : flawOfItem(item, keys);
      if (flaw !== undefined) {
        this.#report(`element ${i}: ${flaw}`);
        continue;
      }
      const element = keys === undefined ? valueElement(item) : itemElement(item, keys);
      if (seen.has(element)) this.#report(`duplicate entries for key ${describeElement(element)}`);
      seen.add(element);
      this.#item(type.items, element, item);
    }
  }

  #item(type: ValueType, step: string, item: Json): void {
    if (item === null) return;
    this.#path.push(step);
    this.#value(type, item);
    this.#path.pop();
  }

  #scalar(wanted: string, value: NonNullable<Json>): void {
    const actual = typeof value === 'bigint' ? 'number' : typeof value;
    if (wanted === 'any scalar' ? actual === 'object' : actual !== wanted) {
      this.#report(`expected ${wanted}, not ${describe(value)}`);
    }
  }

  #isObject(value: Json): value is JsonObject {
    if (typeof value === 'object' && !Array.isArray(value)) return value !== null;
    this.#report(`expected map, not ${describe(value)}`);
    return false;
  }

  #report(flaw: string): void {
    if (this.problems.length < MAX_PROBLEMS)
      this.problems.push(`${this.#path.map(describeStep).join('')}: ${flaw}`);
  }
}

function describeStep(step: string): string {
  return step.startsWith('.') || step.startsWith('[') ? step : describeElement(step);
}

/** What values of a kind are in JSON, where only one thing will do. Formats are checked when the object is decoded. */
const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  bytes: 'string',
  duration: 'string',
  boolean: 'boolean',
  int32: 'number',
  int64: 'number',
  double: 'number',
};

/** Why an item of a set has no identity. */
function flawOfValue(item: Json): string | undefined {
  return typeof item === 'object' ? `a set holds scalars, not ${describe(item)}` : undefined;
}

/** Why an item of a list with keys has no identity. */
function flawOfItem(item: Json, keys: readonly KeyField[]): string | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return `a list with keys holds objects, not ${describe(item)}`;
  }
  const missing = keys.find(
    ({ name, default: fallback }) => !Object.hasOwn(item, name) && fallback === undefined,
  );
  return missing === undefined
    ? undefined
    : `a list with keys has an element that omits key field ${JSON.stringify(missing.name)}, which has no default value`;
}

/** What a value is, without telling what it holds: it may be a secret. */
function describe(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'bigint' ? 'a number' : `a${typeof value === 'object' ? 'n' : ''} ${typeof value}`;
}
