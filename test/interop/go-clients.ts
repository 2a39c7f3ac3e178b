import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const PROGRAMS = join(import.meta.dirname, '../../.tools');

/** Finds Go. @returns undefined, and says so, where there is none. */
export function findGo(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/go/bin'];
  const go = folders.map((folder) => join(folder, 'go')).find(isExecutable);
  if (go === undefined) console.log('    skipped: there is no Go here');
  return go;
}

/** Builds the clients in `client-go/`. @returns the program; undefined where there is no Go. */
export function buildGoClients(): string | undefined {
  return buildGo('client-go');
}

/** Builds a program in Go. @param folder beside this file. @returns the program; undefined where there is no Go. */
export function buildGo(folder: string): string | undefined {
  const go = findGo();
  if (go === undefined) return undefined;
  const program = join(PROGRAMS, folder);
  const cwd = join(import.meta.dirname, folder);
  const built = spawnSync(go, ['build', '-trimpath', '-o', program, '.'], { cwd, encoding: 'utf8' });
  assert.equal(built.status, 0, built.stderr);
  return program;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
