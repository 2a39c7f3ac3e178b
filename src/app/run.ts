import { hostname, networkInterfaces } from 'node:os';
import { systemClock } from '../lib/clock.ts';
import { readCommandLine, type Request } from './options/command-line.ts';
import { releaseUnusedMemory } from './release-memory.ts';
import { readVersion, RELEASE_NAME } from './version.ts';

const DAY_MS = 86_400_000;

export interface Program {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

/** Runs the server until a signal ends it. @returns the exit code: 1 when it can't start. */
export async function runServer(program: Program): Promise<number> {
  const request = readCommandLine({
    argv: program.argv,
    env: program.env,
    machine: { workingDirectory: process.cwd(), hostname: hostname(), addresses: externalAddresses() },
    release: RELEASE_NAME,
  });
  switch (request.kind) {
    case 'help':
      program.stdout(request.text);
      return 0;
    case 'version':
      program.stdout(`orchd ${readVersion(program.env).gitVersion}\n`);
      return 0;
    case 'problems':
      program.stderr(request.problems.map((problem) => `Error: ${problem}\n`).join(''));
      program.stderr('See orchd --help for all flags.\n');
      return 1;
    case 'serve':
      return serve(request, program);
  }
}

async function serve(request: Request & { kind: 'serve' }, program: Program): Promise<number> {
  const { startServer } = await import('./server.ts');
  const stopped = signalled();
  // The clock's timers keep no process alive, and a start that waits for etcd has nothing else.
  const awake = setInterval(() => undefined, DAY_MS);
  try {
    const starting = startServer(request, {
      version: readVersion(program.env),
      writeLog: program.stderr,
    });
    const server = await Promise.race([starting, stopped]);
    // Interrupted while it starts: nothing has been promised, and what it waits for may never come.
    if (server === undefined) process.exit(0);
    program.stdout(welcome(server.url, server.kubeconfig));
    const stopReleasing = releaseUnusedMemory(systemClock);
    await stopped;
    stopReleasing();
    await server.close();
    return 0;
  } catch (error) {
    const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
    program.stderr(errors.map((one) => `Error: ${describe(one)}\n`).join(''));
    return 1;
  } finally {
    clearInterval(awake);
  }
}

/** What to do next. */
function welcome(url: string, kubeconfig: string | undefined): string {
  const use = kubeconfig === undefined ? '' : `\n  export KUBECONFIG=${kubeconfig}\n`;
  return `orch is ready on ${url}\n${use}`;
}

/** Resolves at the first signal that asks the process to end. A second one ends it at once. */
function signalled(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        resolve(undefined);
      });
    }
  });
}

/** An error and what caused it, without stacks: the log has them. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${describe(error.cause)}`;
}

function externalAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.filter((a) => !a.internal && a.family === 'IPv4').map((a) => a.address);
}
