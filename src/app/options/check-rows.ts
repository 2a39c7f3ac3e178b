import type { FlagRow, FlagTable } from './flag-table.ts';
import type { FlagValue } from './flag-types.ts';
import type { FlagValues } from './flag-values.ts';

/** What the table itself forbids: values out of bounds, flags that miss or exclude each other. All of it, a sentence each. */
export function checkRows(values: FlagValues): string[] {
  const problems: string[] = [];
  const given = new Set([...values.given()].map(([name]) => name));
  for (const [name, row, value] of values.given()) {
    problems.push(...checkValue(name, row, value));
    for (const other of row.requires ?? []) {
      if (!given.has(other)) problems.push(`--${name} needs --${other}`);
    }
    for (const pattern of row.excludes ?? []) {
      for (const other of matches(pattern, given)) problems.push(`--${name} can't be given with --${other}`);
    }
  }
  return problems;
}

/** What users are told about flags that are accepted and do less than they say. */
export function warnings(table: FlagTable, values: FlagValues): string[] {
  const told: string[] = [];
  for (const [name, row, value] of values.given()) {
    if (row.deprecated !== undefined) told.push(`--${name} is deprecated: ${row.deprecated}`);
    if (row.unused !== undefined) told.push(`--${name} has no effect: ${row.unused}`);
    const comes = (part: string): string => `has no effect yet: it comes with ${table.later[part] ?? part}`;
    if (row.later !== undefined) told.push(`--${name} ${comes(row.later)}`);
    for (const item of itemsOf(value)) {
      const part = row.laterValues?.[item];
      if (part !== undefined) told.push(`--${name}=${item} ${comes(part)}`);
    }
  }
  return told;
}

function checkValue(name: string, row: FlagRow, value: FlagValue): string[] {
  if (typeof value === 'number') return checkBounds(name, row, value);
  const items = itemsOf(value);
  const problems = items.flatMap((item) => checkItem(name, row, item));
  const twice = row.unique ? items.find((item, index) => items.indexOf(item) !== index) : undefined;
  if (twice !== undefined) problems.push(`--${name} holds ${twice} twice`);
  return problems;
}

/** The texts that a flag holds. */
function itemsOf(value: FlagValue): readonly string[] {
  if (Array.isArray(value)) return value as readonly string[];
  return typeof value === 'string' ? [value] : [];
}

function checkBounds(name: string, { type, min, max }: FlagRow, value: number): string[] {
  const unit = type === 'duration' ? 'ms' : '';
  if (min !== undefined && value < min)
    return [`--${name} must be at least ${min}${unit}, not ${value}${unit}`];
  if (max !== undefined && value > max)
    return [`--${name} must be at most ${max}${unit}, not ${value}${unit}`];
  return [];
}

function checkItem(name: string, { values, pattern }: FlagRow, item: string): string[] {
  if (values !== undefined && !values.includes(item)) {
    return [`--${name} can't be ${JSON.stringify(item)}, but ${values.join(', ')}`];
  }
  if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`).test(item)) {
    return [`--${name} can't be ${JSON.stringify(item)}: it must match ${pattern}`];
  }
  return [];
}

function matches(pattern: string, names: ReadonlySet<string>): string[] {
  if (!pattern.endsWith('*')) return names.has(pattern) ? [pattern] : [];
  return [...names].filter((name) => name.startsWith(pattern.slice(0, -1)));
}
