import type { AuthorizationRequest } from '../authorizer.ts';
import type { UserInfo } from '../../request/context.ts';

/** One line of a policy file. '' is a property that the line leaves out; `*` stands for everything. */
export interface AttributePolicy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  /** A path; a `*` at the end matches any rest. */
  readonly nonResourcePath: string;
}

/** The group that everybody is in whose name is known. */
export const AUTHENTICATED = 'system:authenticated';

export const ALL = '*';

/** The verbs of a policy that is `readonly`. */
export const READ_VERBS: readonly string[] = ['get', 'list', 'watch'];

/** Whether a policy is for a user. One that names neither user nor group is for nobody. */
export function isFor(policy: AttributePolicy, { name, groups }: UserInfo): boolean {
  const { user, group } = policy;
  if (user !== '' && user !== ALL && user !== name) return false;
  if (group !== '' && group !== ALL && !groups.includes(group)) return false;
  return user !== '' || group !== '';
}

/** Whether a policy allows a request of a user that it is for. */
export function covers(policy: AttributePolicy, { info }: AuthorizationRequest): boolean {
  if (policy.readonly && !READ_VERBS.includes(info.verb)) return false;
  if (!info.isResourceRequest) return matchesPath(policy.nonResourcePath, info.path);
  return (
    matches(policy.namespace, info.namespace) &&
    matches(policy.resource, info.resource) &&
    matches(policy.apiGroup, info.group)
  );
}

export function matches(pattern: string, value: string): boolean {
  return pattern === ALL || pattern === value;
}

function matchesPath(pattern: string, path: string): boolean {
  return pattern === path || (pattern.endsWith(ALL) && path.startsWith(pattern.replace(/\*+$/, '')));
}
