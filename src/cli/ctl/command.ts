import type { CommandContext } from './context.ts';
import type { Flags, FlagValues } from './flags/flag.ts';

/** What a command's positional arguments are, for completion. */
export type ArgumentKind =
  | 'resources' // `pods`, `pods x`, `pod/x`
  | 'resource-types'
  | 'contexts'
  | 'clusters'
  | 'users'
  | 'files'
  | { readonly oneOf: readonly string[] }
  | { readonly objectsOf: string }; // names of the objects of a type

/** A command: one file in `commands/`, found through the table in `commands.ts`. */
export interface Command<F extends Flags = Flags> {
  /** What follows `orchctl <name>` in the usage line, e.g. `(TYPE NAME | TYPE/NAME ...) [flags]`. */
  readonly usage: string;
  /** What it does, in a paragraph. */
  readonly description: string;
  /** Lines for `--help`; each `# why` above its command line, which begins with `orchctl`. */
  readonly examples?: string;
  readonly flags: F;
  readonly arguments?: ArgumentKind;
  /** The least exit code of a failure, where a smaller one means something else; 1 by default. */
  readonly failureCode?: number;
  /**
   * Does it.
   *
   * @returns the exit code, 0 when it returns nothing.
   * @throws CtlError, ServerError or SeveralErrors, which are told as kubectl tells them. Nothing needs to be caught for that.
   */
  run(invocation: Invocation<F>): Promise<number | void>;
}

/** One call of a command. */
export interface Invocation<F extends Flags = Flags> {
  readonly context: CommandContext;
  readonly flags: FlagValues<F>;
  /** Names of the flags that were written out, to tell them from defaults. */
  readonly given: ReadonlySet<string>;
  readonly args: readonly string[];
  /** What stands behind `--`. */
  readonly rest: readonly string[];
  /** All commands, for the one that completes them. */
  readonly root: CommandGroup;
}

/** A command that only holds others, like `config` and `rollout`. */
export interface CommandGroup {
  readonly description: string;
  /** What it does where none of its commands is named, as `create -f` does. */
  readonly own?: Command;
  readonly commands: readonly CommandEntry[];
}

/** A line of a table of commands; what it stands for is loaded when it is called. */
export interface CommandEntry {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One line for the list of commands. */
  readonly summary: string;
  readonly hidden?: boolean;
  load(): Promise<Command | CommandGroup>;
}

/** Commands under a heading of `orchctl --help`. */
export interface CommandSection {
  readonly title: string;
  readonly commands: readonly CommandEntry[];
}

/** Types a command by its flags; the type is forgotten where it enters the table. */
export function defineCommand<const F extends Flags>(command: Command<F>): Command {
  return command;
}

export function isGroup(loaded: Command | CommandGroup): loaded is CommandGroup {
  return 'commands' in loaded;
}
