import type { Command, CommandEntry, CommandGroup } from '../command.ts';
import { isGroup } from '../command.ts';
import type { Flag, Flags } from '../flags/flag.ts';
import { GLOBAL_FLAGS } from '../flags/global.ts';

/** Where on a command line somebody asks what may come next. */
export interface Position {
  /** The command that has been named, if one has. */
  readonly command: Command | undefined;
  /** The commands among which the next word would choose. */
  readonly commands: readonly CommandEntry[];
  readonly flags: Flags;
  /** Arguments before the word that is being written. */
  readonly args: readonly string[];
  /** The flag whose value is being written. */
  readonly flag: Flag | undefined;
  /** What stands before the value in the same word: `--flag=`, or `-n`. */
  readonly prefix: string;
  /** What is written already of the word, or of the value. */
  readonly text: string;
}

/** Finds where a line ends. @param words those behind the program's name; the last one is being written. */
export async function findPosition(root: CommandGroup, words: readonly string[]): Promise<Position> {
  const before = words.slice(0, -1);
  const text = words.at(-1) ?? '';
  let { commands } = root;
  let command: Command | undefined;
  let flags: Flags = GLOBAL_FLAGS;
  const args: string[] = [];
  let open: Flag | undefined;
  for (const word of before) {
    if (open !== undefined) open = undefined;
    else if (word.startsWith('-') && word !== '-') open = openFlag(flags, word);
    else if (command === undefined) {
      const entry = commands.find(({ name, aliases }) => name === word || aliases?.includes(word));
      const loaded = await entry?.load();
      if (loaded === undefined) commands = [];
      else if (isGroup(loaded)) ({ commands } = loaded);
      else {
        command = loaded;
        flags = { ...GLOBAL_FLAGS, ...loaded.flags };
      }
    } else args.push(word);
  }
  return { command, commands, flags, args, ...valueAt(flags, open, text) };
}

/** The flag that the next word is a value of. */
function openFlag(flags: Flags, word: string): Flag | undefined {
  if (word.includes('=')) return undefined;
  const flag = word.startsWith('--')
    ? flags[word.slice(2)]
    : word.length === 2
      ? byShort(flags, word)
      : undefined;
  return flag !== undefined && needsValue(flag) ? flag : undefined;
}

function needsValue(flag: Flag): boolean {
  return flag.type !== 'switch' && !(flag.type === 'text' && flag.bare !== undefined);
}

function byShort(flags: Flags, word: string): Flag | undefined {
  return Object.values(flags).find(({ short }) => short === word[1]);
}

function valueAt(
  flags: Flags,
  open: Flag | undefined,
  word: string,
): Pick<Position, 'flag' | 'prefix' | 'text'> {
  if (open !== undefined) return { flag: open, prefix: '', text: word };
  const [, name = '', value] = /^--([^=]+)=(.*)$/s.exec(word) ?? [];
  if (value !== undefined) return { flag: flags[name], prefix: `--${name}=`, text: value };
  const short = /^-[a-zA-Z]./.test(word) ? byShort(flags, word) : undefined;
  if (short !== undefined && needsValue(short))
    return { flag: short, prefix: word.slice(0, 2), text: word.slice(2) };
  return { flag: undefined, prefix: '', text: word };
}
