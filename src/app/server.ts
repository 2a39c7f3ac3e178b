import type { Gateway } from '../http/gateway.ts';
import { systemClock, type Clock } from '../lib/clock.ts';
import { makeFolder } from '../lib/make-folder.ts';
import type { NamingProfile } from '../names/profile.ts';
import { loadSchemas } from '../schema/load.ts';
import type { SchemaRegistry } from '../schema/model.ts';
import type { Storage } from '../storage/port.ts';
import type { StoreObserver } from '../store/observer.ts';
import type { Log } from '../telemetry/log/log.ts';
import { createAuthorization } from './authorization.ts';
import { createControlPlane, START_HOOKS, type ControlPlane } from './control-plane.ts';
import { createServerGateway } from './gateway.ts';
import { offerKubeconfig, openIdentity } from './identity.ts';
import { listen, localUrl } from './listen.ts';
import { openLog } from './log.ts';
import { createMetrics, type ServerMetrics } from './metrics/metrics.ts';
import type { CompletedConfig } from './options/complete.ts';
import { StartHooks } from './start-hooks.ts';
import { openStorage, startCompaction } from './storage.ts';
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
}

export interface RunningServer {
  /** `https://host:port` as clients on this machine reach it. */
  readonly url: string;
  /** The administrator's kubeconfig, if one was written. */
  readonly kubeconfig: string | undefined;
  /** Stops as `--shutdown-*` says, then closes the store. */
  close(): Promise<void>;
}

/** Starts everything; resolves when the server is ready. @throws Error that says what keeps it from starting. */
export async function startServer(
  { config, names, warnings }: ServerConfiguration,
  { version, writeLog, clock = systemClock }: ServerSurroundings,
): Promise<RunningServer> {
  const log = await openLog(config.logs, writeLog, clock);
  for (const warning of warnings) log.warning(warning);
  await makeDataFolder(config);
  const identity = await openIdentity(config, { log, now: new Date(clock.now()) });
  const storageParts = { clock, log: storageLog(log) };
  const storage = await openStorage(config, storageParts);
  let plane: ControlPlane | undefined;
  let gateway: Gateway | undefined;
  try {
    const schemas = schemasFor(config, names);
    const metrics = createMetrics({ profile: names.name, config, version, clock });
    const observer = observeStore(metrics, log);
    const random = Math.random;
    const { authorize, policy } = createAuthorization(config, names);
    const parts = { config, names, schemas, storage, clock, authorize, policy, random, observer };
    plane = createControlPlane(parts);
    metrics.watchStore(plane.store, storage);
    const hooks = new StartHooks(START_HOOKS);
    const shared = { config, names, schemas, storage, clock, authorize };
    gateway = createServerGateway({ ...shared, plane, identity, metrics, hooks, version, log });
    const port = await listen(gateway, config.serving);
    await plane.start({ port, hooks });
    const stopCompaction = await startCompaction(config, storage, storageParts);
    const url = localUrl(config.serving, port);
    const kubeconfig = await offerKubeconfig(config, identity, url);
    const running = { gateway, plane, storage };
    return { url, kubeconfig, close: () => closeAll(running, stopCompaction) };
  } catch (error) {
    await gateway?.abort();
    await plane?.close();
    await storage.close();
    throw error;
  }
}

/** Takes the parts down in the order in which nobody misses them. */
async function closeAll(
  { gateway, plane, storage }: { gateway: Gateway; plane: ControlPlane; storage: Storage },
  stopCompaction: () => Promise<void>,
): Promise<void> {
  await gateway.shutdown();
  await stopCompaction();
  await plane.close();
  await storage.close();
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
function schemasFor({ served, gates }: CompletedConfig, { name }: NamingProfile): SchemaRegistry {
  return loadSchemas({ profile: name, enabled: served, gate: (gate) => gates.enabled(gate) });
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
