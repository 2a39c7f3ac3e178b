import type { Command, CommandEntry, CommandGroup } from './command.ts';
import { isGroup } from './command.ts';
import { SECTIONS } from './commands.ts';
import type { CommandContext } from './context.ts';
import { closest } from '../../lib/closest.ts';
import { CtlError, UsageError } from './errors.ts';
import { GLOBAL_FLAGS, type GlobalValues } from './flags/global.ts';
import type { Flags } from './flags/flag.ts';
import { parseLine } from './flags/parse.ts';
import { OutputClosed, type Output } from './output.ts';
import { renderError } from './render-error.ts';

export interface RunOptions {
  readonly argv: readonly string[];
  readonly stdout: Output;
  readonly stderr: Output;
  /** Aborted by Ctrl-C with the exit code as its reason. */
  readonly signal: AbortSignal;
  /** Gives a command its world, once its flags are known. */
  readonly createContext: (globals: GlobalValues) => CommandContext;
}

/** Runs one command line. @returns the exit code; everything is told by then. */
export async function runCommandLine(options: RunOptions): Promise<number> {
  const { stderr, signal } = options;
  const trail: Trail = { name: 'orchctl', failureCode: 1 };
  try {
    const code = await dispatch(options, trail);
    return signal.aborted ? stoppedCode(signal) : code;
  } catch (error) {
    if (signal.aborted) return stoppedCode(signal);
    if (error instanceof OutputClosed) return 1;
    const { text, exitCode } = renderError(error, trail.name);
    await stderr.write(text);
    return Math.max(exitCode, trail.failureCode);
  }
}

const ROOT: CommandGroup = { description: '', commands: SECTIONS.flatMap(({ commands }) => commands) };

function stoppedCode({ reason }: AbortSignal): number {
  return typeof reason === 'number' ? reason : 1;
}

/** How far the command's name has been read, for messages. */
interface Trail {
  name: string;
  /** Of the command, once it is known. */
  failureCode: number;
}

async function dispatch(options: RunOptions, trail: Trail): Promise<number> {
  let group = ROOT;
  let argv = options.argv;
  for (;;) {
    const at = commandAt(argv, { ...group.own?.flags, ...GLOBAL_FLAGS });
    const word = at < 0 ? undefined : argv[at];
    if (word === undefined && group.own !== undefined)
      return runOwn(group, group.own, { ...options, argv, trail });
    if (word === undefined) return showGroup(group, { ...options, argv, trail });
    const entry = group.commands.find(({ name, aliases }) => name === word || aliases?.includes(word));
    if (entry === undefined) throw unknownCommand(word, group.commands, trail.name);
    trail.name += ` ${entry.name}`;
    argv = argv.toSpliced(at, 1);
    const loaded = await entry.load();
    if (!isGroup(loaded)) return runCommand(loaded, argv, { ...options, trail });
    group = loaded;
  }
}

/** Where the first word is that is neither a flag nor a flag's value: flags may stand before the command. */
function commandAt(argv: readonly string[], flags: Flags): number {
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string;
    if (word === '--') return -1;
    if (!word.startsWith('-') || word === '-') return i;
    if (takesNextWord(word, flags)) i++;
  }
  return -1;
}

function takesNextWord(word: string, flags: Flags): boolean {
  if (word.includes('=')) return false;
  const flag = word.startsWith('--')
    ? flags[word.slice(2)]
    : word.length === 2
      ? Object.values(flags).find(({ short }) => short === word[1])
      : undefined;
  return flag !== undefined && flag.type !== 'switch' && !(flag.type === 'text' && flag.bare !== undefined);
}

async function runOwn(
  group: CommandGroup,
  own: Command,
  options: RunOptions & { readonly trail: Trail },
): Promise<number> {
  const code = await runCommand(own, options.argv, options);
  const { flags } = parseLine({ ...GLOBAL_FLAGS, ...own.flags }, options.argv);
  if (flags['help'] !== true) return code;
  const { groupHelp } = await import('./help.ts');
  await options.stdout.write(`\n${groupHelp(options.trail.name, group)}`);
  return code;
}

async function showGroup(
  group: CommandGroup,
  { argv, stdout, trail }: RunOptions & { readonly trail: Trail },
): Promise<number> {
  parseLine(GLOBAL_FLAGS, argv);
  const { rootHelp, groupHelp } = await import('./help.ts');
  const text = group.description === '' ? rootHelp(SECTIONS) : groupHelp(trail.name, group);
  await stdout.write(text);
  return 0;
}

function unknownCommand(word: string, commands: readonly CommandEntry[], name: string): UsageError {
  const names = commands.flatMap((entry) => [entry.name, ...(entry.aliases ?? [])]);
  const similar = closest(word, names);
  return new UsageError(
    `unknown command ${JSON.stringify(word)} for ${JSON.stringify(name)}${similar === undefined ? '' : ` (is ${similar} meant?)`}`,
  );
}

async function runCommand(
  command: Command,
  argv: readonly string[],
  { createContext, stdout, trail }: RunOptions & { readonly trail: Trail },
): Promise<number> {
  trail.failureCode = command.failureCode ?? 1;
  const { flags, given, args, rest } = parseLine({ ...GLOBAL_FLAGS, ...command.flags }, argv);
  if (flags['help'] === true) {
    const { commandHelp } = await import('./help.ts');
    await stdout.write(commandHelp(trail.name, command));
    return 0;
  }
  const context = createContext(globalsOf(command, flags));
  const code = (await command.run({ context, flags, given, args, rest, root: ROOT })) ?? 0;
  if (code === 0 && flags['warnings-as-errors'] === true && context.warnings > 0) {
    throw new CtlError(`${context.warnings} ${context.warnings === 1 ? 'warning' : 'warnings'} received`);
  }
  return code;
}

/** What the global flags say; one that the command has for itself, such as `--user` of bindings, isn't one. */
function globalsOf(command: Command, flags: Readonly<Record<string, unknown>>): GlobalValues {
  const own = Object.keys(command.flags).filter((name) => Object.hasOwn(GLOBAL_FLAGS, name));
  return { ...flags, ...Object.fromEntries(own.map((name) => [name, undefined])) } as GlobalValues;
}
