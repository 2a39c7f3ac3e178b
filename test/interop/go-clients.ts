import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const SOURCE = join(import.meta.dirname, 'client-go');
const PROGRAM = join(import.meta.dirname, '../../.tools/client-go');

/** Finds Go. @returns undefined, and says so, where there is none. */
export function findGo(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/go/bin'];
  const go = folders.map((folder) => join(folder, 'go')).find(isExecutable);
  if (go === undefined) console.log('    skipped: there is no Go here');
  return go;
}

/** Builds the clients in `client-go/`. @returns the program; undefined where there is no Go. */
export function buildGoClients(): string | undefined {
  const go = findGo();
  if (go === undefined) return undefined;
  const built = spawnSync(go, ['build', '-trimpath', '-o', PROGRAM, '.'], { cwd: SOURCE, encoding: 'utf8' });
  assert.equal(built.status, 0, built.stderr);
  return PROGRAM;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
