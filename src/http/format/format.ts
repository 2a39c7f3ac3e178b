import { exactJson } from '../../lib/exact-json.ts';
import type { JsonObject } from '../../meta/object.ts';
import { indentJson } from './indent-json.ts';
import { jsonToYaml, yamlOf } from './yaml.ts';

/** How the JSON that everything is made as leaves the server. */
export interface Format {
  /** A complete document. */
  whole(json: Buffer): Buffer;
  /** What goes around the elements of one long array of a document. */
  envelope(fields: JsonObject, array: string): Envelope;
  /** An element, complete JSON, as it stands in the array. Undefined: as it is. */
  readonly element: ((json: Buffer) => Buffer) | undefined;
  /** Between two elements. */
  readonly separator: Buffer;
}

/** The bytes before the first element and after the last. */
export interface Envelope {
  readonly open: Buffer;
  readonly close: Buffer;
  /** The whole document, when the array has no elements. */
  readonly empty: Buffer;
}

/** JSON as small as it gets: elements are sent as they are stored. */
export const compactJson: Format = {
  whole: (json) => json,
  element: undefined,
  separator: Buffer.from(','),
  envelope(fields, array) {
    const head = exactJson(fields).slice(0, -1);
    const open = `${head},"${array}":[`;
    return { open: Buffer.from(open), close: Buffer.from(']}\n'), empty: Buffer.from(`${open}]}\n`) };
  },
};

/** JSON for people: two spaces a level. */
export const prettyJson: Format = {
  whole: (json) => indentJson(json),
  element: (json) => Buffer.concat([ELEMENT_INDENT, indentJson(json, 2)]),
  separator: Buffer.from(',\n'),
  envelope(fields, array) {
    const head = indentJson(Buffer.from(exactJson(fields)))
      .toString()
      .slice(0, -2);
    const open = `${head},\n  "${array}": [`;
    return {
      open: Buffer.from(`${open}\n`),
      close: Buffer.from('\n  ]\n}'),
      empty: Buffer.from(`${open}]\n}`),
    };
  },
};

const ELEMENT_INDENT = Buffer.from('    ');

/** YAML with sorted keys and lists at the level of their key. */
export const yaml: Format = {
  whole: jsonToYaml,
  element: (json) => Buffer.from(asListItem(jsonToYaml(json).toString())),
  separator: Buffer.alloc(0),
  envelope(fields, array) {
    const before: JsonObject = {};
    const after: JsonObject = {};
    for (const [name, value] of Object.entries(fields)) (name < array ? before : after)[name] = value;
    const head = `${yamlOf(before)}${array}:`;
    const tail = Object.keys(after).length === 0 ? '' : yamlOf(after);
    return {
      open: Buffer.from(`${head}\n`),
      close: Buffer.from(tail),
      empty: Buffer.from(`${head} []\n${tail}`),
    };
  },
};

/** The text of a mapping as an item of a list: a dash before its first line, the others indented. */
function asListItem(text: string): string {
  const lines = text.trimEnd().split('\n');
  return `- ${lines.join('\n  ')}\n`;
}
