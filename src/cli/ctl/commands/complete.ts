import { defineCommand } from '../command.ts';
import { candidates } from '../completion/candidates.ts';
import { findPosition } from '../completion/position.ts';
import type { GlobalValues } from '../flags/global.ts';
import { parseLine } from '../flags/parse.ts';

/** Nobody waits longer for a word. */
const TIMEOUT_MS = 3000;

/** What the shells' scripts call. */
export const complete = defineCommand({
  usage: '-- WORD ...',
  description: 'Tell what may come next on a command line, whose last word is being written.',
  flags: {},
  async run({ context, rest, root }) {
    const position = await findPosition(root, rest);
    const globals = globalsOf(position.flags, rest.slice(0, -1)) ?? context.globals;
    const asked = context.derive({ ...globals, 'request-timeout': TIMEOUT_MS });
    const lines = await candidates(position, asked).catch((): string[] => []);
    await context.stdout.write(lines.map((line) => `${line}\n`).join(''));
  },
});

/** The global flags of the line so far; undefined while it makes no sense. */
function globalsOf(
  flags: Parameters<typeof parseLine>[0],
  words: readonly string[],
): GlobalValues | undefined {
  try {
    return parseLine(flags, words).flags as unknown as GlobalValues;
  } catch {
    return undefined;
  }
}
