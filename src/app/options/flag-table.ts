import type { ProfileName } from '../../names/profile.ts';
import { readBuilt } from './built.ts';

/** What a flag's value is; the names are those that `--help` shows. */
export type FlagType =
  | 'bool'
  | 'string'
  | 'int'
  | 'float'
  | 'float32'
  | 'duration'
  | 'quantity'
  | 'ip'
  | 'portRange'
  | 'Level'
  | 'version'
  | 'strings'
  | 'stringArray'
  | 'namedCertKey'
  | 'pattern=level'
  | 'mapStringString'
  | 'stringToString'
  | 'colonSeparatedMultimapStringString';

/** One flag as `schemas/flags.yaml` describes it; the file's head explains the columns. */
export interface FlagRow {
  readonly type: FlagType;
  readonly short?: string;
  readonly default?: string;
  readonly values?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: string;
  readonly unique?: true;
  readonly whole?: true;
  readonly requires?: readonly string[];
  readonly excludes?: readonly string[];
  readonly deprecated?: string;
  readonly later?: string;
  readonly laterValues?: Readonly<Record<string, string>>;
  readonly unused?: string;
  readonly ours?: true;
  readonly differs?: string;
  readonly usage: string;
}

/** All flags, in the sections that `--help` shows. */
export interface FlagTable {
  /** What is still to come, by the key that rows name. */
  readonly later: Readonly<Record<string, string>>;
  readonly sections: Readonly<Record<string, Readonly<Record<string, FlagRow>>>>;
}

/** The table's rows by flag name. */
export function rowsOf(table: FlagTable): ReadonlyMap<string, FlagRow> {
  return new Map(Object.values(table.sections).flatMap((rows) => Object.entries(rows)));
}

/** Reads the flag table, in a profile's names. @throws Error when the schemas have not been built. */
export function loadFlagTable(profile: ProfileName): FlagTable {
  return readBuilt(profile, 'flags') as FlagTable;
}
