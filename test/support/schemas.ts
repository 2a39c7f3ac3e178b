import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_SCHEMAS, readBuiltFile } from '../../src/lib/built.ts';
import { loadNames } from '../../src/names/load.ts';
import type { NamingProfile, ProfileName } from '../../src/names/profile.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import type { SchemaRegistry } from '../../src/schema/model.ts';
import type { DescriptionTable } from '../../src/schema/openapi/descriptions.ts';

/** Both profiles, for tests that hold in each. */
export const PROFILES: readonly ProfileName[] = ['orch', 'kubernetes'];

/** What the facts were recorded with: the default settings, or every version and gate switched on. */
export type Setting = 'default' | 'all';

/** The built schemas of a profile under a setting. */
export function openSchemas(
  profile: ProfileName,
  setting: Setting = 'default',
): { registry: SchemaRegistry; names: NamingProfile } {
  const everything = { enabled: () => true, gate: () => true };
  return {
    registry: loadSchemas({ profile, ...(setting === 'all' ? everything : {}) }),
    names: loadNames({ profile }),
  };
}

/** What the build made of `schemas/descriptions/`. */
export function readDescriptions(profile: ProfileName): DescriptionTable {
  return readBuiltFile(join(BUILT_SCHEMAS, profile, 'descriptions.json')) as DescriptionTable;
}

/** A file of facts about the reference server, in `kubernetes` names. */
export function readFact<T>(name: string): T {
  const path = join(import.meta.dirname, '..', 'fixtures', 'facts', name);
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}
