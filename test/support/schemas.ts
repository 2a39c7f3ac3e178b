import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadNames } from '../../src/names/load.ts';
import type { NamingProfile, ProfileName } from '../../src/names/profile.ts';
import { loadSchemas } from '../../src/schema/load.ts';
import type { SchemaRegistry } from '../../src/schema/model.ts';

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

/** A file of facts about the reference server, in `kubernetes` names. */
export function readFact<T>(name: string): T {
  const path = join(import.meta.dirname, '..', 'fixtures', 'facts', name);
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}
