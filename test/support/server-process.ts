import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A control plane in a process of its own, on a free port, with generated certificates. */
export interface ServerProcess {
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  /** An admin's kubeconfig. */
  readonly kubeconfig: string;
  /** Where it keeps its data; removed by `stop`, kept by `kill`. */
  readonly directory: string;
  readonly process: ChildProcess;
  /** Ends it with SIGTERM, waits, and removes its folder. @returns the exit code. */
  stop(): Promise<number | null>;
  /** Ends it with SIGKILL and waits; its folder stays. */
  kill(): Promise<void>;
}

export interface ProcessOptions {
  readonly args?: readonly string[];
  /** Reuse the folder of a server that was killed. */
  readonly directory?: string;
  /** The built program as `hack/orchd` runs it, instead of the sources. */
  readonly built?: boolean;
}

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = [process.execPath, join(ROOT, 'src/cli/orchd.ts')] as const;
const BUILT = [join(ROOT, 'hack/orchd')] as const;

/** Starts `orchd` and waits for the line that says it is ready. @throws Error with what it printed. */
export async function startProcess(options: ProcessOptions = {}): Promise<ServerProcess> {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'orch-'));
  const kubeconfig = join(directory, 'orch.kubeconfig');
  const args = [
    '--bind-address=127.0.0.1',
    '--secure-port=0',
    `--data-dir=${directory}`,
    ...(options.args ?? []),
  ];
  const [program, ...first] = options.built === true ? BUILT : SOURCES;
  const child = spawn(program, [...first, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const url = await Promise.race([readyLine(child), exited.then(() => undefined)]);
  if (url === undefined) throw new Error(`orchd ended with ${child.exitCode}`);
  return {
    url,
    kubeconfig,
    directory,
    process: child,
    async stop() {
      child.kill('SIGTERM');
      const [code] = await exited;
      rmSync(directory, { recursive: true, force: true });
      return code;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Resolves with the URL of the ready line; what comes on stderr goes to this process's own. */
function readyLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /ready on (https:\/\/\S+)/.exec(text);
      if (found?.[1] !== undefined) resolve(found[1]);
    });
    child.stderr?.on('data', (chunk: Buffer) => process.env['ORCH_TEST_LOG'] && process.stderr.write(chunk));
  });
}
