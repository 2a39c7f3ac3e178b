import { isUtf8 } from 'node:buffer';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { defineFlags } from '../flags/flag.ts';
import { CtlError } from '../errors.ts';

/** Where the values of a config map or a secret come from. */
export const KEY_VALUE_FLAGS = defineFlags({
  'from-literal': { type: 'list', help: 'KEY=VALUE; can be repeated.' },
  'from-file': {
    type: 'list',
    completes: 'files',
    help: 'A file, as [KEY=]FILE, or all files of a folder; can be repeated.',
  },
  'from-env-file': { type: 'list', completes: 'files', help: 'A file of lines KEY=VALUE; can be repeated.' },
});

export interface KeyValueChoice {
  readonly 'from-literal': readonly string[];
  readonly 'from-file': readonly string[];
  readonly 'from-env-file': readonly string[];
}

/** @throws CtlError for what can't be read, and for keys that come twice. */
export async function readKeyValues(cwd: string, choice: KeyValueChoice): Promise<Map<string, Buffer>> {
  const { 'from-literal': literals, 'from-file': files, 'from-env-file': lists } = choice;
  if (lists.length > 0 && literals.length + files.length > 0) {
    throw new CtlError('from-env-file cannot be combined with from-file or from-literal');
  }
  const values = new Map<string, Buffer>();
  const add = (key: string, value: Buffer): void => {
    if (!/^[-._a-zA-Z0-9]{1,253}$/.test(key))
      throw new CtlError(`${JSON.stringify(key)} is not a valid key name`);
    if (values.has(key))
      throw new CtlError(`cannot add key ${JSON.stringify(key)}, another key by that name already exists`);
    values.set(key, value);
  };
  for (const literal of literals) add(...pairOf(literal, 'literal source'));
  for (const file of files) await addFile(resolve(cwd), file, add);
  for (const list of lists) {
    const text = (await read(resolve(cwd, list))).toString('utf8');
    for (const line of text.split(/\r?\n/)) {
      const entry = line.trimStart();
      if (entry !== '' && !entry.startsWith('#')) add(...pairOf(entry, 'line'));
    }
  }
  return values;
}

/** Values that are texts, and those that aren't, in base64. */
export function splitByText(values: ReadonlyMap<string, Buffer>): {
  readonly texts: Record<string, string>;
  readonly others: Record<string, string>;
} {
  const [texts, others]: [Record<string, string>, Record<string, string>] = [{}, {}];
  for (const [key, value] of values) {
    if (isUtf8(value)) texts[key] = value.toString('utf8');
    else others[key] = value.toString('base64');
  }
  return { texts, others };
}

function pairOf(text: string, what: string): [string, Buffer] {
  const equals = text.indexOf('=');
  if (equals <= 0) throw new CtlError(`invalid ${what} ${text}, expected key=value`);
  return [text.slice(0, equals), Buffer.from(text.slice(equals + 1))];
}

async function addFile(
  cwd: string,
  source: string,
  add: (key: string, value: Buffer) => void,
): Promise<void> {
  const equals = source.indexOf('=');
  const path = resolve(cwd, source.slice(equals + 1));
  if (equals >= 0) return add(source.slice(0, equals), await read(path));
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return add(basename(path), await read(path));
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isFile()) add(entry.name, await read(join(path, entry.name)));
  }
}

async function read(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new CtlError(`error reading ${path}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}
