import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What the build makes of `schemas/`: a folder for each naming profile. Sources, built modules and bundled programs are
 * equally far from it.
 */
export const BUILT_SCHEMAS = join(import.meta.dirname, '..', '..', 'dist', 'schemas');

/** Reads one of its files. @throws Error when the schemas have not been built, or are damaged. */
export function readBuiltFile(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`cannot read ${path}; have the schemas been built (npm run build:schemas)?`, { cause });
  }
  return JSON.parse(text);
}
