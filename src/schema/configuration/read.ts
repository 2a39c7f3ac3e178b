import type { JsonObject } from '../../meta/object.ts';
import { parseDurationMs } from '../../meta/duration.ts';
import { MAX_PROBLEMS } from '../parse/parsed-body.ts';
import { parseYaml } from '../parse/yaml.ts';
import type { Shape, Shaped } from './shape.ts';

/** A kind of configuration file. */
export interface ConfigurationKind<S extends Shape> {
  readonly kind: string;
  /** With their groups, any of them alike. */
  readonly apiVersions: readonly string[];
  readonly shape: S;
}

/**
 * Reads a configuration file, YAML or JSON, strictly: fields that the kind doesn't have, and keys that occur twice, are
 * errors.
 *
 * @throws Error naming everything that is wrong, by path.
 */
export function readConfiguration<const S extends Shape>(
  text: string,
  kind: ConfigurationKind<S>,
): Shaped<S> {
  const { value, problems } = parseConfiguration(text);
  return readConfigurationObject(value, kind, problems);
}

/** Parses a configuration file. @returns what it holds and what is wrong so far @throws Error for what is no object */
export function parseConfiguration(text: string): { value: JsonObject; problems: readonly string[] } {
  if (text.trim() === '') throw new Error('empty config data');
  const { value, duplicates } = parseYaml(Buffer.from(text));
  if (!isObject(value)) throw new Error('the file holds no object');
  return { value, problems: duplicates.map(({ message }) => message) };
}

/** The same for what has been parsed. @param problems that were found before @throws Error as above */
export function readConfigurationObject<const S extends Shape>(
  value: JsonObject,
  { kind, apiVersions, shape }: ConfigurationKind<S>,
  problems: readonly string[] = [],
): Shaped<S> {
  const { apiVersion, kind: given, ...content } = value;
  if (typeof given !== 'string' || given === '') throw new Error("Object 'Kind' is missing");
  if (typeof apiVersion !== 'string' || apiVersion === '') throw new Error("Object 'apiVersion' is missing");
  if (given !== kind || !apiVersions.includes(apiVersion)) {
    const known = apiVersions.map((version) => `${kind} of ${version}`).join(', ');
    throw new Error(
      `no kind ${JSON.stringify(given)} of version ${JSON.stringify(apiVersion)}: want ${known}`,
    );
  }
  return readShape(content, shape, problems);
}

/** Reads what has no kind. @param problems that were found before @throws Error naming everything that is wrong */
export function readShape<const S extends Shape>(
  value: unknown,
  shape: S,
  problems: readonly string[] = [],
): Shaped<S> {
  const reading = new Reading(problems);
  const result = reading.value(value, shape, '');
  reading.finish();
  return result as Shaped<S>;
}

class Reading {
  readonly #problems: string[];

  constructor(problems: readonly string[]) {
    this.#problems = [...problems];
  }

  value(value: unknown, shape: Shape, path: string): unknown {
    if (shape === 'string')
      return typeof value === 'string' ? value : this.#zero(value, '', 'a string', path);
    if (shape === 'boolean')
      return typeof value === 'boolean' ? value : this.#zero(value, false, 'true or false', path);
    if (shape === 'integer')
      return Number.isSafeInteger(value) ? value : this.#zero(value, 0, 'a whole number', path);
    if (shape === 'duration') return this.#duration(value, path);
    if (shape === 'any') return value;
    if (shape.kind === 'optional')
      return value === undefined || value === null ? undefined : this.value(value, shape.of, path);
    if (shape.kind === 'list') {
      const items = Array.isArray(value) ? value : this.#zero(value, [], 'a list', path);
      return items.map((item: unknown, index) => this.value(item, shape.of, `${path}[${index}]`));
    }
    if (shape.kind === 'map') {
      const entries = Object.entries(isObject(value) ? value : this.#zero(value, {}, 'an object', path));
      return new Map(entries.map(([key, one]) => [key, this.value(one, shape.of, join(path, key))]));
    }
    return this.#object(value, shape.fields, path);
  }

  /** @throws Error with all problems, if there are any. */
  finish(): void {
    if (this.#problems.length === 0) return;
    const told = this.#problems.slice(0, MAX_PROBLEMS);
    throw new Error(`strict decoding error: ${told.join(', ')}`);
  }

  #object(value: unknown, fields: Readonly<Record<string, Shape>>, path: string): unknown {
    const given: Readonly<Record<string, unknown>> = isObject(value)
      ? value
      : this.#zero(value, {}, 'an object', path);
    for (const field of Object.keys(given)) {
      if (!Object.hasOwn(fields, field))
        this.#problems.push(`unknown field ${JSON.stringify(join(path, field))}`);
    }
    return Object.fromEntries(
      Object.entries(fields).map(([field, shape]) => {
        const own = Object.hasOwn(given, field) ? given[field] : undefined;
        return [field, this.value(own, shape, join(path, field))];
      }),
    );
  }

  #duration(value: unknown, path: string): number {
    const ms = typeof value === 'string' ? parseDurationMs(value) : undefined;
    return ms ?? this.#zero(value, 0, 'a duration such as 1h30m', path);
  }

  /** What stands for nothing; anything else is a problem. Null counts as nothing. */
  #zero<T>(value: unknown, zero: T, wanted: string, path: string): T {
    if (value !== undefined && value !== null)
      this.#problems.push(`${path === '' ? 'the file' : path}: want ${wanted}`);
    return zero;
  }
}

function join(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
