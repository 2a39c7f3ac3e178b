import { join } from 'node:path';
import { BUILT_SCHEMAS, readBuiltFile } from '../lib/built.ts';
import type { ProfileName } from '../names/profile.ts';
import type { IndexFile, TypesFile } from './index-format.ts';
import type { SchemaRegistry } from './model.ts';
import { BuiltInRegistry, isStable, type Enabled } from './registry.ts';
import { TypeLibrary } from './types.ts';

export interface LoadOptions {
  /** Holds one folder per profile; by default that which the build makes, for sources and built files alike. */
  readonly directory?: string;
  readonly profile: ProfileName;
  /** By default stable versions are served. */
  readonly enabled?: Enabled;
  /** Whether a feature gate is on; by default none is. */
  readonly gate?: (name: string) => boolean;
}

/**
 * The registry of the built-in resources of a profile. Reads the index only; the types of a group-version are read when
 * the first of them is asked for.
 *
 * @throws Error when the schemas have not been built (`npm run build:schemas`) or are damaged.
 */
export function loadSchemas(options: LoadOptions): SchemaRegistry {
  const { directory = BUILT_SCHEMAS, profile, enabled = isStable, gate = () => false } = options;
  const folder = join(directory, profile);
  const index = readBuiltFile(join(folder, 'index.json')) as IndexFile;
  const types = new TypeLibrary(index.packages, (file) => readBuiltFile(join(folder, file)) as TypesFile);
  return new BuiltInRegistry(index, types, { enabled, gate });
}
