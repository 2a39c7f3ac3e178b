import type { Revision } from '../meta/revision.ts';
import type { Storage } from '../storage/port.ts';
import { assemble, type AssembledServer } from './assemble.ts';
import { startBeside, type Beside } from './beside.ts';
import { offerKubeconfig } from './identity.ts';
import { listen, localUrl } from './listen.ts';
import { openParts, type ServerParts } from './open-parts.ts';
import type { ServerConfiguration, ServerSurroundings } from './surroundings.ts';

export interface RunningServer {
  /** `https://host:port` as clients on this machine reach it. */
  readonly url: string;
  /** The administrator's kubeconfig, if one was written. */
  readonly kubeconfig: string | undefined;
  /** Resolves once the controllers have looked at what there was at the start: they write nothing more by themselves. */
  readonly settled: Promise<void>;
  /** Copies the store, as it is at one moment, into a new directory. @throws Error where the store is not this process's own. */
  copyStore(directory: string): Promise<void>;
  /**
   * Stops as `--shutdown-*` says, then closes the store.
   *
   * @param told the store's last revision: nothing is written any more.
   */
  close(told?: (last: Revision) => void): Promise<void>;
  /** Cuts every connection, then closes the store. */
  abort(): Promise<void>;
}

/** Starts everything; resolves when the server is ready. @throws Error that says what keeps it from starting. */
export async function startServer(
  configuration: ServerConfiguration,
  surroundings: ServerSurroundings,
): Promise<RunningServer> {
  const parts = await openParts(configuration, surroundings);
  let server: AssembledServer | undefined;
  try {
    server = assemble(parts, surroundings);
    const port = await takeConnections(parts, server, surroundings);
    const beside = await startBeside(parts, server, { port, surroundings });
    const url = localUrl(parts.config.serving, port);
    const kubeconfig = await offerKubeconfig(parts.config, parts.identity, url);
    return { url, kubeconfig, ...running(parts, server, beside) };
  } catch (error) {
    closeFiles(parts);
    await server?.gateway.abort();
    await server?.plane.close();
    await parts.storage.close();
    throw error;
  }
}

/** Listens, then fills the caches and creates what every control plane has. @returns the port that clients use */
async function takeConnections(
  { config, identity }: ServerParts,
  { gateway, plane, hooks }: AssembledServer,
  { listen: bring, prepared = false }: ServerSurroundings,
): Promise<number> {
  const port = await (bring === undefined ? listen(gateway, config.serving) : bring(gateway, identity.tls));
  await plane.start({ port, authority: identity.authority, hooks, prepared });
  return port;
}

function running(
  parts: ServerParts,
  server: AssembledServer,
  beside: Beside,
): Omit<RunningServer, 'url' | 'kubeconfig'> {
  const { gateway } = server;
  const { ownService, controllers } = beside;
  return {
    settled: controllers.settled,
    copyStore: (directory) => copyStore(parts.storage, directory),
    async close(told) {
      // First: whoever would be sent here goes to another server.
      await ownService.stop();
      await closeAll({ ...parts, ...server, ...beside }, () => gateway.shutdown(), told);
    },
    async abort() {
      ownService.abort();
      await closeAll({ ...parts, ...server, ...beside }, () => gateway.abort());
    },
  };
}

/** Takes the parts down in the order in which nobody misses them. */
async function closeAll(
  all: ServerParts & AssembledServer & Beside,
  closeGateway: () => Promise<void>,
  told?: (last: Revision) => void,
): Promise<void> {
  const { plane, storage, controllers, stopCompaction, stopFollowing } = all;
  stopFollowing();
  closeFiles(all);
  await controllers.stop();
  await closeGateway();
  await stopCompaction();
  await plane.close();
  if (told !== undefined) told(await storage.currentRevision());
  await storage.close();
}

function closeFiles({ identity, nodeAgents }: ServerParts): void {
  identity.authentication.close();
  nodeAgents.close();
}

async function copyStore(storage: Storage, directory: string): Promise<void> {
  if (storage.copyTo === undefined)
    throw new Error('only an embedded store can be copied: the data of this one are in another process');
  await storage.copyTo(directory);
}
