import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Finds a program of the Kubernetes 1.32 family: in `$PEERS/bin`, in `~/.cache/orch-peers/bin`, else on PATH.
 * The interop targets need some of them; `make test` needs none.
 *
 * @throws Error that says what is missing and how to bring it.
 */
export function findPeer(name: string): string {
  const { PEERS, HOME = '', PATH = '' } = process.env;
  const folders = [PEERS === undefined ? '' : join(PEERS, 'bin'), join(HOME, '.cache/orch-peers/bin')];
  for (const folder of [...folders, ...PATH.split(delimiter)]) {
    if (folder !== '' && isExecutable(join(folder, name))) return join(folder, name);
  }
  throw new Error(
    `${name} not found: put a ${name} of release 1.32 on PATH, or into a folder bin/ that PEERS names`,
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end, at most a minute. */
export function run(
  program: string,
  args: readonly string[],
  input?: string,
  env?: NodeJS.ProcessEnv,
): Outcome {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    input,
    timeout: 60_000,
    maxBuffer: 64 << 20,
    env: { ...process.env, ...env },
  });
  return { status, stdout, stderr };
}
