import { isatty } from 'node:tty';
import type { Clock } from '../../lib/clock.ts';
import { loadNames } from '../../names/load.ts';
import { ConfigError } from '../config-error.ts';
import type { Credentials, CredentialSource } from '../https/credentials.ts';
import { checkPair } from './certificates.ts';
import type { ExecEntry } from './kubeconfig.ts';
import { runProgram } from './run-program.ts';
import type { Selection } from './select.ts';

export interface ExecOptions {
  readonly selection: Selection;
  readonly exec: ExecEntry;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Credentials from a program (KEP-541). It runs when they are first needed, when they have expired, and after they were
 * refused; everybody who waits gets the same.
 *
 * @throws ConfigError for an entry that can't be run.
 */
export function execCredentials(options: ExecOptions): CredentialSource {
  return new ExecCredentials(options, checkEntry(options.exec));
}

const VERSIONS = ['v1', 'v1beta1'];
const MODES = ['Never', 'IfAvailable', 'Always'];

/** The entry's `apiVersion`, which is a known one. */
function checkEntry({ command, apiVersion, interactiveMode, env = [], args = [] }: ExecEntry): string {
  if (typeof command !== 'string' || command === '')
    throw new ConfigError('the exec section of the user has no command');
  const known = knownVersions();
  if (apiVersion === undefined || !known.includes(apiVersion)) {
    throw new ConfigError(
      `the exec section of the user has apiVersion ${JSON.stringify(apiVersion ?? '')}; known are ${known.join(', ')}`,
    );
  }
  if (interactiveMode === undefined && apiVersion.endsWith('/v1')) {
    throw new ConfigError(`the exec section of the user needs an interactiveMode: ${MODES.join(', ')}`);
  }
  if (interactiveMode !== undefined && !MODES.includes(interactiveMode)) {
    throw new ConfigError(
      `interactiveMode ${JSON.stringify(interactiveMode)} of the user's exec section is none of ${MODES.join(', ')}`,
    );
  }
  if (!isListOf(args, (one) => typeof one === 'string')) {
    throw new ConfigError("the args of the user's exec section are not a list of strings");
  }
  if (!isListOf(env, isVariable)) {
    throw new ConfigError("the env of the user's exec section is not a list of names and values");
  }
  return apiVersion;
}

function isListOf(value: unknown, test: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(test);
}

function isVariable(one: unknown): boolean {
  const { name, value } = (one ?? {}) as { name?: unknown; value?: unknown };
  return typeof name === 'string' && typeof value === 'string';
}

/** Programs are of no profile: what they say is read in the names of either. */
function knownVersions(): string[] {
  return (['kubernetes', 'orch'] as const).flatMap((profile) => {
    const group = loadNames({ profile }).get('group.client-authentication');
    return VERSIONS.map((version) => `${group}/${version}`);
  });
}

/** What a program answers, in the parts that are read. */
interface ExecStatus {
  readonly expirationTimestamp?: string;
  readonly token?: string;
  readonly clientCertificateData?: string;
  readonly clientKeyData?: string;
}

class ExecCredentials implements CredentialSource {
  readonly #options: ExecOptions;
  readonly #apiVersion: string;
  #got: Promise<Credentials> | undefined;
  #last: Credentials | undefined;
  #expires = Infinity;

  constructor(options: ExecOptions, apiVersion: string) {
    this.#options = options;
    this.#apiVersion = apiVersion;
  }

  get(): Promise<Credentials> {
    if (this.#got === undefined || this.#options.clock.now() >= this.#expires) {
      this.#expires = Infinity;
      const got = this.#run();
      this.#got = got;
      got.catch(() => {
        if (this.#got === got) this.#got = undefined;
      });
    }
    return this.#got;
  }

  refused(credentials: Credentials): void {
    if (credentials === this.#last) this.#got = undefined;
  }

  async #run(): Promise<Credentials> {
    const { exec, env } = this.#options;
    const interactive = this.#interactive();
    const text = await runProgram({
      command: exec.command ?? '',
      args: exec.args ?? [],
      env: {
        ...env,
        ...Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value])),
        KUBERNETES_EXEC_INFO: this.#info(interactive),
      },
      interactive,
      installHint: exec.installHint,
    });
    return (this.#last = this.#read(text));
  }

  #interactive(): boolean {
    const { interactiveMode = 'IfAvailable', command } = this.#options.exec;
    if (interactiveMode === 'Never') return false;
    if (isatty(0)) return true;
    if (interactiveMode === 'IfAvailable') return false;
    throw new ConfigError(`${command} asks questions, and standard input is no terminal`, {
      hint: 'Run it in a terminal.',
    });
  }

  /** What the program is told, as an object in an environment variable. */
  #info(interactive: boolean): string {
    const { exec, selection } = this.#options;
    const { cluster, server } = selection;
    const told = {
      server,
      'tls-server-name': cluster['tls-server-name'],
      'insecure-skip-tls-verify': cluster['insecure-skip-tls-verify'],
      'certificate-authority-data': cluster['certificate-authority-data'],
      'disable-compression': cluster['disable-compression'],
      config: cluster.extensions?.find(({ name }) => name === `${this.#apiVersion.split('/')[0]}/exec`)
        ?.extension,
    };
    return JSON.stringify({
      kind: 'ExecCredential',
      apiVersion: this.#apiVersion,
      spec: { interactive, ...(exec.provideClusterInfo === true ? { cluster: told } : {}) },
    });
  }

  #read(text: string): Credentials {
    const status = this.#statusOf(text);
    const { token, expirationTimestamp } = status;
    const certificate = this.#certificate(status);
    if ((token === undefined || token === '') && certificate === undefined) {
      throw this.#wrong('it gave neither a token nor a certificate');
    }
    if (expirationTimestamp !== undefined) {
      this.#expires = Date.parse(expirationTimestamp);
      if (Number.isNaN(this.#expires))
        throw this.#wrong(`its expirationTimestamp ${JSON.stringify(expirationTimestamp)} is no time`);
    }
    return {
      ...(token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(certificate === undefined ? {} : { certificate }),
    };
  }

  #statusOf(text: string): ExecStatus {
    let answer: { kind?: unknown; apiVersion?: unknown; status?: unknown } | null;
    try {
      answer = JSON.parse(text) as typeof answer;
    } catch (cause) {
      throw this.#wrong(`it did not write JSON: ${text.trim().slice(0, 100)}`, cause);
    }
    if (answer?.kind !== 'ExecCredential') throw this.#wrong('it did not write an ExecCredential');
    if (answer.apiVersion !== this.#apiVersion) {
      throw this.#wrong(`it answered in ${JSON.stringify(answer.apiVersion)}, not in ${this.#apiVersion}`);
    }
    if (typeof answer.status !== 'object' || answer.status === null) throw this.#wrong('it gave no status');
    return answer.status;
  }

  #certificate({ clientCertificateData: cert, clientKeyData: key }: ExecStatus): Credentials['certificate'] {
    if (cert === undefined && key === undefined) return undefined;
    if (cert === undefined || key === undefined)
      throw this.#wrong('a certificate needs its key, and a key its certificate');
    return checkPair({
      cert,
      key,
      owner: `the program ${this.#options.exec.command}`,
      now: this.#options.clock.now(),
    });
  }

  #wrong(why: string, cause?: unknown): ConfigError {
    const { command } = this.#options.exec;
    return new ConfigError(
      `the credentials of ${command} can't be used: ${why}`,
      cause === undefined ? {} : { cause },
    );
  }
}
