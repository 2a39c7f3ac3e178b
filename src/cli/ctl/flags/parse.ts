import { parseArgs, type ParseArgsConfig } from 'node:util';
import { closest } from '../../../lib/closest.ts';
import { UsageError } from '../errors.ts';
import { parseDuration } from './duration.ts';
import type { Flag, Flags } from './flag.ts';

type Value = string | number | boolean | readonly string[] | undefined;

export interface ParsedLine {
  readonly flags: Readonly<Record<string, Value>>;
  /** Long names of the flags that were written out. */
  readonly given: ReadonlySet<string>;
  readonly args: readonly string[];
  /** What stands behind `--`. */
  readonly rest: readonly string[];
}

/**
 * Reads flags and arguments in any order, as pflag does.
 *
 * Node's own `parseArgs` splits the line; the rows decide what the pieces mean. A library such as commander would have to
 * be undone in what makes the difference: `-o=yaml`, `--watch=false`, `--dry-run` never eating the next word.
 *
 * @throws UsageError naming the flag.
 */
export function parseLine(flags: Flags, argv: readonly string[]): ParsedLine {
  const reader = new LineReader(flags);
  reader.read(argv);
  return { flags: reader.values(), given: reader.given, args: reader.args, rest: reader.rest };
}

class LineReader {
  readonly args: string[] = [];
  readonly rest: string[] = [];
  readonly given = new Set<string>();
  readonly #flags: Flags;
  readonly #values = new Map<string, Value>();

  constructor(flags: Flags) {
    this.#flags = flags;
  }

  read(argv: readonly string[]): void {
    const options = Object.create(null) as NonNullable<ParseArgsConfig['options']>;
    for (const [name, flag] of Object.entries(this.#flags)) {
      const type = bareValue(flag) === undefined ? 'string' : 'boolean';
      options[name] = { type, multiple: true, ...(flag.short === undefined ? {} : { short: flag.short }) };
    }
    const { tokens } = parseArgs({
      args: [...argv],
      options,
      strict: false,
      allowPositionals: true,
      tokens: true,
    });
    let ended = false;
    for (const token of tokens) {
      if (token.kind === 'option-terminator') ended = true;
      else if (token.kind === 'positional') (ended ? this.rest : this.args).push(token.value);
      else this.#read(token.name, token.rawName, token.value);
    }
  }

  /** Every flag's value, defaults included. */
  values(): Readonly<Record<string, Value>> {
    const values: Record<string, Value> = {};
    for (const [name, flag] of Object.entries(this.#flags)) {
      values[name] = this.#values.get(name) ?? defaultOf(flag);
    }
    return values;
  }

  #read(name: string, rawName: string, value: string | undefined): void {
    const flag = Object.hasOwn(this.#flags, name) ? this.#flags[name] : undefined;
    if (flag === undefined) throw this.#unknown(name, rawName);
    const text = (rawName.startsWith('--') ? value : value?.replace(/^=/, '')) ?? bareValue(flag);
    if (text === undefined) throw new UsageError(`flag needs an argument: ${flagName(name, rawName)}`);
    this.given.add(name);
    this.#values.set(name, readValue({ name, flag, text, before: this.#values.get(name) }));
  }

  #unknown(name: string, rawName: string): UsageError {
    if (!rawName.startsWith('--')) return new UsageError(`unknown shorthand flag: '${name}' in ${rawName}`);
    const similar = closest(name, Object.keys(this.#flags));
    return new UsageError(
      `unknown flag: ${rawName}${similar === undefined ? '' : ` (is --${similar} meant?)`}`,
    );
  }
}

function flagName(name: string, rawName: string): string {
  return rawName.startsWith('--') ? `--${name}` : `'${rawName.slice(1)}' in ${rawName}`;
}

/** What a flag without value stands for; undefined where it needs one. */
function bareValue(flag: Flag): string | undefined {
  return flag.type === 'switch' ? 'true' : flag.type === 'text' ? flag.bare : undefined;
}

function defaultOf(flag: Flag): Value {
  if (flag.type === 'list') return [];
  return flag.type === 'switch' ? (flag.default ?? false) : flag.default;
}

interface Reading {
  readonly name: string;
  readonly flag: Flag;
  readonly text: string;
  readonly before: Value;
}

const TRUE = /^(?:1|t|true)$/i;
const FALSE = /^(?:0|f|false)$/i;

function readValue({ name, flag, text, before }: Reading): Value {
  const refuse = (why: string): never => {
    throw new UsageError(`invalid argument ${JSON.stringify(text)} for "--${name}" flag: ${why}`);
  };
  switch (flag.type) {
    case 'switch':
      return TRUE.test(text) || (FALSE.test(text) ? false : refuse('it is true or false'));
    case 'text':
      if (flag.choices?.includes(text) === false) refuse(`it is one of ${flag.choices.join(', ')}`);
      return text;
    case 'number':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : refuse('it is a whole number');
    case 'duration':
      return parseDuration(text) ?? refuse('it is a duration such as 30s or 1m30s');
    case 'list':
      return [
        ...(Array.isArray(before) ? (before as string[]) : []),
        ...(flag.commas ? text.split(',') : [text]),
      ];
  }
}
