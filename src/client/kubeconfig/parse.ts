import { dirname, resolve } from 'node:path';
import { ConfigError } from '../config-error.ts';
import type { ClusterEntry, ContextEntry, Kubeconfig, UserEntry } from './kubeconfig.ts';

type Fields = Readonly<Record<string, unknown>>;
type FieldType = 'text' | 'switch' | 'texts' | 'object' | 'list';

const CLUSTER: Readonly<Record<string, FieldType>> = {
  server: 'text',
  'tls-server-name': 'text',
  'insecure-skip-tls-verify': 'switch',
  'certificate-authority': 'text',
  'certificate-authority-data': 'text',
  'proxy-url': 'text',
  'disable-compression': 'switch',
  extensions: 'list',
};
const CONTEXT: Readonly<Record<string, FieldType>> = { cluster: 'text', user: 'text', namespace: 'text' };
const USER: Readonly<Record<string, FieldType>> = {
  'client-certificate': 'text',
  'client-certificate-data': 'text',
  'client-key': 'text',
  'client-key-data': 'text',
  token: 'text',
  tokenFile: 'text',
  username: 'text',
  password: 'text',
  as: 'text',
  'as-uid': 'text',
  'as-groups': 'texts',
  'as-user-extra': 'object',
  exec: 'object',
  'auth-provider': 'object',
};
/** Fields that name files, seen from where the configuration is. */
const PATHS = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

/**
 * Reads one file of a configuration.
 *
 * @param path of the file: names of files in it are seen from there.
 * @throws ConfigError for what is no configuration, with the place of the mistake.
 */
export async function parseKubeconfig(text: string, path: string): Promise<Kubeconfig> {
  const document = await parseYaml(text, path);
  if (document === null || document === undefined) return emptyKubeconfig(path);
  if (!isObject(document)) throw broken(path, 'it holds no configuration');
  const { kind, 'current-context': current } = document;
  if (kind !== undefined && kind !== 'Config')
    throw broken(path, `it holds a ${describe(kind)}, not a Config`);
  const folder = dirname(path);
  return {
    currentContext: typeof current === 'string' ? current : '',
    clusters: readEntries<ClusterEntry>(document, {
      list: 'clusters',
      item: 'cluster',
      fields: CLUSTER,
      path,
      folder,
    }),
    users: readEntries<UserEntry>(document, { list: 'users', item: 'user', fields: USER, path, folder }),
    contexts: readEntries<ContextEntry>(document, {
      list: 'contexts',
      item: 'context',
      fields: CONTEXT,
      path,
      folder,
    }),
    files: [path],
  };
}

function emptyKubeconfig(path: string): Kubeconfig {
  return { currentContext: '', clusters: new Map(), users: new Map(), contexts: new Map(), files: [path] };
}

/** JSON is what is written by programs and is read without loading the YAML library. */
async function parseYaml(text: string, path: string): Promise<unknown> {
  if (text.startsWith('{')) {
    try {
      return JSON.parse(text);
    } catch {
      // Flow style YAML, or damaged: YAML's parser tells where.
    }
  }
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { version: '1.1' });
  const [error] = document.errors;
  if (error !== undefined) throw broken(path, error.message.split('\n')[0] ?? '', error);
  return document.toJS();
}

interface EntryOptions {
  readonly list: string;
  readonly item: string;
  readonly fields: Readonly<Record<string, FieldType>>;
  readonly path: string;
  readonly folder: string;
}

function readEntries<T>(document: Fields, options: EntryOptions): Map<string, T> {
  const { list, item, path } = options;
  const found = new Map<string, T>();
  const entries = document[list] ?? [];
  if (!Array.isArray(entries)) throw broken(path, `${list} is not a list`);
  for (const [index, entry] of entries.entries() as IterableIterator<[number, unknown]>) {
    if (!isObject(entry)) throw broken(path, `${list}[${index}] is not an entry with a name`);
    const name = textOf(entry['name']);
    if (name === undefined || name === '') throw broken(path, `${list}[${index}] has no name`);
    const value = entry[item] ?? {};
    if (!isObject(value)) throw broken(path, `${item} of ${list}[${index}] (${name}) is not an object`);
    // The first of a name counts.
    if (!found.has(name)) found.set(name, readFields(value, `${list}[${index}].${item}`, options) as T);
  }
  return found;
}

/** The known fields of an entry; others are ignored, as they may be of a later release. */
function readFields(value: Fields, where: string, { fields, path, folder }: EntryOptions): Fields {
  const known: Record<string, unknown> = {};
  for (const [field, type] of Object.entries(fields)) {
    const given = value[field];
    if (given === undefined || given === null || given === '') continue;
    const read = READERS[type](given);
    if (read === undefined) throw broken(path, `${where}.${field} is not ${NOUNS[type]}`);
    known[field] = PATHS.includes(field) ? resolve(folder, read as string) : read;
  }
  return known;
}

const NOUNS: Readonly<Record<FieldType, string>> = {
  text: 'a string',
  switch: 'true or false',
  texts: 'a list of strings',
  object: 'an object',
  list: 'a list',
};
const READERS: Readonly<Record<FieldType, (value: unknown) => unknown>> = {
  text: textOf,
  switch: (value) => (typeof value === 'boolean' ? value : undefined),
  texts: (value) =>
    Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined,
  object: (value) => (isObject(value) ? value : undefined),
  list: (value) => (Array.isArray(value) ? value : undefined),
};

/** Names and tokens that look like numbers are texts all the same. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  return typeof value === 'string' ? value : typeof value;
}

function broken(path: string, why: string, cause?: unknown): ConfigError {
  return new ConfigError(`error loading config file ${JSON.stringify(path)}: ${why}`, {
    hint: 'Mend the file, or name another one with --kubeconfig or $KUBECONFIG.',
    ...(cause === undefined ? {} : { cause }),
  });
}
