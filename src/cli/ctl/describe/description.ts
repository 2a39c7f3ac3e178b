import { alignTabs } from './align-tabs.ts';

const STEP = '  ';
// eslint-disable-next-line no-control-regex -- which is what is looked for
const HARMFUL = /[\x1b\r\v\f]/g;
const HARMLESS: Readonly<Record<string, string>> = { '\x1b': '^[', '\r': '\\r', '\v': '\t', '\f': '\n' };

/** What a level of a description is indented by, in steps of two spaces. */
export type Level = number;

/**
 * A description as it is written: lines whose cells end with tabs, set under each other at the end. Text of the server
 * can't command the terminal.
 */
export class Description {
  readonly #parts: string[];
  readonly #indent: Level;

  constructor(parts: string[] = [''], indent: Level = 0) {
    this.#parts = parts;
    this.#indent = indent;
  }

  /** `label:` and a value in the next column. */
  row(label: string, value: string | number | boolean | bigint, level: Level = 0): void {
    this.text(`${label}:\t${value}\n`, level);
  }

  /** A line; what it holds may have tabs of its own. */
  line(text: string, level: Level = 0): void {
    this.text(`${text}\n`, level);
  }

  /** The begin of a line, or all of it. */
  text(text: string, level: Level = 0): void {
    this.#write(STEP.repeat(this.#indent + level) + text);
  }

  /** Ends a line that was begun. */
  end(text = ''): void {
    this.#write(`${STEP.repeat(this.#indent)}${text}\n`);
  }

  /** What is written from here on has columns of its own. */
  newColumns(): void {
    this.#parts.push('');
  }

  /** The same description, further in. */
  nested(levels: Level): Description {
    return new Description(this.#parts, this.#indent + levels);
  }

  toString(): string {
    return this.#parts.map(alignTabs).join('');
  }

  /** The text with its tabs as they are. */
  unaligned(): string {
    return this.#parts.join('');
  }

  #write(text: string): void {
    const harmless = text.replace(HARMFUL, (character) => HARMLESS[character] ?? '');
    this.#parts[this.#parts.length - 1] += harmless;
  }
}
