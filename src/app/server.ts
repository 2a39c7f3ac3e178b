import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { authenticateUnion, type Authenticator } from '../authn/authenticator.ts';
import { clientCertificates } from '../authn/client-certificate.ts';
import { authorizeUnion } from '../authz/authorizer.ts';
import { masters, publicPaths } from '../authz/built-in.ts';
import { accessDenied } from '../authz/forbidden.ts';
import { createGateway, type Gateway } from '../http/gateway.ts';
import type { TlsOptions } from '../http/server/tls-server.ts';
import { systemClock, type Clock } from '../lib/clock.ts';
import type { NamingProfile } from '../names/profile.ts';
import { loadSchemas } from '../schema/load.ts';
import type { StoreObserver } from '../store/observer.ts';
import type { Log } from '../telemetry/log/log.ts';
import { ensureCertificates, type GeneratedCertificates } from './certificates.ts';
import { createControlPlane, type ControlPlane } from './control-plane.ts';
import { readCredentialFiles, type CredentialFiles } from './credential-files.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { openLog } from './log.ts';
import { createMetrics, type ServerMetrics } from './metrics/metrics.ts';
import type { CompletedConfig } from './options/complete.ts';
import { createPaths } from './paths.ts';
import { openStorage, startCompaction } from './storage.ts';
import { RELEASE_NAME, type BuildVersion } from './version.ts';

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
  const files = await readCredentialFiles(config);
  await mkdir(config.dataDirectory, { recursive: true, mode: 0o700 });
  const certificates = needsCertificates(config)
    ? await ensureCertificates({
        directory: config.certificateDirectory,
        hosts: config.servingHosts,
        now: new Date(clock.now()),
      })
    : undefined;
  const tls = tlsOptions(config, files, certificates);
  const authenticate = authentication(config, { ...files, tls, log });
  const storageParts = { clock, log: storageLog(log) };
  const storage = await openStorage(config, storageParts);
  let plane: ControlPlane | undefined;
  let gateway: Gateway | undefined;
  try {
    const schemas = loadSchemas({
      profile: names.name,
      enabled: config.served,
      gate: (name) => config.gates.enabled(name),
    });
    const metrics = createMetrics({ profile: names.name, config, version, clock });
    plane = createControlPlane({
      config,
      names,
      schemas,
      storage,
      clock,
      random: Math.random,
      observer: observeStore(metrics, log),
    });
    const served = plane;
    metrics.watchStore(served.store, storage);
    let bootstrapped = false;
    const made = createGateway({
      clock,
      newId: randomUUID,
      random: Math.random,
      log: (message, { auditId, error }) => log.error(message, error, { auditId }),
      tls,
      names: {
        metaGroup: names.get('group.meta'),
        initialEventsEnd: names.get('annotation.initial-events-end'),
        initialEventsListBlueprint: names.get('annotation.initial-events-list-blueprint'),
      },
      authenticate: metrics.authentication(authenticate),
      access: {
        authorize: metrics.authorization(authorizeUnion([masters, publicPaths])),
        denied: accessDenied,
      },
      release: RELEASE_NAME,
      find: (group, version_, resource) => schemas.resource(group, version_, resource),
      servesGroup: (group) => served.servesGroup(group),
      verbs: served.verbs,
      forms: served.forms,
      encodings: served.encodings,
      paths: (parts) =>
        createPaths(
          {
            ...{ config, names, schemas, storage, store: served.store, metrics, version, clock, log },
            bootstrapped: () => bootstrapped,
          },
          parts,
        ),
      observer: metrics.gateway,
      requestTimeoutMs: config.requests.timeoutMs,
      shutdown: {
        delayMs: config.shutdown.delayMs,
        graceMs: Math.max(config.shutdown.watchGraceMs, config.requests.timeoutMs),
        sendRetryAfter: config.shutdown.sendRetryAfter,
      },
      goAwayChance: config.requests.goawayChance,
    });
    gateway = made;
    const { port } = await made.listen(config.serving.port, config.serving.bindAddress);
    await served.start({ port });
    bootstrapped = true;
    const stopCompaction = await startCompaction(config, storage, storageParts);
    const url = `https://${localAddress(config)}:${port}`;
    const kubeconfig = await kubeconfigFor(config, certificates, url);
    return {
      url,
      kubeconfig,
      async close() {
        await made.shutdown();
        await stopCompaction();
        await served.close();
        await storage.close();
      },
    };
  } catch (error) {
    await gateway?.abort();
    await plane?.close();
    await storage.close();
    throw error;
  }
}

/** Whether nobody gave a serving certificate: then there is an authority of our own. */
function needsCertificates({ serving }: CompletedConfig): boolean {
  return serving.certificateFile === '';
}

function tlsOptions(
  { serving }: CompletedConfig,
  files: CredentialFiles,
  generated: GeneratedCertificates | undefined,
): TlsOptions {
  const own =
    generated === undefined
      ? files.serving
      : { cert: generated.serving.certificate, key: generated.serving.key };
  if (own === undefined) throw new Error('there is no certificate to serve with');
  const authorities = [
    ...(generated === undefined ? [] : [generated.authority]),
    ...(files.clientCa === undefined ? [] : [files.clientCa]),
  ];
  return {
    ...own,
    ...(authorities.length === 0 ? {} : { clientCa: authorities }),
    minVersion: serving.minVersion === 'VersionTLS13' ? 'TLSv1.3' : 'TLSv1.2',
  };
}

function authentication(
  { authentication: options }: CompletedConfig,
  { tls, tokens, log }: { tls: TlsOptions; tokens?: Authenticator; log: Log },
): ReturnType<typeof authenticateUnion> {
  const methods: Authenticator[] = [];
  if (tls.clientCa !== undefined) methods.push(clientCertificates());
  if (tokens !== undefined) methods.push(tokens);
  return authenticateUnion({
    methods,
    anonymous: options.anonymous,
    onRefusal: (reason) => log.v(3, () => ['a credential was refused', { reason }]),
  });
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

/** Where clients on this machine find a server that listens everywhere. */
function localAddress({ serving }: CompletedConfig): string {
  const { bindAddress } = serving;
  if (bindAddress === '0.0.0.0' || bindAddress === '::' || bindAddress === '') return '127.0.0.1';
  return bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
}

async function kubeconfigFor(
  { kubeconfigFile }: CompletedConfig,
  certificates: GeneratedCertificates | undefined,
  server: string,
): Promise<string | undefined> {
  if (kubeconfigFile === undefined || certificates === undefined) return undefined;
  const { authority, admin } = certificates;
  await writeKubeconfig({ path: kubeconfigFile, server, authority, client: admin });
  return kubeconfigFile;
}
