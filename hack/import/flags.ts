import type { FlagRow } from '../../src/app/options/flag-table.ts';

/** `flags.json` of the interface facts, as far as it is read. */
export interface FactFlags {
  readonly flags: Readonly<Record<string, readonly FactFlag[]>>;
}

export interface FactFlag {
  readonly name: string;
  readonly type: string;
  readonly short?: string;
  readonly default?: string;
  readonly deprecated?: boolean;
}

/** `schemas/flags.yaml`. */
export interface FlagSource {
  readonly later: Readonly<Record<string, string>>;
  readonly sections: Readonly<Record<string, Readonly<Record<string, FlagRow>>>>;
}

/** How the facts call types that have another name here. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  'version[=true]': 'version',
  'pattern=N,...': 'pattern=level',
};

/** What differs between the facts and the table without the table saying so, a sentence each. */
export function compareFlags(
  facts: FactFlags,
  source: FlagSource,
  translate: (text: string) => string,
): string[] {
  const differences: string[] = [];
  const known = new Set<string>();
  for (const [section, flags] of Object.entries(facts.flags)) {
    for (const flag of flags) {
      known.add(flag.name);
      const row = source.sections[section]?.[flag.name];
      if (row === undefined) differences.push(`--${flag.name} is missing in ${section}`);
      else differences.push(...compareRow(flag, row, translate));
    }
  }
  for (const rows of Object.values(source.sections)) {
    for (const [name, row] of Object.entries(rows)) {
      if (row.ours === known.has(name))
        differences.push(`--${name} is ${row.ours ? '' : 'not '}in the facts`);
    }
  }
  return differences;
}

function compareRow(flag: FactFlag, row: FlagRow, translate: (text: string) => string): string[] {
  const differs = row.differs?.split(':')[0];
  const columns = [
    ['type', TYPE_NAMES[flag.type] ?? flag.type, row.type],
    ['short', flag.short, row.short],
    ['default', flag.default, row.default === undefined ? undefined : translate(row.default)],
    ['deprecated', flag.deprecated === true, row.deprecated !== undefined],
  ] as const;
  return columns.flatMap(([column, fact, ours]) =>
    fact === ours || differs === column
      ? []
      : [`--${flag.name}: ${column} is ${String(fact)} in the facts, ${String(ours)} here`],
  );
}
