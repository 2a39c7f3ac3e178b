import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandContext } from '../context.ts';
import { CtlError } from '../errors.ts';

/** Two versions of something, as texts. */
export interface Comparison {
  /** The name of the file in either folder. */
  readonly name: string;
  /** Undefined where there is none. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** An argument of KUBECTL_EXTERNAL_DIFF: others are left out, as kubectl does. */
const ARGUMENT = /^[a-zA-Z0-9-=]+$/;

/**
 * Compares texts with `diff -u -N`, or the program that KUBECTL_EXTERNAL_DIFF names, and writes what it says.
 *
 * @param names of the two folders that the program sees, `LIVE` and `MERGED` for instance.
 * @returns whether there are differences. @throws CtlError when the program can't be run, or fails.
 */
export async function showDifferences(
  context: CommandContext,
  names: readonly [from: string, to: string],
  comparisons: readonly Comparison[],
): Promise<boolean> {
  const folders = await Promise.all(names.map((name) => mkdtemp(join(tmpdir(), `${name}-`))));
  const [from = '', to = ''] = folders;
  try {
    for (const comparison of comparisons) {
      // Nobody else is to read secrets.
      const write = (folder: string, text: string | undefined): Promise<void> | undefined =>
        text === undefined ? undefined : writeFile(join(folder, comparison.name), text, { mode: 0o600 });
      await write(from, comparison.from);
      await write(to, comparison.to);
    }
    return await run(context, from, to);
  } finally {
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }
}

async function run(context: CommandContext, from: string, to: string): Promise<boolean> {
  const [program = 'diff', ...args] = commandOf(context.env['KUBECTL_EXTERNAL_DIFF'] ?? '');
  const child = spawn(program, [...args, from, to], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: context.signal,
  });
  const ended = once(child, 'close') as Promise<[code: number | null]>;
  const copy = async (stream: AsyncIterable<Uint8Array>, output: CommandContext['stdout']): Promise<void> => {
    for await (const chunk of stream) await output.write(chunk);
  };
  try {
    const [[code]] = await Promise.all([
      ended,
      copy(child.stdout, context.stdout),
      copy(child.stderr, context.stderr),
    ]);
    if (code === 0 || code === 1) return code === 1;
    throw new CtlError(`failed to run ${JSON.stringify(program)}: exit status ${code ?? 'none'}`, {});
  } catch (error) {
    if (error instanceof CtlError) throw error;
    context.signal.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    throw new CtlError(`failed to run ${JSON.stringify(program)}: ${why}`, { cause: error });
  }
}

function commandOf(external: string): string[] {
  if (external === '') return ['diff', '-u', '-N'];
  const [program = 'diff', ...args] = external.split(' ');
  return [program, ...args.filter((arg) => ARGUMENT.test(arg))];
}
