import { mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { delimiter, dirname, resolve } from 'node:path';
import { Document, isMap, parseDocument } from 'yaml';
import type { CommandContext } from '../context.ts';
import { CtlError } from '../errors.ts';

/** The three lists of a configuration, and what an item of each is called. */
export const SECTIONS = { clusters: 'cluster', contexts: 'context', users: 'user' } as const;
export type Section = keyof typeof SECTIONS;

/** One file of a configuration; comments and order outlive changes. */
export class KubeconfigFile {
  /** Absolute. */
  readonly path: string;
  /** As the user wrote it. */
  readonly name: string;
  readonly exists: boolean;
  readonly document: Document;

  constructor(place: KubeconfigPlace, text: string | undefined) {
    this.path = place.path;
    this.name = place.name;
    this.exists = text !== undefined;
    this.document = parseFile(place.name, text ?? '');
  }

  /** Writes the file as a whole or not at all, for its owner's eyes only. */
  async save(): Promise<void> {
    const target = await realpath(this.path).catch(() => this.path);
    await mkdir(dirname(target), { recursive: true, mode: 0o750 });
    await writeFile(`${target}.new`, this.document.toString({ lineWidth: 0 }), { mode: 0o600 });
    await rename(`${target}.new`, target);
  }
}

function parseFile(path: string, text: string): Document {
  const document = parseDocument(text, { version: '1.1' });
  const [error] = document.errors;
  if (error !== undefined) {
    throw new CtlError(`error loading config file ${JSON.stringify(path)}: ${error.message.split('\n')[0]}`, {
      hint: 'Mend the file, or name another one with --kubeconfig.',
    });
  }
  if (document.contents === null) return emptyDocument();
  if (!isMap(document.contents)) {
    throw new CtlError(`error loading config file ${JSON.stringify(path)}: it holds no configuration`);
  }
  return document;
}

function emptyDocument(): Document {
  return new Document({
    apiVersion: 'v1',
    kind: 'Config',
    preferences: {},
    clusters: [],
    contexts: [],
    users: [],
    'current-context': '',
  });
}

/** Where a file of a configuration is. */
export interface KubeconfigPlace {
  readonly path: string;
  readonly name: string;
}

/** The files that make the configuration: the flag's, those of KUBECONFIG, or the one in the home directory. */
export function kubeconfigPlaces({ globals, env, cwd }: CommandContext): KubeconfigPlace[] {
  const { kubeconfig } = globals;
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  const names =
    kubeconfig !== undefined && kubeconfig !== ''
      ? [kubeconfig]
      : listed.length > 0
        ? [...new Set(listed)]
        : [`${env['HOME'] ?? ''}/.kube/config`];
  return names.map((name) => ({ name, path: resolve(cwd, name) }));
}

/** @throws CtlError for a file that is there and can't be read. */
export async function readKubeconfigFile(place: KubeconfigPlace): Promise<KubeconfigFile> {
  try {
    return new KubeconfigFile(place, await readFile(place.path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new KubeconfigFile(place, undefined);
    if (error instanceof CtlError) throw error;
    throw new CtlError(
      `error loading config file ${JSON.stringify(place.name)}: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
}
