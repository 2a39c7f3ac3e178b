import { connect } from '../../src/cli/ctl/connect.ts';
import { LazyContext } from '../../src/cli/ctl/create-context.ts';
import { runCommandLine } from '../../src/cli/ctl/run.ts';
import { Collected, given } from './terminal.ts';

export interface OrchctlResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface OrchctlOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

/** Runs a command line of orchctl inside this process, against the server of a kubeconfig. */
export async function runOrchctl(
  kubeconfig: string,
  argv: readonly string[],
  { input = '', env = {}, cwd = '/', signal = new AbortController().signal }: OrchctlOptions = {},
): Promise<OrchctlResult> {
  const [stdout, stderr] = [new Collected(), new Collected()];
  const contexts: LazyContext[] = [];
  const code = await runCommandLine({
    argv,
    stdout,
    stderr,
    signal,
    createContext: (globals) => {
      const surroundings = { stdin: given(input), stdout, stderr, signal, cwd, connect };
      const context = new LazyContext({ ...surroundings, env: { KUBECONFIG: kubeconfig, ...env } }, globals);
      contexts.push(context);
      return context;
    },
  });
  for (const context of contexts) await context.close();
  return { code, stdout: stdout.text, stderr: stderr.text };
}
