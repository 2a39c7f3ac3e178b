import { ConfigError } from '../config-error.ts';
import type { ClusterEntry, ContextEntry, Kubeconfig, UserEntry } from './kubeconfig.ts';

/** What flags say in place of a configuration; names are those of kubectl's flags. */
export interface ConfigOverrides {
  readonly context?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  readonly namespace?: string | undefined;
  readonly server?: string | undefined;
  readonly tlsServerName?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /** A file's absolute path. */
  readonly certificateAuthority?: string | undefined;
  /** A file's absolute path. */
  readonly clientCertificate?: string | undefined;
  /** A file's absolute path. */
  readonly clientKey?: string | undefined;
  readonly token?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly as?: string | undefined;
  readonly asUid?: string | undefined;
  readonly asGroups?: readonly string[] | undefined;
  readonly asUserExtra?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly disableCompression?: boolean | undefined;
}

/** The entries of a configuration that count, overrides applied. */
export interface Selection {
  readonly clusterName: string;
  readonly userName: string;
  readonly namespace: string | undefined;
  readonly server: string;
  readonly cluster: ClusterEntry;
  readonly user: UserEntry;
}

/**
 * Finds the cluster, user and namespace that the current context, or the overrides, name.
 *
 * @throws ConfigError for names that nothing has, and where nothing tells the server.
 */
export function selectContext(config: Kubeconfig, overrides: ConfigOverrides = {}): Selection {
  const contextName = overrides.context ?? config.currentContext;
  const context = contextOf(config, contextName, overrides);
  const clusterName = overrides.cluster ?? context.cluster ?? '';
  const userName = overrides.user ?? context.user ?? '';
  const cluster = overrideCluster(
    entryOf(config.clusters, clusterName, {
      what: 'cluster',
      contextName,
      config,
      needed: overrides.cluster !== undefined || overrides.server === undefined,
    }),
    overrides,
  );
  const user = overrideUser(
    entryOf(config.users, userName, { what: 'user', contextName, config, needed: true }),
    overrides,
  );
  const { server } = cluster;
  if (server === undefined) throw noServer(config, clusterName, contextName);
  return {
    clusterName,
    userName,
    server,
    cluster,
    user,
    namespace: overrides.namespace ?? context.namespace,
  };
}

function contextOf(config: Kubeconfig, name: string, overrides: ConfigOverrides): ContextEntry {
  const found = config.contexts.get(name);
  if (found !== undefined) return found;
  if (name === '' || (overrides.context === undefined && overrides.server !== undefined)) return {};
  if (overrides.context === undefined) {
    throw new ConfigError(`the current context ${JSON.stringify(name)} does not exist`, {
      hint: known('contexts', config.contexts, 'orchctl config use-context NAME chooses one.'),
    });
  }
  throw new ConfigError(`context ${JSON.stringify(name)} does not exist`, {
    hint: known('contexts', config.contexts),
  });
}

interface Wanted {
  readonly what: 'cluster' | 'user';
  readonly contextName: string;
  readonly config: Kubeconfig;
  readonly needed: boolean;
}

function entryOf<T extends object>(
  entries: ReadonlyMap<string, T>,
  name: string,
  wanted: Wanted,
): Partial<T> {
  const found = entries.get(name);
  if (found !== undefined) return found;
  if (name === '' || !wanted.needed) return {};
  const { what, contextName } = wanted;
  const by = contextName === '' ? '' : ` of context ${JSON.stringify(contextName)}`;
  throw new ConfigError(`${what} ${JSON.stringify(name)}${by} does not exist`, {
    hint: known(`${what}s`, entries),
  });
}

function overrideCluster(cluster: ClusterEntry, overrides: ConfigOverrides): ClusterEntry {
  const { server, tlsServerName, insecureSkipTlsVerify, certificateAuthority, disableCompression } =
    overrides;
  const { 'certificate-authority': file, 'certificate-authority-data': data, ...rest } = cluster;
  // Whoever says that any certificate will do, or names an authority, doesn't mean the one that stands there.
  const keptAuthority =
    insecureSkipTlsVerify === true || certificateAuthority !== undefined
      ? {}
      : compact({ 'certificate-authority': file, 'certificate-authority-data': data });
  return {
    ...rest,
    ...keptAuthority,
    ...compact({
      server,
      'tls-server-name': tlsServerName,
      'insecure-skip-tls-verify': insecureSkipTlsVerify,
      'certificate-authority': certificateAuthority,
      'disable-compression': disableCompression,
    }),
  };
}

function overrideUser(user: UserEntry, overrides: ConfigOverrides): UserEntry {
  const { token, username, password, clientCertificate, clientKey } = overrides;
  const { as, asUid, asGroups, asUserExtra } = overrides;
  let kept: UserEntry = user;
  if (token !== undefined)
    kept = without(kept, ['tokenFile', 'exec', 'username', 'password', 'auth-provider']);
  if (username !== undefined) kept = without(kept, ['token', 'tokenFile', 'exec', 'auth-provider']);
  if (clientCertificate !== undefined) kept = without(kept, ['client-certificate-data', 'exec']);
  if (clientKey !== undefined) kept = without(kept, ['client-key-data']);
  return {
    ...kept,
    ...compact({
      token,
      username,
      password,
      'client-certificate': clientCertificate,
      'client-key': clientKey,
      as,
      'as-uid': asUid,
      'as-groups': asGroups,
      'as-user-extra': asUserExtra,
    }),
  };
}

function without(user: UserEntry, fields: readonly (keyof UserEntry)[]): UserEntry {
  return Object.fromEntries(
    Object.entries(user).filter(([field]) => !fields.includes(field as keyof UserEntry)),
  );
}

type Compact<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function compact<T extends object>(fields: T): Compact<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Compact<T>;
}

function noServer(config: Kubeconfig, clusterName: string, contextName: string): ConfigError {
  if (config.files.length === 0) {
    return new ConfigError('there is no configuration that tells where the server is', {
      hint: 'Name a file with --kubeconfig or $KUBECONFIG, or a server with --server.',
    });
  }
  if (clusterName !== '') return new ConfigError(`cluster ${JSON.stringify(clusterName)} has no server`);
  if (contextName !== '') return new ConfigError(`context ${JSON.stringify(contextName)} names no cluster`);
  return new ConfigError('no context is chosen', {
    hint: known('contexts', config.contexts, 'orchctl config use-context NAME chooses one.'),
  });
}

/** What there is, for whoever mistyped. */
function known(what: string, entries: ReadonlyMap<string, unknown>, advice = ''): string {
  const names = [...entries.keys()].sort();
  const list = names.slice(0, 10).join(', ') + (names.length > 10 ? ', …' : '');
  const there = names.length === 0 ? `There are no ${what}.` : `The ${what} are: ${list}.`;
  return advice === '' ? there : `${there} ${advice}`;
}
