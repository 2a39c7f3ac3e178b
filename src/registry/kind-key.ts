import type { ResourceDefinition } from '../schema/model.ts';

const BUILT_IN = 'io.k8s.';

/**
 * Identifies a built-in kind in every version and naming profile: package and kind, e.g. `apps.Deployment`. Kinds of
 * two groups that are the same kind share one key.
 *
 * @returns undefined for kinds that are not built in.
 */
export function kindKey(resource: ResourceDefinition): string | undefined {
  const typeName = resource.type.name;
  if (!typeName.startsWith(BUILT_IN)) return undefined;
  const [kind = '', , group = ''] = typeName.split('.').reverse();
  const key = `${group}.${kind}`;
  return ALIASES[key] ?? key;
}

const ALIASES: Record<string, string> = { 'events.Event': 'core.Event' };
