import { mkdir } from 'node:fs/promises';
import type { GeneratedCertificates } from '../app/certificates.ts';
import { startServer, type RunningServer, type ServerConfiguration } from '../app/server.ts';
import { storeDirectory } from '../app/storage.ts';
import { readVersion } from '../app/version.ts';
import type { Revision } from '../meta/revision.ts';
import type { Faults } from './faults/faults.ts';
import type { Front } from './front.ts';
import type { SchemaRegistry } from '../schema/model.ts';
import type { ControlPlaneOptions } from './options.ts';
import type { TemporaryFolder } from './temporary-folder.ts';

/** What all servers of one control plane, one after the other, have in common. */
export interface GenerationParts {
  readonly options: ControlPlaneOptions;
  readonly configuration: ServerConfiguration;
  readonly schemas: SchemaRegistry;
  readonly certificates: GeneratedCertificates;
  readonly folder: TemporaryFolder;
  readonly front: Front;
  readonly faults: Faults;
}

/** A state to begin with. */
export interface Beginning {
  /** Puts a copy of a store into a directory. */
  copyTo(directory: string): Promise<void>;
  /** What clients of the control plane have seen, if that was later. */
  readonly seen?: Revision;
}

/** A store for tests outlives no crash, and is small; the address space grows by itself. */
const STORE = { sync: 'none', mapSize: 256 << 20 } as const;

/** One server of a control plane, with a data folder of its own. Another one takes its place to restore a state. */
export class Generation {
  readonly server: RunningServer;
  readonly #folder: TemporaryFolder;
  readonly #directory: string;

  private constructor(server: RunningServer, folder: TemporaryFolder, directory: string) {
    this.server = server;
    this.#folder = folder;
    this.#directory = directory;
  }

  /** Starts a server on an empty store, or on a copy. @throws TypeError for bad options; Error when it can't start. */
  static async start(parts: GenerationParts, beginning?: Beginning): Promise<Generation> {
    const { options, configuration, schemas, certificates, folder, front, faults } = parts;
    const { clock, random, newUid, log = () => undefined } = options;
    const directory = folder.next('data');
    const config = { ...configuration.config, dataDirectory: directory };
    await mkdir(directory, { mode: 0o700 });
    await beginning?.copyTo(storeDirectory(config));
    const server = await startServer(
      { ...configuration, config },
      {
        version: readVersion({}),
        writeLog: log,
        ...(clock === undefined ? {} : { clock }),
        ...(random === undefined ? {} : { random }),
        ...(newUid === undefined ? {} : { newUid }),
        certificates,
        schemas,
        prepared: beginning !== undefined,
        store: { ...STORE, ...(beginning?.seen === undefined ? {} : { seen: beginning.seen }) },
        listen: ({ serve }, tls) => front.open(serve, { tls, requestTimeoutMs: config.requests.timeoutMs }),
        filters: { beforeAuthorization: [faults.filter] },
        wrapVerbs: faults.wrapVerbs,
      },
    );
    // Versions, uids and names are the test's from here on; what a copy has is settled already.
    if (beginning === undefined) await server.settled;
    return new Generation(server, folder, directory);
  }

  /** Ends it in order, and lets go of its data. */
  async end(): Promise<void> {
    await this.server.close();
    this.#folder.discard(this.#directory);
  }
}
