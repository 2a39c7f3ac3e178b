import { join, resolve } from 'node:path';
import type { GroupVersionResource } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { apiserverServiceAddress } from '../apiserver-service.ts';
import { resolveGates, type FeatureGates, type GateTable } from './feature-gates.ts';
import type { Options } from './options.ts';
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
  const problems = [...validate(options), ...gates.problems, ...runtime.problems];
  if (problems.length > 0) return { problems };

  const { serving, storage } = options;
  const dataDirectory = resolve(around.workingDirectory, options.dataDirectory);
  const advertiseAddress = advertised(options, around);
  const clusterIpRanges =
    options.services.clusterIpRanges.length === 0
      ? [DEFAULT_SERVICE_RANGE]
      : options.services.clusterIpRanges;
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
    servingHosts: servingHosts(options, around, [advertiseAddress, apiserverServiceAddress(clusterIpRanges)]),
    clusterIpRanges,
    authorization: {
      ...options.authorization,
      modes: options.authorization.modes.length === 0 ? DEFAULT_MODES : options.authorization.modes,
    },
    gates: gates.gates,
    served: runtime.served,
  };
  return { config: config as CompletedConfig, warnings: gates.warnings };
}

function advertised({ serving }: Options, { addresses }: Surroundings): string {
  if (serving.advertiseAddress !== '') return serving.advertiseAddress;
  return isUnspecified(serving.bindAddress) ? (addresses[0] ?? '127.0.0.1') : serving.bindAddress;
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
