import { mkdirSync } from 'node:fs';
import type { GeneratedCertificates } from '../app/certificates.ts';
import { startServer, type RunningServer } from '../app/server.ts';
import type { ServerConfiguration } from '../app/surroundings.ts';
import { storeDirectory } from '../app/storage.ts';
import { readVersion } from '../app/version.ts';
import type { Revision } from '../meta/revision.ts';
import { systemClock } from '../lib/clock.ts';
import type { Faults } from './faults/faults.ts';
import { FirstWrite } from './first-write.ts';
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

/** Where a server's data are. */
export interface Ground {
  readonly directory: string;
  /** Whether there is a state in it to begin with. */
  readonly prepared: boolean;
}

/** A store for tests outlives no crash, and is small; the address space grows by itself. */
const STORE = { sync: 'none', mapSize: 256 << 20 } as const;

/** One server of a control plane, with a data folder of its own. Another one takes its place to restore a state. */
export class Generation {
  readonly server: RunningServer;
  readonly #folder: TemporaryFolder;
  readonly #directory: string;
  readonly #close: () => void;

  private constructor(
    server: RunningServer,
    parts: { readonly folder: TemporaryFolder; readonly directory: string; readonly close: () => void },
  ) {
    this.server = server;
    this.#folder = parts.folder;
    this.#directory = parts.directory;
    this.#close = parts.close;
  }

  /**
   * Makes the folder of a server's data.
   *
   * @param copyTo puts a copy of a store into a directory, to begin with. @throws Error when the disk is full.
   */
  static async prepare(
    { configuration: { config }, folder }: GenerationParts,
    copyTo?: (directory: string) => Promise<void>,
  ): Promise<Ground> {
    const directory = folder.next('data');
    mkdirSync(directory, { mode: 0o700 });
    try {
      await copyTo?.(storeDirectory({ ...config, dataDirectory: directory }));
    } catch (error) {
      folder.discard(directory);
      throw error;
    }
    return { directory, prepared: copyTo !== undefined };
  }

  /**
   * Starts a server.
   *
   * @param seen what clients of the control plane have seen, if that was later than what there is to begin with.
   * @throws Error when it can't start.
   */
  static async start(
    parts: GenerationParts,
    { directory, prepared }: Ground,
    seen?: Revision,
  ): Promise<Generation> {
    const { options, configuration, schemas, certificates, folder, front, faults } = parts;
    const { clock, random, newUid, log = () => undefined } = options;
    const config = { ...configuration.config, dataDirectory: directory };
    // The controllers of what was copied have seen to it: they are needed again when something changes.
    const firstWrite = prepared ? new FirstWrite(clock ?? systemClock) : undefined;
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
        prepared,
        store: { ...STORE, ...(seen === undefined ? {} : { seen }) },
        listen: ({ serve }, tls) => front.open(serve, { tls, requestTimeoutMs: config.requests.timeoutMs }),
        filters: {
          beforeAuthorization: [...(firstWrite === undefined ? [] : [firstWrite.filter]), faults.filter],
        },
        ...(firstWrite === undefined ? {} : { controllersWait: firstWrite.seen }),
        wrapVerbs: faults.wrapVerbs,
      },
    );
    // Versions, uids and names are the test's from here on; what a copy has is settled already.
    if (!prepared) await server.settled;
    return new Generation(server, { folder, directory, close: () => firstWrite?.close() });
  }

  /** Ends it at once, whoever is connected. */
  abort(): Promise<void> {
    this.#close();
    return this.server.abort();
  }

  /** Ends it in order, and lets go of its data. @returns their last revision, which clients may have seen. */
  async end(): Promise<Revision | undefined> {
    let seen: Revision | undefined;
    this.#close();
    await this.server.close((last) => (seen = last));
    this.#folder.discard(this.#directory);
    return seen;
  }
}
