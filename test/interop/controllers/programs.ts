import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A peer that runs until it is stopped, and what it has logged. */
export interface Program {
  readonly name: string;
  /** Rejects when it ends by itself. */
  readonly ended: Promise<never>;
  log(): string;
  stop(): Promise<void>;
}

/** Starts a program that logs to `<directory>/<name>.log`. */
export function startProgram(
  directory: string,
  name: string,
  [path, ...args]: readonly [string, ...string[]],
): Program {
  const file = join(directory, `${name}.log`);
  const output = openSync(file, 'w');
  const child = spawn(path, args, { stdio: ['ignore', output, output] });
  closeSync(output);
  const exited = once(child, 'exit');
  let stopping = false;
  const ended = exited.then(() => {
    if (stopping) return new Promise<never>(() => undefined);
    throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode}; its log: ${tail(file)}`);
  });
  ended.catch(() => undefined);
  return {
    name,
    ended,
    log: () => readFileSync(file, 'utf8'),
    async stop() {
      stopping = true;
      child.kill('SIGTERM');
      await exited;
    },
  };
}

function tail(file: string): string {
  return readFileSync(file, 'utf8').split('\n').slice(-15).join('\n');
}
