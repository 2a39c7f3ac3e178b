import { DiscoveryDocuments } from '../http/discovery/documents.ts';
import { discoveryEndpoint } from '../http/endpoints/discovery.ts';
import { healthEndpoints } from '../http/endpoints/health.ts';
import { metricsEndpoint } from '../http/endpoints/metrics.ts';
import { openApiEndpoints } from '../http/endpoints/openapi.ts';
import { rootEndpoints } from '../http/endpoints/root.ts';
import type { PathEndpoints } from '../http/endpoints/router.ts';
import { versionEndpoints } from '../http/endpoints/version.ts';
import type { PathParts } from '../http/gateway.ts';
import { OpenApiDocuments } from '../http/openapi/documents.ts';
import type { Clock } from '../lib/clock.ts';
import type { NamingProfile } from '../names/profile.ts';
import type { SchemaRegistry } from '../schema/model.ts';
import type { DescriptionTable } from '../schema/openapi/descriptions.ts';
import type { Storage } from '../storage/port.ts';
import type { RunningObjectStore } from '../store/create.ts';
import type { Log } from '../telemetry/log/log.ts';
import { CBOR_GATE } from './answers.ts';
import { healthChecks } from './health.ts';
import type { ServerIdentity } from './identity.ts';
import { issuerPaths } from './issuer-paths.ts';
import type { ServerMetrics } from './metrics/metrics.ts';
import { readBuilt } from './options/built.ts';
import type { CompletedConfig } from './options/complete.ts';
import type { StartHooks } from './start-hooks.ts';
import { RELEASE, RELEASE_NAME, type BuildVersion } from './version.ts';

export interface PathSources {
  readonly config: CompletedConfig;
  readonly names: NamingProfile;
  readonly schemas: SchemaRegistry;
  readonly store: RunningObjectStore;
  readonly storage: Storage;
  readonly hooks: StartHooks;
  readonly metrics: ServerMetrics;
  readonly version: BuildVersion;
  readonly clock: Clock;
  readonly identity: Pick<ServerIdentity, 'tokenKeys'>;
  readonly log: Log;
}

/** The endpoints that are no resources: health, metrics, version, discovery, OpenAPI, the issuer of tokens. */
export function createPaths(sources: PathSources, parts: PathParts): PathEndpoints {
  const { names, schemas, clock, metrics, config } = sources;
  const discovery = new DiscoveryDocuments({
    registry: schemas,
    names,
    serverAddress: `${config.advertiseAddress}:${config.serving.port}`,
  });
  const openApi = openApiEndpoints({
    documents: new OpenApiDocuments({
      registry: schemas,
      names,
      version: RELEASE_NAME,
      cbor: config.gates.enabled(CBOR_GATE),
      descriptions: () => readBuilt(names.name, 'descriptions') as DescriptionTable,
    }),
    now: () => clock.now(),
  });
  const version = versionEndpoints(versionInfo(sources.version));
  const checks = healthChecks({ ...sources, shuttingDown: () => parts.shuttingDown() });
  const observer = { ...metrics.health, onFailure: logFailures(sources.log) };
  const exact = new Map([
    ...Object.entries(checks).flatMap(([name, list]) => healthEndpoints(name, list, observer)),
    ...issuerPaths(config, sources.identity.tokenKeys, sources.log),
    ...version.exact,
    ...openApi.exact,
    ['/metrics', metricsEndpoint(metrics.source)] as const,
    ['/metrics/slis', metricsEndpoint(metrics.slis)] as const,
  ]);
  const known = (): string[] => [
    ...[...exact.keys()].filter((path) => !path.endsWith('/')),
    ...discoveryPaths(schemas),
  ];
  return {
    exact: new Map([...exact, ...rootEndpoints(known)]),
    below: [...version.below, ...openApi.below],
    discovery: discoveryEndpoint({
      documents: discovery,
      negotiator: parts.negotiator,
      discoveryGroup: names.get('group.apidiscovery'),
    }),
  };
}

function versionInfo({
  gitVersion,
  gitCommit,
  buildDate,
}: BuildVersion): Parameters<typeof versionEndpoints>[0] {
  return {
    major: RELEASE.major,
    minor: RELEASE.minor,
    gitVersion,
    gitCommit,
    gitTreeState: 'clean',
    buildDate,
    goVersion: `node ${process.version}`,
    compiler: 'v8',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  };
}

function discoveryPaths(schemas: SchemaRegistry): string[] {
  const paths = ['/api', '/apis'];
  for (const { name, versions } of schemas.groups()) {
    const root = name === '' ? '/api' : `/apis/${name}`;
    if (name !== '') paths.push(root);
    for (const version of versions) paths.push(`${root}/${version}`);
  }
  return paths;
}

function logFailures(
  log: Log,
): (endpoint: string, failures: readonly { name: string; error: unknown }[]) => void {
  return (endpoint, failures) => {
    for (const { name, error } of failures)
      log.v(1, () => [`${endpoint} check failed`, { check: name, error }]);
  };
}
