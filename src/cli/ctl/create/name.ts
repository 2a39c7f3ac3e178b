import { UsageError } from '../errors.ts';

/** The one argument of commands that create an object. @throws UsageError for none, and for more. */
export function requireName(args: readonly string[]): string {
  const [name, more] = args;
  if (name === undefined || more !== undefined)
    throw new UsageError(`exactly one NAME is required, got ${args.length}`);
  return name;
}

/** @throws UsageError when flags that must be there aren't. */
export function requireFlags(flags: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  const missing = names.filter((name) => isEmpty(flags[name]));
  if (missing.length === 0) return;
  throw new UsageError(`required flag(s) ${missing.map((name) => JSON.stringify(name)).join(', ')} not set`);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
