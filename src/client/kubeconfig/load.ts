import { readFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { ConfigError } from '../config-error.ts';
import type { Kubeconfig } from './kubeconfig.ts';
import { parseKubeconfig } from './parse.ts';

export interface LoadKubeconfigOptions {
  /** The one file to read, which must be there; else those that `KUBECONFIG` lists, else `~/.kube/config`. */
  readonly path?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
}

/** More than any configuration that people or programs write. */
const MAX_BYTES = 64 << 20;

/**
 * Reads the files that make the configuration and merges them: of entries with the same name, and of current contexts,
 * the first counts. Files that a list names and that don't exist are passed over; where none exists, the result is empty.
 *
 * @throws ConfigError for a file that is named alone and missing, can't be read, or is damaged.
 */
export async function loadKubeconfig(options: LoadKubeconfigOptions = {}): Promise<Kubeconfig> {
  const { path, env = process.env, cwd = process.cwd() } = options;
  const required = path !== undefined && path !== '';
  const paths = required ? [path] : listed(env);
  const read = await Promise.all(paths.map((one) => readOne(resolve(cwd, one), required)));
  return mergeKubeconfigs(read.filter((one) => one !== undefined));
}

/** Merges configurations; the first that says something counts. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const lastFirst = [...configs].reverse();
  return {
    currentContext: configs.find(({ currentContext }) => currentContext !== '')?.currentContext ?? '',
    clusters: new Map(lastFirst.flatMap(({ clusters }) => [...clusters])),
    users: new Map(lastFirst.flatMap(({ users }) => [...users])),
    contexts: new Map(lastFirst.flatMap(({ contexts }) => [...contexts])),
    files: configs.flatMap(({ files }) => files),
  };
}

function listed(env: Readonly<Record<string, string | undefined>>): string[] {
  const paths = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  if (paths.length > 0) return [...new Set(paths)];
  const home = env['HOME'];
  return home === undefined || home === '' ? [] : [join(home, '.kube', 'config')];
}

async function readOne(path: string, required: boolean): Promise<Kubeconfig | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !required) return undefined;
    throw new ConfigError(
      code === 'ENOENT'
        ? `there is no config file ${JSON.stringify(path)}`
        : `error loading config file ${JSON.stringify(path)}: ${message}`,
      { hint: 'Name another one with --kubeconfig or $KUBECONFIG.', cause },
    );
  }
  if (bytes.length > MAX_BYTES) {
    throw new ConfigError(
      `error loading config file ${JSON.stringify(path)}: it is larger than ${MAX_BYTES} bytes`,
    );
  }
  return parseKubeconfig(bytes.toString('utf8'), path);
}
