import { systemClock, type Clock } from '../../lib/clock.ts';
import { ConfigError } from '../config-error.ts';
import type { CredentialSource } from '../https/credentials.ts';
import type { Transport } from '../transport.ts';
import { checkAuthority, readPem } from './certificates.ts';
import { impersonationHeaders } from './impersonation.ts';
import type { InClusterOptions } from './in-cluster.ts';
import type { Kubeconfig } from './kubeconfig.ts';
import { loadKubeconfig, type LoadKubeconfigOptions } from './load.ts';
import { selectContext, type ConfigOverrides, type Selection } from './select.ts';
import { userCredentials } from './user-credentials.ts';

export interface ConnectOptions extends LoadKubeconfigOptions, InClusterOptions {
  readonly overrides?: ConfigOverrides;
  /** Sent as `user-agent`. */
  readonly userAgent?: string;
  readonly clock?: Clock;
}

/** A way to the server that a configuration names. Nothing is sent by making it. */
export interface ConnectedServer {
  readonly transport: Transport;
  /** As the configuration has it, e.g. `https://host:port`. */
  readonly server: string;
  /** Of the context, when it has one. */
  readonly namespace: string | undefined;
}

/**
 * Finds the server that configuration files and overrides name, and how to be known to it; in a pod, where they name
 * none, that of the pod's cluster.
 *
 * @throws ConfigError for what is missing, damaged or expired.
 */
export async function connectKubeconfig(options: ConnectOptions = {}): Promise<ConnectedServer> {
  const { overrides = {}, clock = systemClock, userAgent = 'orch-client' } = options;
  const selection = selectContext(await loadConfig(options), overrides);
  const { cluster, user, server, namespace } = selection;
  const url = checkServer(selection);
  const headers = { 'user-agent': userAgent, ...impersonationHeaders(user) };
  const [authority, credentials, { HttpsTransport }] = await Promise.all([
    authorityOf(selection),
    credentialsOf(selection, { ...options, clock }),
    import('../https/https-transport.ts'),
  ]);
  const transport = new HttpsTransport({
    server: url.href,
    authority,
    serverName: cluster['tls-server-name'],
    insecure: cluster['insecure-skip-tls-verify'],
    credentials,
    headers,
    // Over loopback, packing and unpacking takes longer than the way.
    compression: cluster['disable-compression'] !== true && !isLoopback(url),
    clock,
  });
  return { transport, server: server.replace(/\/+$/, ''), namespace };
}

async function loadConfig(options: ConnectOptions): Promise<Kubeconfig> {
  const config = await loadKubeconfig(options);
  const says = config.clusters.size + config.users.size + config.contexts.size;
  if (says > 0 || options.overrides?.server !== undefined) return config;
  const { loadInCluster } = await import('./in-cluster.ts');
  return (await loadInCluster(options)) ?? config;
}

/** The server's URL. @throws ConfigError when it is none. */
function checkServer({ server, cluster }: Selection): URL {
  const url = URL.parse(/^[a-z]+:\/\//i.test(server) ? server : `http://${server}`);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new ConfigError(`the server ${JSON.stringify(server)} is not an address like https://host:port`);
  }
  const proxy = cluster['proxy-url'];
  if (proxy !== undefined) {
    throw new ConfigError(`the proxy ${proxy} of the cluster can't be used: proxies are not supported`);
  }
  if (cluster['insecure-skip-tls-verify'] === true && hasAuthority(cluster)) {
    throw new ConfigError('specifying a root certificates file with the insecure flag is not allowed', {
      hint: 'Take insecure-skip-tls-verify out of the cluster, or its certificate-authority.',
    });
  }
  return url;
}

function hasAuthority(cluster: Selection['cluster']): boolean {
  return (
    cluster['certificate-authority'] !== undefined || cluster['certificate-authority-data'] !== undefined
  );
}

async function authorityOf({ cluster, clusterName }: Selection): Promise<string | undefined> {
  const what =
    clusterName === ''
      ? 'the certificate authority'
      : `the certificate authority of cluster ${JSON.stringify(clusterName)}`;
  const pem = await readPem(
    { data: cluster['certificate-authority-data'], file: cluster['certificate-authority'] },
    what,
  );
  return pem === undefined ? undefined : checkAuthority(pem, what);
}

async function credentialsOf(
  selection: Selection,
  options: ConnectOptions & { readonly clock: Clock },
): Promise<CredentialSource> {
  const { exec, token } = selection.user;
  if (exec === undefined || token !== undefined) return userCredentials(selection, options.clock);
  const { execCredentials } = await import('./exec-credentials.ts');
  return execCredentials({ selection, exec, clock: options.clock, env: options.env ?? process.env });
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
