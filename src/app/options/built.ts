import { join } from 'node:path';
import { BUILT_SCHEMAS, readBuiltFile } from '../../lib/built.ts';
import type { ProfileName } from '../../names/profile.ts';

/**
 * Reads a table that the build made from `schemas/`, in a profile's names.
 *
 * @throws Error when the schemas have not been built.
 */
export function readBuilt(profile: ProfileName, table: string): unknown {
  return readBuiltFile(join(BUILT_SCHEMAS, profile, `${table}.json`));
}
