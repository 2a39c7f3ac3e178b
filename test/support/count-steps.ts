import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** What a file of work exports by default: prepares work of a size, and returns what does it. */
export type Work = (size: number) => Promise<() => unknown>;

const PROGRAM = fileURLToPath(new URL('count-steps-program.ts', import.meta.url));
/** V8 counts reliably only what is neither optimized nor thrown away meanwhile. */
const COUNTING = [
  '--no-opt',
  '--no-maglev',
  '--no-sparkplug',
  '--no-lazy-feedback-allocation',
  '--no-flush-bytecode',
];
const MAX_OUTPUT = 1024 * 1024;

/**
 * Counts what the project's own code does to finish a piece of work: how often each of its functions, loops and branches
 * is entered. Unlike time, it is the same on a busy machine. What built-in functions do inside isn't seen. It takes a
 * process of its own, since counting slows all of one down.
 *
 * @param file exports the {@link Work}.
 * @returns the steps for each size.
 */
export async function countSteps(file: URL, sizes: readonly number[]): Promise<number[]> {
  const program = [...COUNTING, PROGRAM, file.href, ...sizes.map(String)];
  const { stdout } = await promisify(execFile)(process.execPath, program, { maxBuffer: MAX_OUTPUT });
  return JSON.parse(stdout) as number[];
}
