import { glob, readdir, stat } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { CtlError } from '../errors.ts';
import { fetchManifest } from './fetch-manifest.ts';

/** Where manifests come from. */
export interface SourceOptions {
  /** Files, folders, patterns, addresses; `-` is the standard input. */
  readonly filenames: readonly string[];
  /** Whether folders in folders count. */
  readonly recursive: boolean;
  readonly cwd: string;
  readonly stdin: () => AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
}

export interface TextSource {
  /** As the user named it, or found in a folder. */
  readonly name: string;
  read(): Promise<string>;
}

/** What files in folders must be called; files that are named may be called anything. */
const EXTENSIONS: ReadonlySet<string> = new Set(['.json', '.yaml', '.yml']);
/** More than anybody keeps in one folder, less than a mistaken `-R -f /` would read. */
const MAX_FILES = 10_000;
const MAX_BYTES = 128 * 1024 * 1024;

/**
 * Finds what is to be read, in the order in which it was named; folders in the order of names.
 *
 * @throws CtlError when something that was named isn't there: nothing has been done then.
 */
export async function findSources(options: SourceOptions): Promise<TextSource[]> {
  const { filenames } = options;
  if (filenames.filter((name) => name === '-').length > 1)
    throw new CtlError('the standard input can be read only once: -f - was given more than once');
  const found: TextSource[] = [];
  for (const name of filenames) {
    for await (const source of sourcesOf(name, options)) {
      found.push(source);
      if (found.length > MAX_FILES)
        throw new CtlError(`more than ${MAX_FILES} files were found; name fewer of them`);
    }
  }
  return found;
}

async function* sourcesOf(name: string, options: SourceOptions): AsyncGenerator<TextSource> {
  const { cwd, stdin, signal } = options;
  if (name === '-') {
    yield { name: 'STDIN', read: () => readAll('STDIN', stdin()) };
  } else if (/^https?:\/\//i.test(name)) {
    yield { name, read: async () => readAll(name, await fetchManifest(name, signal)) };
  } else {
    const paths = (await exists(resolve(cwd, name))) ? [name] : await matches(name, cwd);
    for (const path of paths) yield* filesOf(path, options);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw unreadable(path, error);
  }
}

/** @throws CtlError when a name is neither a file nor a pattern that matches one. */
async function matches(name: string, cwd: string): Promise<string[]> {
  const paths: string[] = [];
  if (/[*?[]/.test(name)) for await (const path of glob(name, { cwd })) paths.push(path);
  if (paths.length === 0) throw new CtlError(`the path ${JSON.stringify(name)} does not exist`);
  return paths.sort();
}

async function* filesOf(path: string, { recursive, cwd }: SourceOptions): AsyncGenerator<TextSource> {
  const full = resolve(cwd, path);
  if (!(await stat(full)).isDirectory()) {
    yield fileSource(path, full);
    return;
  }
  let count = 0;
  for await (const file of walk(path, cwd, recursive)) {
    count++;
    yield fileSource(file, resolve(cwd, file));
  }
  if (count === 0)
    throw new CtlError(`error reading [${path}]: recognized file extensions are [.json .yaml .yml]`, {
      hint: recursive ? 'There are no such files in it.' : 'With -R, folders in it are read, too.',
    });
}

/** Files of a folder by name. Links to folders are not followed, so that there are no circles. */
async function* walk(folder: string, cwd: string, recursive: boolean): AsyncGenerator<string> {
  let entries;
  try {
    entries = await readdir(resolve(cwd, folder), { withFileTypes: true });
  } catch (error) {
    throw unreadable(folder, error);
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (recursive) yield* walk(path, cwd, recursive);
    } else if (EXTENSIONS.has(extname(entry.name))) yield path;
  }
}

function fileSource(name: string, path: string): TextSource {
  return { name, read: () => readAll(name, createReadStream(path) as AsyncIterable<Uint8Array>) };
}

/** @throws CtlError for what can't be read, is too long, or is no text. */
async function readAll(name: string, chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > MAX_BYTES) throw new CtlError(`${name}: more than ${MAX_BYTES} bytes are not read`);
      parts.push(chunk);
    }
  } catch (error) {
    if (error instanceof CtlError) throw error;
    throw unreadable(name, error);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch (cause) {
    throw new CtlError(`${name}: this is not a text in UTF-8`, { cause });
  }
}

function unreadable(name: string, cause: unknown): CtlError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CtlError(`cannot read ${name}: ${why}`, { cause });
}
