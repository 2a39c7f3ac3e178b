import { join } from 'node:path';
import { nameTranslator, type NameList, type NameTranslator } from '../../src/names/translate.ts';
import { readYaml } from './source.ts';

/** Takes a group or `x-…` name of `schemas/` to the name that a profile has for it; other names stay. */
export type Translator = (name: string) => string;

/** A naming profile as the build sees it. */
export interface BuildProfile {
  readonly names: NameList;
  /** From the names that `schemas/` is written in, which are those of the default profile. */
  readonly translator: NameTranslator;
}

/** Reads `schemas/names/`. @throws Error when the profiles don't list the same identifiers. */
export function readProfiles(directory: string): ReadonlyMap<string, BuildProfile> {
  const lists = new Map<string, NameList>();
  for (const name of ['orch', 'kubernetes']) {
    lists.set(name, readYaml(join(directory, `${name}.yaml`)) as NameList);
  }
  const source = lists.get('orch') as NameList;
  return new Map(
    [...lists].map(([name, names]) => [name, { names, translator: nameTranslator(source, names) }]),
  );
}
