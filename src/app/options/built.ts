import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProfileName } from '../../names/profile.ts';

/** `src/app/options/` and `dist/app/options/` are equally far from it. */
const BUILT = join(import.meta.dirname, '..', '..', '..', 'dist', 'schemas');

/**
 * Reads a table that the build made from `schemas/`, in a profile's names.
 *
 * @throws Error when the schemas have not been built.
 */
export function readBuilt(profile: ProfileName, table: string): unknown {
  const path = join(BUILT, profile, `${table}.json`);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`cannot read ${path}; have the schemas been built (npm run build:schemas)?`, { cause });
  }
  return JSON.parse(text);
}
