import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
export function loadNames({ profile, directory = BUILT }: LoadNamesOptions): NamingProfile {
  const path = join(directory, profile, 'names.json');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`cannot read ${path}; have the schemas been built (npm run build:schemas)?`, { cause });
  }
  return new ListedNames(profile, JSON.parse(text) as Readonly<Record<string, string>>);
}

/** `src/names/` and `dist/names/` are equally far from it. */
const BUILT = join(import.meta.dirname, '..', '..', 'dist', 'schemas');

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
