import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Makes a folder hold exactly these files. Equal ones are left alone and others replaced whole, so that readers at the same time see one or the other. */
export function writeFolder(folder: string, files: ReadonlyMap<string, string>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of files) {
    const path = join(folder, name);
    if (existsSync(path) && readFileSync(path, 'utf8') === content) continue;
    writeFileSync(`${path}.${process.pid}`, content);
    renameSync(`${path}.${process.pid}`, path);
  }
  for (const name of readdirSync(folder))
    if (name.endsWith('.json') && !files.has(name)) rmSync(join(folder, name));
}
