import type { Json } from '../../../../meta/object.ts';
import { JsonPathError, type Filter, type Path, type Slice, type Step, type Template } from './template.ts';

export interface EvaluateOptions {
  /** Whether a field that isn't there is no mistake. */
  readonly allowMissing: boolean;
}

/**
 * What a template finds in a value: a list of values for each of its parts, in order, those of ranges as often as they run.
 *
 * @throws JsonPathError where the template asks for what the value can't have.
 */
export function evaluate(template: Template, value: Json, options: EvaluateOptions): Json[][] {
  const evaluator = new Evaluator(options.allowMissing);
  return evaluator.template(template, value);
}

class Evaluator {
  readonly #allowMissing: boolean;

  constructor(allowMissing: boolean) {
    this.#allowMissing = allowMissing;
  }

  template(template: Template, value: Json): Json[][] {
    return template.flatMap((part): Json[][] => {
      switch (part.type) {
        case 'text':
          return [[part.text]];
        case 'path':
          return [this.#path(part.steps, [value])];
        case 'range':
          return this.#path(part.steps, [value]).flatMap((item) => this.template(part.body, item));
      }
    });
  }

  #path(path: Path, values: Json[]): Json[] {
    return path.reduce((found, step) => this.#step(step, found), values);
  }

  #step(step: Step, values: Json[]): Json[] {
    switch (step.type) {
      case 'literal':
        return values.map(() => step.value);
      case 'field':
        return this.#field(step.name, values);
      case 'wildcard':
        return values.flatMap(children);
      case 'recursive':
        return values.flatMap(descendants);
      case 'slice':
        return values.flatMap((value) => slice(value, step.slice));
      case 'union':
        return step.paths.flatMap((path) => this.#path(path, values));
      case 'filter':
        return values.flatMap((value) => this.#filter(step.filter, value));
    }
  }

  #field(name: string, values: Json[]): Json[] {
    if (values.length === 0) return [];
    const found = values.flatMap((value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
      const field = Object.hasOwn(value, name) ? value[name] : undefined;
      return field === undefined ? [] : [field];
    });
    if (found.length === 0 && !this.#allowMissing) throw new JsonPathError(`${name} is not found`);
    return found;
  }

  #filter({ left, operator, right }: Filter, value: Json): Json[] {
    if (!Array.isArray(value)) {
      throw new JsonPathError(`${JSON.stringify(value)} is not array or slice and cannot be filtered`);
    }
    return value.filter((item) => {
      if (operator === 'exists') return this.#exists(left, item);
      const [a, b] = [this.#single(left, item), this.#single(right, item)];
      return a !== undefined && b !== undefined && compare(a, operator, b);
    });
  }

  #exists(path: Path, value: Json): boolean {
    try {
      return this.#path(path, [value]).length > 0;
    } catch (error) {
      if (error instanceof JsonPathError) return false;
      throw error;
    }
  }

  #single(path: Path, value: Json): Json | undefined {
    const found = this.#path(path, [value]);
    if (found.length > 1) throw new JsonPathError('can only compare one element at a time');
    return found[0];
  }
}

function children(value: Json): Json[] {
  if (typeof value === 'string') return [...value];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value;
  const found: Json[] = [];
  for (const key of Object.keys(value).sort()) {
    const field = value[key];
    if (field !== undefined) found.push(field);
  }
  return found;
}

/** Everything below a value that has something inside, itself first. */
function descendants(value: Json): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = children(value);
  return inner.length === 0 ? [] : [value, ...inner.flatMap(descendants)];
}

function slice(value: Json, { start = 0, end, step = 1, index }: Slice): Json[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw new JsonPathError(`${kindOf(value)} is not array or slice`);
  if (step <= 0) throw new JsonPathError('step must be > 0');
  const { length } = value;
  const from = start < 0 ? start + length : start;
  const to = index ? from + 1 : end === undefined ? length : end < 0 ? end + length : end;
  if (from === to) return [];
  if (from < 0 || from >= length) throw outOfBounds(from, length);
  if (to < 0 || to > length) throw outOfBounds(to - 1, length);
  if (from > to) throw new JsonPathError(`starting index ${from} is greater than ending index ${to}`);
  return value.slice(from, to).filter((_, i) => i % step === 0);
}

function outOfBounds(index: number, length: number): JsonPathError {
  return new JsonPathError(`array index out of bounds: index ${index}, length ${length}`);
}

function kindOf(value: Json): string {
  if (typeof value !== 'object') return typeof value;
  return value === null ? 'null' : 'map[string]interface {}';
}

function compare(left: Json, operator: string, right: Json): boolean {
  const [a, b] = [scalarOf(left), scalarOf(right)];
  if (kindOfScalar(a) !== kindOfScalar(b)) throw new JsonPathError('incompatible types for comparison');
  switch (operator) {
    case '==':
      return a == b;
    case '!=':
      return a != b;
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    default:
      throw new JsonPathError(`unrecognized filter operator ${operator}`);
  }
}

type Scalar = string | number | bigint | boolean;

function scalarOf(value: Json): Scalar {
  if (typeof value === 'object') throw new JsonPathError('invalid type for comparison');
  return value;
}

function kindOfScalar(value: Scalar): string {
  return typeof value === 'bigint' ? 'number' : typeof value;
}
