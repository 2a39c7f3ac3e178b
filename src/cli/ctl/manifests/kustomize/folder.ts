import { readFile, realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { CtlError } from '../../errors.ts';

/** The files that a kustomization may be in. */
const FILE_NAMES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_LAYERS = 64;

/** A folder with a kustomization. Nothing but other such folders is read from outside of it. */
export class Folder {
  /** Without links. */
  readonly root: string;
  /** The folders through which it was reached, itself included. */
  readonly #trail: readonly string[];

  private constructor(root: string, trail: readonly string[]) {
    this.root = root;
    this.#trail = [...trail, root];
  }

  /** @throws CtlError when there is no such folder. */
  static async open(path: string): Promise<Folder> {
    return new Folder(await realFolder(path), []);
  }

  /** A folder that this one names. @throws CtlError for none, and where folders lead into each other in a circle. */
  async enter(path: string): Promise<Folder> {
    const root = await realFolder(resolve(this.root, path));
    const visited = this.#trail.find((other) => isWithin(other, root));
    if (visited !== undefined)
      throw new CtlError(`${this.root}: ${path}: cycle detected: it contains ${visited}, which leads there`);
    if (this.#trail.length >= MAX_LAYERS)
      throw new CtlError(`${root}: more than ${MAX_LAYERS} layers are not built`);
    return new Folder(root, this.#trail);
  }

  /** The kustomization's file and text. @throws CtlError when there is none, or more than one. */
  async kustomization(): Promise<{ file: string; text: string }> {
    const found: { file: string; text: string }[] = [];
    for (const name of FILE_NAMES) {
      const file = resolve(this.root, name);
      try {
        found.push({ file, text: await readFile(file, 'utf8') });
      } catch (error) {
        if (!isMissing(error)) throw unreadable(file, error);
      }
    }
    const [first] = found;
    const names = FILE_NAMES.map((name) => `'${name}'`).join(', ');
    if (first === undefined) throw new CtlError(`unable to find one of ${names} in directory '${this.root}'`);
    if (found.length > 1) throw new CtlError(`Found multiple kustomization files under: ${this.root}`);
    return first;
  }

  /** Whether a path names a folder. */
  async isFolder(path: string): Promise<boolean> {
    try {
      return (await stat(resolve(this.root, path))).isDirectory();
    } catch {
      return false;
    }
  }

  /** Reads a file in or below the folder. @throws CtlError for others: a base from elsewhere must not read what it likes. */
  async read(path: string): Promise<Uint8Array> {
    if (isRemote(path))
      throw new CtlError(`${path}: remote files are not read; fetch them and name the files`);
    const file = resolve(this.root, path);
    try {
      const real = await realpath(file);
      if (!isWithin(real, this.root))
        throw new CtlError(`security; file '${real}' is not in or below '${this.root}'`);
      const { size } = await stat(real);
      if (size > MAX_BYTES) throw new CtlError(`${file}: more than ${MAX_BYTES} bytes are not read`);
      return await readFile(real);
    } catch (error) {
      if (error instanceof CtlError) throw error;
      throw unreadable(file, error);
    }
  }
}

/** Whether a path is an address, or a git repository's. */
export function isRemote(path: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]*:\/\//i.test(path) || /^(?:git@|github\.com[/:])/.test(path) || path.includes('?ref=')
  );
}

async function realFolder(path: string): Promise<string> {
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw unreadable(path, error);
  }
  throw new CtlError(`'${path}' must be a directory with a kustomization`);
}

function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT';
}

function unreadable(path: string, cause: unknown): CtlError {
  if (isMissing(cause)) return new CtlError(`'${path}' doesn't exist`, { cause });
  return new CtlError(`cannot read '${path}': ${cause instanceof Error ? cause.message : String(cause)}`, {
    cause,
  });
}
