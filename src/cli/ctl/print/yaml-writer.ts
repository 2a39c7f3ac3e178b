import type { Json, JsonObject } from '../../../meta/object.ts';
import { goFloat } from './go-float.ts';
import { compareNaturally } from './natural-order.ts';
import { escaped, scalarStyle } from './yaml-scalar.ts';

const INDENT = '  ';
/** Lines go on below from the first space behind this column. */
const WIDTH = 80;
/** Longer keys are marked. */
const LONGEST_SIMPLE_KEY = 128;
/** Numbers from 10^21 on, or with fractions from 10^6 on, have exponents. */
const FRACTION_DIGITS = 6;

type Collection = Json[] | JsonObject;

/** The YAML of a value, line end included, byte for byte as Go's library for YAML 1.1 writes it. */
export function goYaml(value: Json): string {
  const writer = new Writer();
  if (isFilled(value)) writer.collection(value, '', '');
  else writer.scalar(value, INDENT);
  return writer.text();
}

function isFilled(value: Json | undefined): value is Collection {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0;
}

class Writer {
  #text = '';
  /** Where the last line of the text begins. */
  #line = 0;

  text(): string {
    return this.#text;
  }

  /** @param first what stands before the first line, which may have begun already. @param indent before the others. */
  collection(value: Collection, first: string, indent: string): void {
    if (Array.isArray(value)) this.#list(value, first, indent);
    else this.#map(value, first, indent);
  }

  /** Whatever has nothing inside. @param indent of the lines after the first. */
  scalar(value: Json, indent: string): void {
    if (typeof value === 'string') this.#string(value, indent);
    else if (Array.isArray(value)) this.#text += '[]';
    else if (typeof value === 'object' && value !== null) this.#text += '{}';
    else if (typeof value === 'number' && !Number.isInteger(value)) {
      this.#text += goFloat(value, FRACTION_DIGITS);
    } else this.#text += typeof value === 'number' ? goFloat(value) : String(value);
    this.#break();
  }

  #list(items: readonly Json[], first: string, indent: string): void {
    let lead = first;
    for (const item of items) {
      this.#text += `${lead}- `;
      lead = indent;
      if (isFilled(item)) this.collection(item, '', indent + INDENT);
      else this.scalar(item, indent + INDENT);
    }
  }

  #map(object: JsonObject, first: string, indent: string): void {
    let lead = first;
    for (const key of Object.keys(object).sort(compareNaturally)) {
      const value = object[key];
      if (value === undefined) continue;
      this.#text += lead;
      this.#key(key, indent);
      lead = indent;
      if (isFilled(value)) {
        this.#break();
        const inner = Array.isArray(value) ? indent : indent + INDENT;
        this.collection(value, inner, inner);
      } else {
        this.#text += ' ';
        this.scalar(value, indent + INDENT);
      }
    }
  }

  #key(key: string, indent: string): void {
    const style = scalarStyle(key, true);
    if (Buffer.byteLength(key) <= LONGEST_SIMPLE_KEY) {
      this.#text += `${style === 'plain' ? key : quoted(key, style)}:`;
      return;
    }
    this.#text += '? ';
    this.#string(key, indent + INDENT);
    this.#break();
    this.#text += `${indent}:`;
  }

  #string(text: string, indent: string): void {
    const style = scalarStyle(text, false);
    if (style === 'block') this.#block(text, indent);
    else if (text.length + indent.length < WIDTH / 2) {
      this.#text += style === 'plain' ? text : quoted(text, style);
    } else this.#folded(text, style, indent);
  }

  /** A long text, broken at single spaces beyond the width. */
  #folded(text: string, style: 'plain' | 'single' | 'double', indent: string): void {
    const body = style === 'plain' ? text : quoted(text, style);
    let from = 0;
    for (let space = body.indexOf(' '); space >= 0; space = body.indexOf(' ', space + 1)) {
      if (!this.#mayBreak(body, space, style) || this.#column(body.slice(from, space)) <= WIDTH) continue;
      this.#text += body.slice(from, space);
      this.#break();
      this.#text += indent;
      from = space + 1;
      if (style === 'double' && body[from] === ' ') this.#text += '\\';
    }
    this.#text += body.slice(from);
  }

  #mayBreak(body: string, space: number, style: 'plain' | 'single' | 'double'): boolean {
    if (body[space - 1] === ' ') return false;
    if (style === 'plain') return body[space + 1] !== ' ';
    const inside = space > 1 && space < body.length - 2;
    return inside && (style === 'double' || body[space + 1] !== ' ');
  }

  /** Where the line would end with `more` behind it. */
  #column(more: string): number {
    const line = this.#text.slice(this.#line) + more;
    return isAscii(line) ? line.length : [...line].length;
  }

  #block(text: string, indent: string): void {
    const hint = /^[ \n\u2028\u2029]/.test(text) ? '2' : '';
    const end = !/[\n\u2028\u2029]$/.test(text)
      ? '-'
      : /(?:^|[\n\u2028\u2029])[\n\u2028\u2029]$/.test(text)
        ? '+'
        : '';
    this.#text += `|${hint}${end}`;
    this.#break();
    const lines = text.split('\n');
    if (end !== '-') lines.pop();
    this.#text += lines.map((line) => (line === '' ? '' : indent + line)).join('\n');
  }

  #break(): void {
    this.#text += '\n';
    this.#line = this.#text.length;
  }
}

function quoted(text: string, style: ScalarQuotes): string {
  return style === 'single' ? `'${text.replaceAll("'", "''")}'` : `"${escaped(text)}"`;
}

type ScalarQuotes = Exclude<ReturnType<typeof scalarStyle>, 'plain'>;

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}
