import type { Json } from '../../../meta/object.ts';
import { mapValues, type Schema, type SchemaDocument } from './schema.ts';
import { indentText, wrapText } from './wrap.ts';

const WIDTH = 78;
/** A list of fields shows no more values than this. */
const MOST_VALUES = 4;

/** A schema that was reached, and the references on the way to it: what comes again is a circle. */
interface Place {
  readonly schema: Schema;
  readonly seen: ReadonlySet<string>;
}

/** Tells in text what a schema's fields are, in kubectl's form. */
export class FieldExplainer {
  readonly #document: SchemaDocument;
  readonly #recursive: boolean;

  constructor(document: SchemaDocument, recursive: boolean) {
    this.#document = document;
    this.#recursive = recursive;
  }

  /** What is at a path below a schema. @returns undefined where there is no such field. */
  explain(schema: Schema, path: readonly string[]): string | undefined {
    return this.#explain({ schema, seen: new Set() }, path);
  }

  #explain({ schema, seen }: Place, path: readonly string[]): string | undefined {
    const resolved = this.#document.resolve(schema);
    const [name, ...rest] = path;
    if (name === undefined) return this.#whole(resolved);
    if (schema.$ref !== undefined && seen.has(schema.$ref)) return undefined;
    const below = withReference(seen, schema.$ref);
    const field = own(resolved.properties, name);
    if (field !== undefined) {
      const inner = this.#explain({ schema: field, seen: new Set() }, rest);
      return rest.length > 0 || inner === undefined ? inner : `${this.#headline(name, field)}${inner}`;
    }
    const next = resolved.items ?? mapValues(resolved);
    if (next !== undefined) return this.#explain({ schema: next, seen: below }, path);
    for (const part of resolved.allOf ?? []) {
      const found = this.#explain({ schema: part, seen: below }, path);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #headline(name: string, schema: Schema): string {
    const values =
      schema.enum === undefined ? '' : `ENUM:${schema.enum.map((one) => `\n    ${valueText(one)}`).join('')}`;
    return `FIELD: ${name} <${this.#type(schema)}>\n${values}\n\n`;
  }

  #whole(schema: Schema): string {
    const description = this.#description(schema);
    const fields = this.#fields({ schema, seen: new Set() }, 1);
    const text = indentText(wrapText(description === '' ? '<empty>' : description, WIDTH - 2), 4);
    return `DESCRIPTION:\n${text}\n${fields === '' ? '' : `FIELDS:\n${fields}`}`;
  }

  #description(schema: Schema): string {
    const resolved = this.#document.resolve(schema);
    const { description, allOf = [], items } = resolved;
    const more = [...allOf, items, mapValues(resolved)];
    const own = description === undefined || description === '' ? '' : `${description}\n`;
    return own + more.map((part) => (part === undefined ? '' : this.#description(part))).join('');
  }

  #fields({ schema, seen }: Place, level: number): string {
    if (schema.$ref !== undefined && seen.has(schema.$ref)) return '';
    const below = withReference(seen, schema.$ref);
    const resolved = this.#document.resolve(schema);
    const { properties = {}, allOf = [], items } = resolved;
    let text = '';
    for (const name of Object.keys(properties).sort()) {
      const field = properties[name] as Schema;
      text += this.#field(name, { parent: resolved, field, level });
      if (this.#recursive) text += this.#fields({ schema: field, seen: below }, level + 1);
    }
    for (const part of [...allOf, items, mapValues(resolved)]) {
      if (part !== undefined) text += this.#fields({ schema: part, seen: below }, level);
    }
    return text;
  }

  #field(name: string, { parent, field, level }: { parent: Schema; field: Schema; level: number }): string {
    const indent = level * 2;
    const required = parent.required?.includes(name) === true ? ' -required-' : '';
    const line = `${' '.repeat(indent)}${name}\t<${this.#type(field)}>${required}${valuesText(field, indent)}\n`;
    if (this.#recursive) return line;
    const description = wrapText(field.description || '<no description>', WIDTH - indent);
    return `${line}${indentText(description, indent + 2)}\n\n`;
  }

  /** `string`, `[]Container`, `map[string]string`: a hint for people. */
  #type(schema: Schema): string {
    const { items, allOf = [], properties, $ref, type } = schema;
    const values = mapValues(schema);
    const [only] = allOf;
    if (items !== undefined) return `[]${this.#type(items)}`;
    if (values !== undefined) return `map[string]${this.#type(values)}`;
    if (only !== undefined && allOf.length === 1 && properties === undefined) return this.#type(only);
    if ($ref === undefined) return type === undefined || type === 'object' ? 'Object' : type;
    const target = this.#document.lookUp($ref);
    if (target?.type === undefined || target.type === 'object') return $ref.split(/[/.]/).at(-1) || 'Object';
    return target.type;
  }
}

function withReference(seen: ReadonlySet<string>, reference: string | undefined): ReadonlySet<string> {
  return reference === undefined ? seen : new Set([...seen, reference]);
}

function own(properties: Schema['properties'], name: string): Schema | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function valuesText(schema: Schema, indent: number): string {
  if (schema.enum === undefined || schema.enum.length === 0) return '';
  const shown = schema.enum.slice(0, MOST_VALUES).map(valueText).join(', ');
  return `\n${' '.repeat(indent)}enum: ${shown}${schema.enum.length > MOST_VALUES ? ', ....' : ''}`;
}

function valueText(value: Json): string {
  if (value === '') return '""';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
