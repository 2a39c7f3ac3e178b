import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { FurtherFilters, Gateway } from '../http/gateway.ts';
import type { TlsOptions } from '../http/server/tls-server.ts';
import { systemClock, type Clock } from '../lib/clock.ts';
import { makeFolder } from '../lib/make-folder.ts';
import type { NamingProfile } from '../names/profile.ts';
import { loadSchemas } from '../schema/load.ts';
import type { SchemaRegistry } from '../schema/model.ts';
import type { Revision } from '../meta/revision.ts';
import type { Storage } from '../storage/port.ts';
import type { StoreObserver } from '../store/observer.ts';
import type { Log } from '../telemetry/log/log.ts';
import type { Verbs } from '../verbs/verbs.ts';
import { openAuthorization } from './authorization/authorization.ts';
import type { GeneratedCertificates } from './certificates.ts';
import { serverAs } from './controller-server.ts';
import { startControllers, type RunningControllers } from './controllers.ts';
import { startLater } from './controllers-later.ts';
import { createControlPlane, type ControlPlane } from './control-plane.ts';
import { createServerGateway } from './gateway.ts';
import { offerKubeconfig, openIdentity } from './identity.ts';
import { IdentityLease } from './identity-lease.ts';
import { LateObjects } from './late-objects.ts';
import { listen, localUrl } from './listen.ts';
import { openLog } from './log.ts';
import { openAdmissionSettings } from './admission-settings/open.ts';
import { createMetrics, type ServerMetrics } from './metrics/metrics.ts';
import type { CompletedConfig } from './options/complete.ts';
import { followServingCertificate } from './serving-certificate.ts';
import { CONTROLLER_HOOKS, IDENTITY_HOOKS, startHooks } from './start-steps.ts';
import { OwnService } from './own-service.ts';
import { openSigners } from './signers.ts';
import { openNodeAgents } from './node-agents.ts';
import { openStorage, startCompaction, type StoreTuning } from './storage.ts';
import type { BuildVersion } from './version.ts';

/** What the command line came to. */
export interface ServerConfiguration {
  readonly config: CompletedConfig;
  readonly names: NamingProfile;
  /** What users are told about flags that do less than they say. */
  readonly warnings: readonly string[];
}

/** What the process lends the server. */
export interface ServerSurroundings {
  readonly version: BuildVersion;
  readonly writeLog: (text: string) => void;
  /** The machine's own by default. */
  readonly clock?: Clock;
  /** A number from 0 up to, but not including, 1: of generated names, and of times that are spread. Math.random by default. */
  readonly random?: () => number;
  /** A new object's uid. A random one by default. */
  readonly newUid?: () => string;
  /** Used instead of those in the certificate folder. */
  readonly certificates?: GeneratedCertificates;
  /** {@link schemasFor} the configuration, where servers share them; else they are loaded. */
  readonly schemas?: SchemaRegistry;
  readonly store?: StoreTuning;
  /** The store is a copy of one that a server has started on: nothing is missing in it, and its caches are loaded on demand. */
  readonly prepared?: boolean;
  /** Controllers begin when it resolves; at once by default. */
  readonly controllersWait?: Promise<void>;
  /** Brings the connections, instead of a port of the server's own. @returns the port that clients use. */
  readonly listen?: (gateway: Gateway, tls: TlsOptions) => Promise<number>;
  /** Steps that are added to the way of every request. */
  readonly filters?: FurtherFilters;
  /** What is put around the verbs, as requests from outside see them. */
  readonly wrapVerbs?: (verbs: Verbs) => Verbs;
}

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
  { config, names, warnings }: ServerConfiguration,
  surroundings: ServerSurroundings,
): Promise<RunningServer> {
  const { version, writeLog, clock = systemClock, random = Math.random, newUid = randomUUID } = surroundings;
  const log = await openLog(config.logs, writeLog, clock);
  for (const warning of warnings) log.warning(warning);
  await makeDataFolder(config);
  const { certificates } = surroundings;
  const objects = new LateObjects();
  const metrics = createMetrics({ profile: names.name, config, version, clock });
  const observer = metrics.methods;
  const lent = { names, log, clock, random, objects, observer, certificates };
  const identity = await openIdentity(config, lent);
  const { generated } = identity;
  const signers = await openSigners({ config, names, clock, generated });
  const nodeAgents = await openNodeAgents({ config, names, clock, log: log.part('nodes') });
  const authorization = await openAuthorization({
    ...{ config, names, log, clock, random },
    observer: metrics.authorizers,
  });
  const admissionSettings = await openAdmissionSettings({ config, names, clock });
  const storageParts = { clock, log: storageLog(log) };
  const storage = await openStorage(config, storageParts, surroundings.store);
  let plane: ControlPlane | undefined;
  let gateway: Gateway | undefined;
  try {
    const schemas = surroundings.schemas ?? schemasFor({ config, names });
    const storeObserver = observeStore(metrics, log);
    const { tokenIssuer } = identity;
    const { tokens } = identity.authentication;
    const parts = { config, names, schemas, storage, clock, authorization, tokens, tokenIssuer };
    const { agents, relay } = nodeAgents;
    const { allocation, admission: admissionObservers } = metrics;
    const told = { observer: storeObserver, allocation, admissionObservers, admissionSettings, log };
    plane = createControlPlane({ ...parts, nodeAgents: agents, random, newUid, ...told });
    objects.connect({ store: plane.store, schemas, server: serverAs({ plane }, 'orch') });
    metrics.watchStore(plane.store, storage);
    const hooks = startHooks(config);
    const { authorize } = authorization;
    const shared = { config, names, schemas, storage, clock, authorize, random };
    const { filters, wrapVerbs } = surroundings;
    const around = { identity, metrics, hooks, version, log, filters, wrapVerbs };
    gateway = createServerGateway({ ...shared, ...around, plane, relay });
    const takeConnections = surroundings.listen ?? ((own) => listen(own, config.serving));
    const port = await takeConnections(gateway, identity.tls);
    const { authority, authorities } = identity;
    const prepared = surroundings.prepared ?? false;
    await plane.start({ port, authority, hooks, prepared });
    const source = { store: plane.store, schemas, server: serverAs({ plane }, 'orch') };
    const ownService = new OwnService({ config, names, storage, clock, log, source, port });
    if (!prepared) await ownService.start();
    const identityLease = config.gates.enabled('APIServerIdentity')
      ? new IdentityLease({
          ...{ names, source, clock, log: log.part('identity'), hostname: hostname() },
          ...{ uid: randomUUID(), shared: storage.capabilities.shared },
        })
      : undefined;
    if (identityLease !== undefined && !prepared) hooks.begin(IDENTITY_HOOKS, () => identityLease.start());
    const controllerParts = {
      ...{ config, names, schemas, plane, authorize, clock, random, log },
      ...{ authority, authorities, signers, tokenIssuer },
      identity: `${hostname()}_${randomUUID()}`,
    };
    const { controllersWait } = surroundings;
    const begin = (): RunningControllers =>
      hooks.begin(CONTROLLER_HOOKS, () => startControllers(controllerParts));
    const controllers = controllersWait === undefined ? begin() : startLater(controllersWait, begin);
    const stopCompaction = await startCompaction(config, storage, storageParts);
    const url = localUrl(config.serving, port);
    const kubeconfig = await offerKubeconfig(config, identity, url);
    const served = gateway;
    const use: Gateway['setCertificate'] = (pair) => served.setCertificate(pair);
    const stopCertificate = followServingCertificate({ config, current: identity.tls, clock, log, use });
    const stopAuthorities = authorities.follow({
      ...{ clock, log },
      use: (clientCa) => served.setCertificate({ clientCa }),
    });
    const stopFollowing = (): void => {
      stopCertificate();
      stopAuthorities();
      identity.authentication.close();
      nodeAgents.close();
      identityLease?.stop();
    };
    const running = { gateway, plane, storage, controllers, stopCompaction, stopFollowing };
    return {
      url,
      kubeconfig,
      settled: controllers.settled,
      copyStore: (directory) => copyStore(storage, directory),
      async close(told) {
        // First: whoever would be sent here goes to another server.
        await ownService.stop();
        await closeAll(running, () => running.gateway.shutdown(), told);
      },
      async abort() {
        ownService.abort();
        await closeAll(running, () => running.gateway.abort());
      },
    };
  } catch (error) {
    identity.authentication.close();
    nodeAgents.close();
    await gateway?.abort();
    await plane?.close();
    await storage.close();
    throw error;
  }
}

/** Takes the parts down in the order in which nobody misses them. */
async function closeAll(
  { plane, storage, controllers, stopCompaction, stopFollowing }: RunningParts,
  closeGateway: () => Promise<void>,
  told?: (last: Revision) => void,
): Promise<void> {
  stopFollowing();
  await controllers.stop();
  await closeGateway();
  await stopCompaction();
  await plane.close();
  if (told !== undefined) told(await storage.currentRevision());
  await storage.close();
}

interface RunningParts {
  readonly gateway: Gateway;
  readonly plane: ControlPlane;
  readonly storage: Storage;
  readonly controllers: RunningControllers;
  readonly stopCompaction: () => Promise<void>;
  readonly stopFollowing: () => void;
}

async function copyStore(storage: Storage, directory: string): Promise<void> {
  if (storage.copyTo === undefined)
    throw new Error('only an embedded store can be copied: the data of this one are in another process');
  await storage.copyTo(directory);
}

/** @throws Error that names the flag. */
async function makeDataFolder({ dataDirectory }: CompletedConfig): Promise<void> {
  try {
    await makeFolder(dataDirectory, 0o700);
  } catch (cause) {
    throw new Error(`--data-dir: ${dataDirectory} can not be made`, { cause });
  }
}

/** The schemas of what is served. */
export function schemasFor({ config, names }: Omit<ServerConfiguration, 'warnings'>): SchemaRegistry {
  const { served, gates } = config;
  return loadSchemas({ profile: names.name, enabled: served, gate: (gate) => gates.enabled(gate) });
}

/** Counts what the store does, and logs what an operator must know of it. */
function observeStore({ store }: ServerMetrics, log: Log): StoreObserver {
  const part = log.part('store');
  return {
    ...store,
    unreadable(key, why) {
      store.unreadable?.(key, why);
      part.error('a stored object can not be read', undefined, { key, why });
    },
    watchFailed: (partition, error) => part.warning('the watch of the store failed', { partition, error }),
  };
}

function storageLog(log: Log): Parameters<typeof openStorage>[1]['log'] {
  const part = log.part('storage');
  return (level, message, fields) =>
    level === 'warn' ? part.warning(message, fields) : part.info(message, fields);
}
