import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiObject } from '../../meta/object.ts';
import type { ProfileName } from '../../names/profile.ts';

/** `src/controllers/bootstrap/` and `dist/controllers/bootstrap/` are equally far from it. */
const BUILT = join(import.meta.dirname, '..', '..', '..', 'dist', 'schemas');

/**
 * Reads the objects that exist from the first start on, in the names of a profile.
 *
 * @param directory holds one folder per profile; by default that which the build makes.
 * @throws Error when the schemas have not been built (`npm run build:schemas`).
 */
export function loadBootstrapObjects(profile: ProfileName, directory = BUILT): ApiObject[] {
  const text = readFileSync(join(directory, profile, 'bootstrap.json'), 'utf8');
  return (JSON.parse(text) as { objects: ApiObject[] }).objects;
}
