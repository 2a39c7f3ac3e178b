import { resolve } from 'node:path';
import { connectKubeconfig } from '../../client/kubeconfig/connect.ts';
import type { Connection, ConnectRequest } from './create-context.ts';
import { CtlError } from './errors.ts';
import { VERSION } from './version.ts';

/** Finds the server by flags and configuration files. @throws ConfigError for what is missing, damaged or expired. */
export function connect({ globals, env, cwd }: ConnectRequest): Promise<Connection> {
  const file = (path: string | undefined): string | undefined =>
    path === undefined || path === '' ? undefined : resolve(cwd, path);
  return connectKubeconfig({
    path: file(globals.kubeconfig),
    env,
    cwd,
    userAgent: `orchctl/${VERSION}`,
    overrides: {
      context: globals.context,
      cluster: globals.cluster,
      user: globals.user,
      server: globals.server,
      tlsServerName: globals['tls-server-name'],
      // Not given, the configuration decides.
      insecureSkipTlsVerify: globals['insecure-skip-tls-verify'] || undefined,
      certificateAuthority: file(globals['certificate-authority']),
      clientCertificate: file(globals['client-certificate']),
      clientKey: file(globals['client-key']),
      token: globals.token,
      username: globals.username,
      password: globals.password,
      as: globals.as,
      asUid: globals['as-uid'],
      asGroups: globals['as-group'].length === 0 ? undefined : globals['as-group'],
      asUserExtra: extraOf(globals['as-user-extra']),
      disableCompression: globals['disable-compression'] || undefined,
    },
  });
}

function extraOf(pairs: readonly string[]): Readonly<Record<string, readonly string[]>> | undefined {
  if (pairs.length === 0) return undefined;
  const extra: Record<string, string[]> = {};
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals <= 0) throw new CtlError(`--as-user-extra takes key=value, not ${JSON.stringify(pair)}`);
    (extra[pair.slice(0, equals)] ??= []).push(pair.slice(equals + 1));
  }
  return extra;
}
