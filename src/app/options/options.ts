import { exactly, type PluginChoice } from '../../admission/order.ts';
import type { ProfileName } from '../../names/profile.ts';
import type { FlagValues } from './flag-values.ts';
import { parsePortRange, type PortNumbers } from './port-range.ts';
import { readProviders, type ProviderOptions } from './providers.ts';
import { readSigning, type SigningOptions } from './signing.ts';

/**
 * What the flags say that the server acts on, as its parts are told it. Times are in milliseconds where their name says so. Empty texts
 * and lists stand for flags that were not given and have no default; `complete` decides those.
 */
export interface Options {
  readonly naming: ProfileName;
  readonly dataDirectory: string;
  readonly serving: ServingOptions;
  readonly storage: StorageOptions;
  readonly requests: RequestOptions;
  readonly shutdown: ShutdownOptions;
  readonly authentication: AuthenticationOptions;
  readonly serviceAccounts: ServiceAccountOptions;
  readonly providers: ProviderOptions;
  readonly authorization: AuthorizationOptions;
  readonly admission: AdmissionOptions;
  readonly services: ServiceOptions;
  /** As given: `*`, names, and `-` before those that are left out. */
  readonly controllers: readonly string[];
  /** Whether each controller acts as a service account of its own. */
  readonly controllersHaveAccounts: boolean;
  readonly rootCaFile: string;
  /** Whether pods may have privileged containers. */
  readonly allowsPrivileged: boolean;
  /** Whether deletions count on a garbage collector. */
  readonly collectsGarbage: boolean;
  readonly signing: SigningOptions;
  readonly nodeAgents: NodeAgentOptions;
  readonly logs: LogOptions;
  readonly disabledMetrics: readonly string[];
  readonly featureGates: ReadonlyMap<string, string>;
  readonly runtimeConfig: ReadonlyMap<string, string>;
}

export interface ServingOptions {
  readonly bindAddress: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly advertiseAddress: string;
  readonly externalHostname: string;
  readonly certificateDirectory: string;
  readonly certificateFile: string;
  readonly keyFile: string;
  /** As Go calls it, e.g. `VersionTLS12`. */
  readonly minVersion: string;
  readonly kubeconfigFile: string;
  /** Requests under way on one HTTP/2 connection; 0 for the server's own limit. */
  readonly http2Streams: number;
}

export interface StorageOptions {
  readonly backend: string;
  /** Of stored objects. */
  readonly mediaType: string;
  readonly etcdServers: readonly string[];
  readonly etcdPrefix: string;
  readonly etcdCaFile: string;
  readonly etcdCertificateFile: string;
  readonly etcdKeyFile: string;
  readonly compactionIntervalMs: number;
  readonly historyMs: number;
  readonly healthTimeoutMs: number;
  readonly readyTimeoutMs: number;
  readonly initializationTimeoutMs: number;
  readonly eventTtlMs: number;
}

export interface RequestOptions {
  readonly timeoutMs: number;
  readonly minWatchSeconds: number;
  readonly goawayChance: number;
}

export interface ShutdownOptions {
  readonly delayMs: number;
  readonly sendRetryAfter: boolean;
  readonly watchGraceMs: number;
  readonly livezGraceMs: number;
}

export interface AuthenticationOptions {
  readonly anonymous: boolean;
  /** Whether a flag says so, rather than nobody. */
  readonly anonymousGiven: boolean;
  readonly clientCaFile: string;
  readonly tokenFile: string;
  readonly bootstrapTokens: boolean;
  /** What this server is called in tokens; none when the flag was not given. */
  readonly apiAudiences: readonly string[];
}

export interface ServiceAccountOptions {
  /** The first is that of new tokens; none when the flag was not given. */
  readonly issuers: readonly string[];
  readonly keyFiles: readonly string[];
  readonly signingKeyFile: string;
  readonly jwksUri: string;
  /** Whether tokens of Secrets end with the Secret and the account. */
  readonly lookup: boolean;
  /** 0: as long as is asked for. */
  readonly maxExpirationMs: number;
  readonly extendExpiration: boolean;
}

export interface AdmissionOptions extends PluginChoice {
  /** '' for none. */
  readonly configurationFile: string;
  /** How long pods tolerate nodes that are not ready, and unreachable ones. */
  readonly notReadySeconds: number;
  readonly unreachableSeconds: number;
}

export interface AuthorizationOptions {
  /** In order; none when the flag was not given. */
  readonly modes: readonly string[];
  /** Of the mode ABAC. */
  readonly policyFile: string;
  /** The authorizers, instead of modes. */
  readonly configFile: string;
  /** Of the mode Webhook. */
  readonly webhook: {
    readonly kubeconfig: string;
    readonly version: 'v1' | 'v1beta1';
    readonly authorizedTtlMs: number;
    readonly unauthorizedTtlMs: number;
  };
}

export interface ServiceOptions {
  readonly clusterIpRanges: readonly string[];
  /** Both ends included. */
  readonly nodePorts: PortNumbers;
  /** Of the servers' own service; 0: it has none. */
  readonly ownNodePort: number;
  /** Whether the servers keep the endpoints of their own service. */
  readonly keepsEndpoints: boolean;
}

/** How the agents of nodes are reached. */
export interface NodeAgentOptions {
  /** The most wanted first. */
  readonly addressTypes: readonly string[];
  /** '' for none; so are the other files. */
  readonly authorityFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
  /** How long a connection may take to be made; 0 for the default. */
  readonly connectMs: number;
}

export interface LogOptions {
  readonly format: 'json' | 'text';
  readonly verbosity: number;
  /** `pattern=level` as given. */
  readonly modules: readonly string[];
}

/** The parser has refused whatever else is no range. */
const NO_PORTS: PortNumbers = { first: 0, last: 0 };

/** Takes the flags that the server uses into their options. The values have been parsed and checked against the table. */
export function readOptions(flags: FlagValues): Options {
  return {
    naming: flags.text('naming') as ProfileName,
    dataDirectory: flags.text('data-dir'),
    serving: readServing(flags),
    storage: readStorage(flags),
    requests: {
      timeoutMs: flags.number('request-timeout'),
      minWatchSeconds: flags.number('min-request-timeout'),
      goawayChance: flags.number('goaway-chance'),
    },
    shutdown: {
      delayMs: flags.number('shutdown-delay-duration'),
      sendRetryAfter: flags.boolean('shutdown-send-retry-after'),
      watchGraceMs: flags.number('shutdown-watch-termination-grace-period'),
      livezGraceMs: flags.number('livez-grace-period'),
    },
    authentication: {
      anonymous: flags.boolean('anonymous-auth'),
      anonymousGiven: flags.isSet('anonymous-auth'),
      clientCaFile: flags.text('client-ca-file'),
      tokenFile: flags.text('token-auth-file'),
      bootstrapTokens: flags.boolean('enable-bootstrap-token-auth'),
      apiAudiences: flags.list('api-audiences'),
    },
    serviceAccounts: readServiceAccounts(flags),
    providers: readProviders(flags),
    authorization: readAuthorization(flags),
    admission: {
      ...readPluginChoice(flags),
      configurationFile: flags.text('admission-control-config-file'),
      notReadySeconds: flags.number('default-not-ready-toleration-seconds'),
      unreachableSeconds: flags.number('default-unreachable-toleration-seconds'),
    },
    services: {
      clusterIpRanges: flags.text('service-cluster-ip-range').split(',').filter(Boolean),
      nodePorts: parsePortRange(flags.text('service-node-port-range')) ?? NO_PORTS,
      ownNodePort: flags.number('kubernetes-service-node-port'),
      keepsEndpoints: flags.text('endpoint-reconciler-type') !== 'none',
    },
    controllers: flags.list('controllers'),
    controllersHaveAccounts: flags.boolean('use-service-account-credentials'),
    rootCaFile: flags.text('root-ca-file'),
    allowsPrivileged: flags.boolean('allow-privileged'),
    collectsGarbage: flags.boolean('enable-garbage-collector'),
    signing: readSigning(flags),
    nodeAgents: readNodeAgents(flags),
    logs: {
      format: flags.text('logging-format') as LogOptions['format'],
      verbosity: flags.number('v'),
      modules: flags.list('vmodule'),
    },
    disabledMetrics: flags.list('disabled-metrics'),
    featureGates: flags.map('feature-gates'),
    runtimeConfig: flags.map('runtime-config'),
  };
}

function readServing(flags: FlagValues): ServingOptions {
  return {
    bindAddress: flags.text('bind-address'),
    port: flags.number('secure-port'),
    advertiseAddress: flags.text('advertise-address'),
    externalHostname: flags.text('external-hostname'),
    certificateDirectory: flags.text('cert-dir'),
    certificateFile: flags.text('tls-cert-file'),
    keyFile: flags.text('tls-private-key-file'),
    minVersion: flags.text('tls-min-version'),
    kubeconfigFile: flags.text('write-kubeconfig'),
    http2Streams: flags.number('http2-max-streams-per-connection'),
  };
}

function readNodeAgents(flags: FlagValues): NodeAgentOptions {
  return {
    addressTypes: flags.list('kubelet-preferred-address-types'),
    authorityFile: flags.text('kubelet-certificate-authority'),
    certificateFile: flags.text('kubelet-client-certificate'),
    keyFile: flags.text('kubelet-client-key'),
    connectMs: flags.number('kubelet-timeout'),
  };
}

function readAuthorization(flags: FlagValues): AuthorizationOptions {
  return {
    modes: flags.list('authorization-mode'),
    policyFile: flags.text('authorization-policy-file'),
    configFile: flags.text('authorization-config'),
    webhook: {
      kubeconfig: flags.text('authorization-webhook-config-file'),
      version: flags.text('authorization-webhook-version') as 'v1' | 'v1beta1',
      authorizedTtlMs: flags.number('authorization-webhook-cache-authorized-ttl'),
      unauthorizedTtlMs: flags.number('authorization-webhook-cache-unauthorized-ttl'),
    },
  };
}

function readPluginChoice(flags: FlagValues): PluginChoice {
  if (flags.isSet('admission-control')) return exactly(flags.list('admission-control'));
  return {
    enabled: flags.list('enable-admission-plugins'),
    disabled: flags.list('disable-admission-plugins'),
  };
}

function readServiceAccounts(flags: FlagValues): ServiceAccountOptions {
  return {
    issuers: flags.list('service-account-issuer'),
    keyFiles: flags.list('service-account-key-file'),
    signingKeyFile: flags.text('service-account-signing-key-file'),
    jwksUri: flags.text('service-account-jwks-uri'),
    lookup: flags.boolean('service-account-lookup'),
    maxExpirationMs: flags.number('service-account-max-token-expiration'),
    extendExpiration: flags.boolean('service-account-extend-token-expiration'),
  };
}

function readStorage(flags: FlagValues): StorageOptions {
  return {
    backend: flags.text('storage-backend'),
    mediaType: flags.text('storage-media-type'),
    etcdServers: flags.list('etcd-servers'),
    etcdPrefix: flags.text('etcd-prefix'),
    etcdCaFile: flags.text('etcd-cafile'),
    etcdCertificateFile: flags.text('etcd-certfile'),
    etcdKeyFile: flags.text('etcd-keyfile'),
    compactionIntervalMs: flags.number('etcd-compaction-interval'),
    historyMs: flags.number('history'),
    healthTimeoutMs: flags.number('etcd-healthcheck-timeout'),
    readyTimeoutMs: flags.number('etcd-readycheck-timeout'),
    initializationTimeoutMs: flags.number('storage-initialization-timeout'),
    eventTtlMs: flags.number('event-ttl'),
  };
}
