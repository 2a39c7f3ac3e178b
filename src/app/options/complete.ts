import { join, resolve } from 'node:path';
import { formatAddress, parseAddress } from '../../lib/address.ts';
import type { GroupVersionResource } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { hostAddressErrors } from '../../registry/address-rules.ts';
import { apiserverServiceAddress } from '../apiserver-service.ts';
import { resolveGates, type FeatureGates, type GateTable } from './feature-gates.ts';
import type { Options } from './options.ts';
import { checkProxies } from './providers.ts';
import { resolveRuntimeConfig, type Served } from './runtime-config.ts';
import { isUnspecified, validate } from './validate.ts';

declare const completed: unique symbol;

/** Options with every gap filled and every check passed. Only {@link complete} makes one. */
export interface CompletedConfig extends Options {
  readonly [completed]: true;
  readonly store: 'etcd' | 'embedded';
  /** Absolute, like the other paths below. */
  readonly dataDirectory: string;
  readonly certificateDirectory: string;
  /** Where the administrator's kubeconfig goes; undefined: nowhere, since the certificates are not ours. */
  readonly kubeconfigFile: string | undefined;
  /** An address at which others reach this server. */
  readonly advertiseAddress: string;
  /** The endpoint of this server in the servers' own service; '' where others can't reach it. */
  readonly endpointAddress: string;
  /** Names and addresses that a generated serving certificate is for. */
  readonly servingHosts: readonly string[];
  readonly clusterIpRanges: readonly string[];
  readonly gates: FeatureGates;
  readonly served: Served;
}

/** What the machine and the schemas say. */
export interface Surroundings {
  readonly names: NamingProfile;
  /** Release that is served, `major.minor`. */
  readonly release: string;
  readonly gates: GateTable;
  /** Everything that `--runtime-config` can switch. */
  readonly resources: Iterable<GroupVersionResource>;
  readonly workingDirectory: string;
  readonly hostname: string;
  /** Addresses of the machine's network interfaces, without loopback. */
  readonly addresses: readonly string[];
}

export type Completion =
  | { readonly config: CompletedConfig; readonly warnings: readonly string[] }
  | { readonly problems: readonly string[] };

const DEFAULT_MODES: readonly string[] = ['Node', 'RBAC'];
const DEFAULT_SERVICE_RANGE = '10.0.0.0/24';

/** Fills in what the flags leave open. Problems are found all at once, and then there is no config. */
export function complete(options: Options, around: Surroundings): Completion {
  const gates = resolveGates(around.gates, options.featureGates, around.release);
  const runtime = resolveRuntimeConfig(options.runtimeConfig, around.resources);
  const uidHeaders = gates.gates.enabled('RemoteRequestHeaderUID');
  const proxies = checkProxies(options.providers.proxies, uidHeaders);
  const problems = [...validate(options), ...proxies, ...gates.problems, ...runtime.problems];
  if (problems.length > 0) return { problems };

  const { serving, storage } = options;
  const dataDirectory = resolve(around.workingDirectory, options.dataDirectory);
  const advertiseAddress = advertised(options, around);
  const clusterIpRanges = given(options.services.clusterIpRanges, [DEFAULT_SERVICE_RANGE]);
  const issuers = given(options.serviceAccounts.issuers, [around.names.get('issuer.service-account')]);
  const apiAudiences = given(options.authentication.apiAudiences, issuers);
  const config: Omit<CompletedConfig, typeof completed> = {
    ...options,
    store: storage.etcdServers.length > 0 ? 'etcd' : 'embedded',
    dataDirectory,
    certificateDirectory:
      serving.certificateDirectory === ''
        ? join(dataDirectory, 'pki')
        : resolve(around.workingDirectory, serving.certificateDirectory),
    kubeconfigFile: kubeconfigFile(options, dataDirectory, around),
    advertiseAddress,
    endpointAddress: endpoint(advertiseAddress, options, around),
    servingHosts: servingHosts(options, around, [advertiseAddress, apiserverServiceAddress(clusterIpRanges)]),
    clusterIpRanges,
    authentication: { ...options.authentication, apiAudiences },
    serviceAccounts: { ...options.serviceAccounts, issuers },
    authorization: {
      ...options.authorization,
      modes: modesOf(options),
    },
    gates: gates.gates,
    served: runtime.served,
  };
  return { config: config as CompletedConfig, warnings: [...gates.warnings, ...lifetimeWarnings(options)] };
}

/** What a list flag says, or what it means where it isn't given. */
function given(list: readonly string[], otherwise: readonly string[]): readonly string[] {
  return list.length === 0 ? otherwise : list;
}

/** From this long on, tokens that pods ask for are told from others. */
const POD_TOKEN_SECONDS = 3607;
const EXTENDED_SECONDS = 365 * 86_400;

function lifetimeWarnings({ serviceAccounts }: Options): string[] {
  const { extendExpiration, maxExpirationMs } = serviceAccounts;
  if (!extendExpiration || maxExpirationMs === 0) return [];
  const max = '--service-account-max-token-expiration';
  if (maxExpirationMs < POD_TOKEN_SECONDS * 1000) {
    return [
      `${max} is shorter than what pods ask for: no token is extended (--service-account-extend-token-expiration)`,
    ];
  }
  if (maxExpirationMs >= EXTENDED_SECONDS * 1000) return [];
  return [
    `--service-account-extend-token-expiration makes tokens of pods valid for a year, longer than ${max} says`,
  ];
}

function modesOf({ authorization: { modes, configFile } }: Options): readonly string[] {
  return configFile === '' ? given(modes, DEFAULT_MODES) : modes;
}

function advertised({ serving }: Options, { addresses }: Surroundings): string {
  if (serving.advertiseAddress !== '') return serving.advertiseAddress;
  return isUnspecified(serving.bindAddress) ? (addresses[0] ?? '127.0.0.1') : serving.bindAddress;
}

/** Endpoints can't be loopback addresses: a server that listens there only is told by where the machine is. */
function endpoint(address: string, { serving }: Options, { addresses }: Surroundings): string {
  const isHost = (text: string): boolean => hostAddressErrors(text, '').length === 0;
  if (isHost(address)) return formatted(address);
  return serving.advertiseAddress === '' ? formatted(addresses.find(isHost) ?? '') : '';
}

function formatted(text: string): string {
  const address = parseAddress(text);
  return address === undefined ? '' : formatAddress(address);
}

function kubeconfigFile(
  { serving }: Options,
  dataDirectory: string,
  { workingDirectory }: Surroundings,
): string | undefined {
  if (serving.kubeconfigFile !== '') return resolve(workingDirectory, serving.kubeconfigFile);
  return serving.certificateFile === '' ? join(dataDirectory, 'orch.kubeconfig') : undefined;
}

function servingHosts(
  { serving }: Options,
  { names, hostname }: Surroundings,
  more: readonly string[],
): string[] {
  const service = names.get('service.apiserver');
  const dns = ['', '.default', '.default.svc', '.default.svc.cluster.local'].map((end) => `${service}${end}`);
  const bound = isUnspecified(serving.bindAddress) ? '' : serving.bindAddress;
  const hosts = ['localhost', '127.0.0.1', '::1', hostname, serving.externalHostname, bound, ...more, ...dns];
  return [...new Set(hosts.filter((host) => host !== ''))];
}
