import { spawn } from 'node:child_process';
import { ConfigError } from '../config-error.ts';

export interface ProgramOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** May ask the user: it has the terminal, and all the time in the world. */
  readonly interactive: boolean;
  /** What to tell when there is no such program. */
  readonly installHint: string | undefined;
}

const MAX_OUTPUT = 1 << 20;
const PATIENCE_MS = 60_000;

/** Runs a program. @returns what it wrote to standard output. @throws ConfigError when it fails. */
export function runProgram(options: ProgramOptions): Promise<string> {
  const { command, args, env, interactive } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env,
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
      ...(interactive ? {} : { timeout: PATIENCE_MS }),
    });
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_OUTPUT) child.kill();
    });
    child.once('error', (error) => reject(notStarted(error, options)));
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(Buffer.concat(chunks).toString('utf8'));
      const how =
        size > MAX_OUTPUT
          ? 'wrote too much'
          : code === null
            ? `was ended by ${signal}`
            : `failed with exit code ${code}`;
      reject(new ConfigError(`getting credentials: ${command} ${how}`));
    });
  });
}

function notStarted(error: NodeJS.ErrnoException, { command, installHint }: ProgramOptions): ConfigError {
  const missing = error.code === 'ENOENT';
  return new ConfigError(
    missing ? `getting credentials: there is no program ${command}` : `getting credentials: ${error.message}`,
    {
      cause: error,
      ...(missing && installHint !== undefined ? { hint: installHint } : {}),
    },
  );
}
