import { join } from 'node:path';
import { BUILT_SCHEMAS, readBuiltFile } from '../lib/built.ts';
import type { NamingProfile, ProfileName } from './profile.ts';

export interface LoadNamesOptions {
  readonly profile: ProfileName;
  /** Holds one folder per profile; by default that which the build makes, for sources and built files alike. */
  readonly directory?: string;
}

/**
 * Reads a naming profile, once, at start.
 *
 * @throws Error when the schemas have not been built (`npm run build:schemas`) or are damaged.
 */
export function loadNames({ profile, directory = BUILT_SCHEMAS }: LoadNamesOptions): NamingProfile {
  const path = join(directory, profile, 'names.json');
  return new ListedNames(profile, readBuiltFile(path) as Readonly<Record<string, string>>);
}

/** A profile over the list of its names, identifier to name. */
export class ListedNames implements NamingProfile {
  readonly name: ProfileName;
  readonly #names: ReadonlyMap<string, string>;

  constructor(name: ProfileName, names: Readonly<Record<string, string>>) {
    this.name = name;
    this.#names = new Map(Object.entries(names));
  }

  get(id: string): string {
    const name = this.#names.get(id);
    if (name === undefined) throw new Error(`the ${this.name} naming profile lists no ${id}`);
    return name;
  }

  ids(): readonly string[] {
    return [...this.#names.keys()].sort();
  }
}
