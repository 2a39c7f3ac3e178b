import type { ResourceDefinition } from '../schema/model.ts';
import { isBuiltIn, typeKey } from '../schema/type-key.ts';

/**
 * Identifies a built-in kind in every version and naming profile: package and kind, e.g. `apps.Deployment`. Kinds of
 * two groups that are the same kind share one key.
 *
 * @returns undefined for kinds that are not built in.
 */
export function kindKey({ type }: ResourceDefinition): string | undefined {
  if (!isBuiltIn(type)) return undefined;
  const key = typeKey(type);
  return ALIASES[key] ?? key;
}

const ALIASES: Record<string, string> = { 'events.Event': 'core.Event' };
