import type { Transport } from '../../client/transport.ts';
import { loadNames } from '../../names/load.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { Api } from './api/api.ts';
import { discover } from './api/discovery.ts';
import { ResourceMapper } from './api/resource-mapper.ts';
import type { ChosenNamespace, CommandContext } from './context.ts';
import type { GlobalValues } from './flags/global.ts';
import type { Input, Output } from './output.ts';

/** What the process gives to every command. */
export interface Surroundings {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Finds the server by flags and configuration. @throws CtlError when there is none, or the configuration is damaged. */
  readonly connect: (request: ConnectRequest) => Promise<Connection>;
}

export interface ConnectRequest {
  readonly globals: GlobalValues;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** A way to the server that flags and configuration name. Nothing is sent by making it. */
export interface Connection {
  readonly transport: Transport;
  /** `https://host:port`. */
  readonly server: string;
  /** Of the context, when it has one. */
  readonly namespace: string | undefined;
}

/** The context of one command; what talks to the server is made at most once. */
export class LazyContext implements CommandContext {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly globals: GlobalValues;
  readonly #surroundings: Surroundings;
  /** Those that were derived from this one. */
  readonly #derived: LazyContext[] = [];
  #connection: Promise<Connection> | undefined;
  #api: Promise<Api> | undefined;
  #resources: Promise<ResourceMapper> | undefined;
  #warnings = 0;

  constructor(surroundings: Surroundings, globals: GlobalValues) {
    this.stdin = surroundings.stdin;
    this.stdout = surroundings.stdout;
    this.stderr = surroundings.stderr;
    this.env = surroundings.env;
    this.cwd = surroundings.cwd;
    this.signal = surroundings.signal;
    this.#surroundings = surroundings;
    this.globals = globals;
  }

  get warnings(): number {
    return this.#warnings;
  }

  async namespace(): Promise<ChosenNamespace> {
    const given = this.globals.namespace;
    if (given !== undefined && given !== '') return { name: given, explicit: true };
    const { namespace } = await this.#connected();
    return { name: namespace ?? 'default', explicit: false };
  }

  api(): Promise<Api> {
    return (this.#api ??= this.#makeApi());
  }

  async transport(): Promise<Transport> {
    return (await this.#connected()).transport;
  }

  resources(): Promise<ResourceMapper> {
    return (this.#resources ??= this.#discover());
  }

  async names(): Promise<NamingProfile> {
    const { naming } = this.globals;
    // Said, it need not be found out.
    if (naming === 'orch' || naming === 'kubernetes') return loadNames({ profile: naming });
    return (await this.resources()).names;
  }

  derive(globals: GlobalValues): CommandContext {
    const derived = new LazyContext(this.#surroundings, globals);
    this.#derived.push(derived);
    return derived;
  }

  /** Ends the connections that there are. */
  async close(): Promise<void> {
    await Promise.all(this.#derived.map((derived) => derived.close()));
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.transport.close();
  }

  #connected(): Promise<Connection> {
    const { globals, env, cwd } = this;
    return (this.#connection ??= this.#surroundings.connect({ globals, env, cwd }));
  }

  async #makeApi(): Promise<Api> {
    const { transport, server } = await this.#connected();
    const { globals, stderr } = this;
    return new Api({
      transport,
      server,
      signal: this.signal,
      requestTimeout: globals['request-timeout'],
      warn: (text) => {
        this.#warnings++;
        void stderr.write(`Warning: ${text}\n`);
      },
      ...(globals.v < 6 ? {} : { trace: (line: string) => void stderr.write(`${line}\n`) }),
    });
  }

  async #discover(): Promise<ResourceMapper> {
    const { naming } = this.globals;
    const profiles = (['kubernetes', 'orch'] as const).filter(
      (name) => naming === undefined || name === naming,
    );
    const names = profiles.map((profile) => loadNames({ profile }));
    return new ResourceMapper(await discover(await this.api(), names));
  }
}
