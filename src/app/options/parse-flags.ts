import { parseArgs, type ParseArgsConfig } from 'node:util';
import { closest } from '../../lib/closest.ts';
import { rowsOf, type FlagRow, type FlagTable } from './flag-table.ts';
import { FLAG_TYPES, readerOf, type FlagValue } from './flag-types.ts';
import { FlagValues } from './flag-values.ts';

/** What a command line says, and what is wrong with it. */
export interface ParsedFlags {
  readonly values: FlagValues;
  /** A sentence for everything that can't be understood; empty when all can. */
  readonly problems: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads flags from a command line and, where it doesn't set them, from environment variables called `ORCH_` and the
 * flag's name in capitals with underscores. Never throws for what a user wrote: all problems are found in one go.
 */
export function parseFlags(table: FlagTable, argv: readonly string[], env: Environment = {}): ParsedFlags {
  const parser = new FlagParser(rowsOf(table));
  parser.readArguments(argv);
  parser.readEnvironment(env);
  return { values: new FlagValues(table, parser.given), problems: parser.problems };
}

class FlagParser {
  readonly given = new Map<string, FlagValue>();
  readonly problems: string[] = [];
  readonly #rows: ReadonlyMap<string, FlagRow>;

  constructor(rows: ReadonlyMap<string, FlagRow>) {
    this.#rows = rows;
  }

  readArguments(argv: readonly string[]): void {
    const options = Object.create(null) as NonNullable<ParseArgsConfig['options']>;
    for (const [name, { type, short }] of this.#rows) {
      const kind = FLAG_TYPES[type].bare === undefined ? 'string' : 'boolean';
      options[name] = { type: kind, multiple: true, ...(short === undefined ? {} : { short }) };
    }
    const args = argv.map((argument) => this.#withHyphens(argument));
    const { tokens } = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true });
    let unknownAt = -2;
    for (const token of tokens) {
      if (token.kind === 'option') {
        if (!this.#rows.has(token.name)) unknownAt = token.inlineValue ? -2 : token.index;
        this.#readOption(token.name, token.rawName, token.value);
      } else if (token.kind === 'positional' && token.index !== unknownAt + 1) {
        this.problems.push(`orchd takes no arguments besides flags: ${JSON.stringify(token.value)}`);
      }
    }
  }

  readEnvironment(env: Environment): void {
    for (const name of this.#rows.keys()) {
      const variable = `ORCH_${name.replaceAll('-', '_').toUpperCase()}`;
      const text = env[variable];
      if (text === undefined || this.given.has(name) || name === 'help' || name === 'version') continue;
      this.#set(name, text, variable);
    }
  }

  #readOption(name: string, rawName: string, value: string | undefined): void {
    const row = this.#rows.get(name);
    if (row === undefined) {
      const similar = rawName.startsWith('--') ? closest(name, this.#rows.keys()) : undefined;
      this.problems.push(
        `unknown flag: ${rawName}${similar === undefined ? '' : ` (is --${similar} meant?)`}`,
      );
      return;
    }
    const text = rawName.startsWith('--') ? value : value?.replace(/^=/, '');
    const given = text ?? readerOf(row).bare;
    if (given === undefined) this.problems.push(`flag needs a value: ${rawName}`);
    else this.#set(name, given, `--${name}`);
  }

  #set(name: string, text: string, where: string): void {
    const row = this.#rows.get(name) as FlagRow;
    try {
      this.given.set(name, readerOf(row).read(text, this.given.get(name)));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.problems.push(`invalid value ${JSON.stringify(text)} for ${where}: ${reason}`);
    }
  }

  /** Flags may be spelt with underscores, as they once were. */
  #withHyphens(argument: string): string {
    const match = /^--([a-z0-9_-]+_[a-z0-9_-]*)(=.*)?$/is.exec(argument);
    const name = match?.[1]?.replaceAll('_', '-');
    return name !== undefined && this.#rows.has(name) ? `--${name}${match?.[2] ?? ''}` : argument;
  }
}
