import { ALWAYS, makeCertificates, type GeneratedCertificates } from '../app/certificates.ts';
import { kubeconfigText } from '../app/kubeconfig.ts';
import { schemasFor } from '../app/assemble.ts';
import { Client } from '../client/client.ts';
import { fixedCredentials } from '../client/https/credentials.ts';
import { HttpsTransport } from '../client/https/https-transport.ts';
import { systemClock } from '../lib/clock.ts';
import { Faults } from './faults/faults.ts';
import { Front } from './front.ts';
import { Generation, type GenerationParts } from './generation.ts';
import { readOptions, type ControlPlaneOptions } from './options.ts';
import { Snapshot } from './snapshot.ts';
import { TemporaryFolder } from './temporary-folder.ts';

/** A control plane inside this process, on a port of its own, with its data in a temporary folder. */
export interface TestControlPlane extends AsyncDisposable {
  /** `https://127.0.0.1:<port>`. */
  readonly url: string;
  /** The administrator's kubeconfig, with everything inline. */
  readonly kubeconfig: string;
  /** A file that holds it, for programs; gone with the control plane. */
  readonly kubeconfigFile: string;
  /** A client of the administrator's. It connects when it is first used, and is closed with the control plane. */
  readonly client: Client;
  readonly faults: Faults;
  /** Keeps the state as it is now. What was answered before the call is in it. */
  snapshot(): Promise<Snapshot>;
  /**
   * Goes back to a state, as often as wanted. Objects are again as they were, their resourceVersions too. Connections
   * stay; watches end and are told to begin anew (410), since what they have seen is gone: versions of collections go on
   * upwards.
   *
   * @throws TypeError for another control plane's snapshot; Error where the disk has no room for one more copy, and then
   *   nothing has changed.
   */
  restore(snapshot: Snapshot): Promise<void>;
  /** A second control plane that begins with the state of this one and then goes its own way. */
  fork(): Promise<TestControlPlane>;
  /** Ends it, and what is under way with it, and removes its data. Idempotent; everything else throws afterwards. */
  stop(): Promise<void>;
}

/**
 * Starts a control plane. Resolves when it is ready.
 *
 * @throws TypeError for bad options; Error where there is no place for its data.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<TestControlPlane> {
  const configuration = readOptions(options);
  // Clients check it against their machine's time, whatever clock the control plane has.
  const hosts = ['localhost', '127.0.0.1'];
  // Tests have whatever time they like.
  const certificates = await makeCertificates({ hosts, now: new Date() }, ALWAYS);
  return start({ options, configuration, schemas: schemasFor(configuration), certificates });
}

/** What a control plane has in common with its forks. */
type Origin = Pick<GenerationParts, 'options' | 'configuration' | 'schemas' | 'certificates'>;

async function start(
  origin: Origin,
  copyTo?: (directory: string) => Promise<void>,
): Promise<TestControlPlane> {
  const parts: GenerationParts = {
    ...origin,
    folder: await TemporaryFolder.make(),
    front: new Front(),
    faults: new Faults(origin.options.clock ?? systemClock),
  };
  try {
    const ground = await Generation.prepare(parts, copyTo);
    return new ControlPlane(parts, await Generation.start(parts, ground));
  } catch (error) {
    await release(parts);
    throw error;
  }
}

async function release({ front, folder }: GenerationParts): Promise<void> {
  await front.close();
  await folder.remove();
}

function administratorsClient(server: string, { authority, admin }: GeneratedCertificates): Client {
  const credentials = fixedCredentials({ certificate: { cert: admin.certificate, key: admin.key } });
  return new Client({ transport: new HttpsTransport({ server, authority, credentials }), server });
}

class ControlPlane implements TestControlPlane {
  readonly url: string;
  readonly kubeconfig: string;
  readonly kubeconfigFile: string;
  readonly client: Client;
  readonly faults: Faults;
  readonly #parts: GenerationParts;
  readonly #snapshots = new WeakSet<Snapshot>();
  #generation: Generation;
  /** What must not run at the same time waits for this. */
  #turn: Promise<unknown> = Promise.resolve();
  #stopped: Promise<void> | undefined;

  constructor(parts: GenerationParts, generation: Generation) {
    const { authority, admin } = parts.certificates;
    this.#parts = parts;
    this.#generation = generation;
    this.url = generation.server.url;
    this.kubeconfig = kubeconfigText({ server: this.url, authority, client: admin });
    this.kubeconfigFile = parts.folder.write('kubeconfig', this.kubeconfig);
    this.client = administratorsClient(this.url, parts.certificates);
    this.faults = parts.faults;
  }

  snapshot(): Promise<Snapshot> {
    return this.#inTurn(async () => {
      const directory = this.#parts.folder.next('snapshot');
      await this.#generation.server.copyStore(directory).catch((error: unknown) => {
        this.#parts.folder.discard(directory);
        throw error;
      });
      const snapshot = new Snapshot(directory);
      this.#snapshots.add(snapshot);
      return snapshot;
    });
  }

  restore(snapshot: Snapshot): Promise<void> {
    if (!this.#snapshots.has(snapshot))
      return Promise.reject(
        new TypeError('a snapshot can be restored only by the control plane that took it'),
      );
    return this.#inTurn(() => this.#replace(snapshot));
  }

  fork(): Promise<TestControlPlane> {
    return this.#inTurn(() => {
      const { options, configuration, schemas, certificates } = this.#parts;
      const copyTo = (directory: string): Promise<void> => this.#generation.server.copyStore(directory);
      return start({ options, configuration, schemas, certificates }, copyTo);
    });
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#turn.then(
      () => this.#end(),
      () => this.#end(),
    );
    return this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #replace(snapshot: Snapshot): Promise<void> {
    const { front } = this.#parts;
    // Before the other one ends: where the disk is full nothing has happened.
    const ground = await Generation.prepare(this.#parts, (directory) => snapshot.copyTo(directory));
    front.hold();
    const seen = await this.#generation.end();
    try {
      this.#generation = await Generation.start(this.#parts, ground, seen);
    } catch (error) {
      // Nobody is coming any more: whoever waits is cut off.
      await front.close();
      throw error;
    }
  }

  async #end(): Promise<void> {
    await this.client.close();
    // Before the server, so that it has nobody left to say goodbye to.
    await this.#parts.front.close();
    await this.#generation.abort();
    await this.#parts.folder.remove();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#stopped !== undefined) return Promise.reject(new Error('the control plane is stopped'));
    const done = this.#turn.then(work, work);
    this.#turn = done;
    return done;
  }
}
