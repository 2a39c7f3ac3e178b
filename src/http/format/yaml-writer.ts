import type { Json, JsonObject } from '../../meta/object.ts';
import { doubleQuoted, literalBlock, scalarStyle, singleQuoted } from './yaml-scalar.ts';

const INDENT = '  ';
/** Readers needn't take keys of more than 1,024 characters without an explicit mark. */
const LONGEST_SIMPLE_KEY = 128;

/** The YAML 1.1 of a value, line end included: keys sorted, lists at the level of their key. */
export function writeYaml(value: Json): string {
  const writer = new Writer();
  if (isFilled(value)) writer.collection(value, '', '');
  else writer.scalar(value, INDENT);
  return writer.text;
}

type Collection = Json[] | JsonObject;

function isFilled(value: Json): value is Collection {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0;
}

class Writer {
  text = '';

  /** @param first what stands before the first line, which may have begun already. @param indent before the others. */
  collection(value: Collection, first: string, indent: string): void {
    if (Array.isArray(value)) this.#list(value, first, indent);
    else this.#map(value, first, indent);
  }

  #list(items: readonly Json[], first: string, indent: string): void {
    let lead = first;
    for (const item of items) {
      this.text += `${lead}- `;
      lead = indent;
      if (isFilled(item)) this.collection(item, '', indent + INDENT);
      else this.scalar(item, indent + INDENT);
    }
  }

  #map(object: JsonObject, first: string, indent: string): void {
    let lead = first;
    for (const key of Object.keys(object).sort()) {
      const value = object[key];
      if (value === undefined) continue;
      const name = flowText(key);
      this.text += name.length > LONGEST_SIMPLE_KEY ? `${lead}? ${name}\n${indent}:` : `${lead}${name}:`;
      lead = indent;
      if (isFilled(value)) {
        this.text += '\n';
        const inner = Array.isArray(value) ? indent : indent + INDENT;
        this.collection(value, inner, inner);
      } else {
        this.text += ' ';
        this.scalar(value, indent + INDENT);
      }
    }
  }

  /** Whatever has nothing inside. @param indent of the lines of a text. */
  scalar(value: Json, indent: string): void {
    if (typeof value === 'string') {
      const block = scalarStyle(value, false) === 'block';
      this.text += block ? literalBlock(value, indent) : flowText(value);
    } else if (Array.isArray(value)) this.text += '[]';
    else if (typeof value === 'object' && value !== null) this.text += '{}';
    else this.text += String(value);
    this.text += '\n';
  }
}

/** A text on one line. */
function flowText(text: string): string {
  switch (scalarStyle(text, true)) {
    case 'plain':
      return text;
    case 'single':
      return singleQuoted(text);
    default:
      return doubleQuoted(text);
  }
}
