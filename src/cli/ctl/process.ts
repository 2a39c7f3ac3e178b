import process from 'node:process';
import { connect } from './connect.ts';
import { LazyContext } from './create-context.ts';
import { StreamInput, StreamOutput } from './output.ts';
import { runCommandLine } from './run.ts';

/** What shells expect of a program that a signal ended: 128 and its number. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Runs the process's own command line and leaves its exit code. */
export async function runProcess(): Promise<void> {
  const stopped = new AbortController();
  const [stdout, stderr] = [new StreamOutput(process.stdout), new StreamOutput(process.stderr)];
  const stdin = new StreamInput(() => process.stdin, stopped.signal);
  for (const [name, code] of Object.entries(EXIT_CODES)) {
    // A second one ends the process as if nobody listened.
    process.once(name, () => stopped.abort(code));
  }
  let context: LazyContext | undefined;
  process.exitCode = await runCommandLine({
    argv: process.argv.slice(2),
    stdout,
    stderr,
    signal: stopped.signal,
    createContext: (globals) =>
      (context = new LazyContext(
        {
          ...{ stdin, stdout, stderr, connect },
          env: process.env,
          cwd: process.cwd(),
          signal: stopped.signal,
        },
        globals,
      )),
  });
  await context?.close();
}
