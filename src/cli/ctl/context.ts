import type { Transport } from '../../client/transport.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { Api } from './api/api.ts';
import type { ResourceMapper } from './api/resource-mapper.ts';
import type { GlobalValues } from './flags/global.ts';
import type { Input, Output } from './output.ts';

/** What a command has of the world. Whatever talks to the server is made when it is first asked for. */
export interface CommandContext {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Aborts on Ctrl-C and SIGTERM; the exit code is then 130 or 143, whatever the command does. */
  readonly signal: AbortSignal;
  readonly globals: GlobalValues;
  /** The namespace that flags and context name. */
  namespace(): Promise<ChosenNamespace>;
  /** The connection to the API server. */
  api(): Promise<Api>;
  /** The same, for who passes requests on as they are. */
  transport(): Promise<Transport>;
  /** What the server serves. */
  resources(): Promise<ResourceMapper>;
  /** The names that the server uses. */
  names(): Promise<NamingProfile>;
  /** How many different warnings the server gave. */
  readonly warnings: number;
  /** The same world under other global flags. */
  derive(globals: GlobalValues): CommandContext;
}

export interface ChosenNamespace {
  readonly name: string;
  /** Given by `--namespace`: an object of another namespace is then a mistake. */
  readonly explicit: boolean;
}
