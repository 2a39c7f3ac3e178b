import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { NamingProfile } from '../../names/profile.ts';
import { allProfiles } from '../discovery/profiles.ts';
import type { Kubeconfig } from './kubeconfig.ts';

export interface InClusterOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The folder of the service account's files; by default where pods have it, in either naming profile. */
  readonly serviceAccount?: string | undefined;
}

const NAME = 'in-cluster';

/**
 * What a program in a pod has for a configuration: the API server by the variables of its Service, the token and the
 * authority of the pod's service account. The token's file is read again as it is renewed.
 *
 * @returns undefined outside of pods.
 */
export async function loadInCluster(options: InClusterOptions = {}): Promise<Kubeconfig | undefined> {
  const { env = process.env, serviceAccount } = options;
  const profiles = allProfiles();
  const server = profiles.map((names) => serverOf(names, env)).find((found) => found !== undefined);
  if (server === undefined) return undefined;
  const folders =
    serviceAccount === undefined
      ? profiles.map((names) => names.get('path.service-account'))
      : [serviceAccount];
  for (const folder of folders) {
    if (await isFile(join(folder, 'token'))) return configOf(server, folder, env);
  }
  return undefined;
}

/** Where the Service of the API server is, as pods are told of Services. */
function serverOf(
  names: NamingProfile,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const service = names.get('service.apiserver').toUpperCase().replaceAll('-', '_');
  const [host = '', port = ''] = [env[`${service}_SERVICE_HOST`], env[`${service}_SERVICE_PORT`]];
  if (host === '' || port === '') return undefined;
  return `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

async function configOf(
  server: string,
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Kubeconfig> {
  const [token, authority] = [join(folder, 'token'), join(folder, 'ca.crt')];
  // Without one, those count that the machine trusts.
  const trusted = (await isReadable(authority)) ? { 'certificate-authority': authority } : {};
  const namespace = env['POD_NAMESPACE'] || (await textOf(join(folder, 'namespace')));
  const context = { cluster: NAME, user: NAME, ...(namespace === '' ? {} : { namespace }) };
  return {
    currentContext: NAME,
    clusters: new Map([[NAME, { server, ...trusted }]]),
    users: new Map([[NAME, { tokenFile: token }]]),
    contexts: new Map([[NAME, context]]),
    files: [token],
  };
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

async function isReadable(path: string): Promise<boolean> {
  try {
    await access(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    return '';
  }
}
