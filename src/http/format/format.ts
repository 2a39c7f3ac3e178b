import { exactJson } from '../../lib/exact-json.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { StructType } from '../../schema/model.ts';
import { indentJson } from './indent-json.ts';
import { jsonToYaml, yamlOf } from './yaml.ts';

/** How the JSON that everything is made as leaves the server. */
export interface Format {
  /** A complete document, of a kind that it names. */
  whole(json: Buffer): Buffer;
  /** How a document with one long array is written element by element; undefined: only as objects' messages can be. */
  readonly list: ListFormat | undefined;
  /** What stands around the objects of a watch; undefined: it can't be streamed. */
  readonly events: EventFormat | undefined;
}

/** How a long list is written, element by element. */
export interface ListFormat {
  /** What goes around the elements of an array, which are so many. */
  envelope(fields: JsonObject, array: string, length: number): Envelope;
  /** An element, complete JSON of a type where that is known, as it stands in the array. Undefined: as it is. */
  readonly element: ((json: Buffer, type: StructType | undefined) => Buffer) | undefined;
  /** Between two elements. */
  readonly separator: Buffer;
}

/** The types of a watch's events. */
export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

/** What stands around each object of a watch. */
export interface EventFormat {
  /** What goes before an object of so many bytes. */
  head(type: EventType, length: number): Buffer;
  /** What goes behind it. */
  readonly tail: Buffer;
  /** How many of a head's first bytes only tell where the event ends: none by default. */
  readonly lengthBytes?: number;
  /** Whether the events are no text. */
  readonly binary?: boolean;
}

/** The bytes before the first element and after the last. */
export interface Envelope {
  readonly open: Buffer;
  readonly close: Buffer;
  /** The whole document, when the array has no elements. */
  readonly empty: Buffer;
}

const EVENT_HEADS = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
  BOOKMARK: Buffer.from('{"type":"BOOKMARK","object":'),
  ERROR: Buffer.from('{"type":"ERROR","object":'),
} as const;

/** An event a line. */
const jsonEvents: EventFormat = { head: (type) => EVENT_HEADS[type], tail: Buffer.from('}\n') };

/** JSON as small as it gets: elements are sent as they are stored. */
export const compactJson: Format = {
  whole: (json) => json,
  events: jsonEvents,
  list: {
    element: undefined,
    separator: Buffer.from(','),
    envelope(fields, array) {
      const head = exactJson(fields).slice(0, -1);
      const open = `${head},"${array}":[`;
      return { open: Buffer.from(open), close: Buffer.from(']}\n'), empty: Buffer.from(`${open}]}\n`) };
    },
  },
};

/** JSON for people: two spaces a level. */
export const prettyJson: Format = {
  whole: (json) => indentJson(json),
  events: jsonEvents,
  list: {
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
  },
};

const ELEMENT_INDENT = Buffer.from('    ');

/** YAML with sorted keys and lists at the level of their key. */
export const yaml: Format = {
  whole: jsonToYaml,
  events: undefined,
  list: {
    element: (json) => Buffer.from(asListItem(jsonToYaml(json).toString())),
    separator: Buffer.alloc(0),
    envelope(fields, array) {
      const { before, after } = around(fields, array);
      const head = `${yamlOf(before)}${array}:`;
      const tail = Object.keys(after).length === 0 ? '' : yamlOf(after);
      return {
        open: Buffer.from(`${head}\n`),
        close: Buffer.from(tail),
        empty: Buffer.from(`${head} []\n${tail}`),
      };
    },
  },
};

/** The fields that come before an array's name, and those that come after it, in the order of the alphabet. */
function around(fields: JsonObject, array: string): { before: JsonObject; after: JsonObject } {
  const before: JsonObject = {};
  const after: JsonObject = {};
  for (const [name, value] of Object.entries(fields)) (name < array ? before : after)[name] = value;
  return { before, after };
}

/** The text of a mapping as an item of a list: a dash before its first line, the others indented. */
function asListItem(text: string): string {
  return `- ${text.slice(0, -1).replaceAll('\n', '\n  ')}\n`;
}
