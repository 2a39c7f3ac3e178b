import type { UserInfo } from './context.ts';

const NODES = 'system:nodes';
const PREFIX = 'system:node:';

/** The node whose agent a user is: `system:node:<name>` in the group `system:nodes`. Undefined for everybody else; '' where the name is missing. */
export function nodeNameOf({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(PREFIX) && groups.includes(NODES) ? name.slice(PREFIX.length) : undefined;
}
