import { Pacer } from '../../lib/pacer.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import type { AuthorizationRequest } from '../authorizer.ts';
import type { PolicyRule } from '../../meta/policy-rule.ts';
import { ALL } from '../rbac/policy.ts';
import type { Applied } from '../rbac/applied.ts';
import type { PolicyIndex } from '../rbac/policy-index.ts';

/** What of a request a rule doesn't cover. */
export type Miss = 'verb' | 'apiGroup' | 'resource' | 'resourceName' | 'path' | 'namespace' | 'role';

/** A rule that a user has, and what of a request it doesn't cover; nothing where it allows it. */
export interface NearRule {
  readonly applied: Applied;
  /** Undefined where the role doesn't exist. */
  readonly rule: PolicyRule | undefined;
  readonly misses: readonly Miss[];
}

const MOST_TOLD = 3;
/** A rule that misses more is about something else. */
const MOST_MISSES = 2;

/** The first rule that allows a request, if one does. */
export function grantingRule(index: PolicyIndex, { user, info }: AuthorizationRequest): NearRule | undefined {
  let found: NearRule | undefined;
  index.visit(user, scopeOf(info), (applied) => {
    const rule = applied.rules?.rules.find((one) => missesOf(one, info).length === 0);
    if (rule !== undefined) found = { applied, rule, misses: [] };
    return found !== undefined;
  });
  return found;
}

/**
 * The rules that come nearest to allowing a request: those that miss the least, those that hold in other namespaces, and
 * bindings whose role doesn't exist.
 */
export async function nearestRules(
  index: PolicyIndex,
  { user, info }: AuthorizationRequest,
): Promise<NearRule[]> {
  const found: NearRule[] = [];
  const scope = scopeOf(info);
  index.visit(user, scope, (applied) => {
    found.push(...near(applied, info));
    return false;
  });
  const pacer = new Pacer();
  for (const namespace of index.namespaces()) {
    if (pacer.due()) await pacer.rest();
    if (namespace === '' || namespace === scope || !info.isResourceRequest) continue;
    index.visitNamespace(user, namespace, (applied) => {
      const rule = applied.rules?.rules.find((one) => missesOf(one, info).length === 0);
      if (rule !== undefined) found.push({ applied, rule, misses: ['namespace'] });
      return found.length >= MOST_TOLD * 10;
    });
  }
  return found.sort((a, b) => a.misses.length - b.misses.length).slice(0, MOST_TOLD);
}

function scopeOf(info: RequestInfo): string {
  return info.isResourceRequest ? info.namespace : '';
}

function near(applied: Applied, info: RequestInfo): NearRule[] {
  if (applied.rules === undefined) return [{ applied, rule: undefined, misses: ['role'] }];
  return applied.rules.rules
    .map((rule) => ({ applied, rule, misses: missesOf(rule, info) }))
    .filter(({ misses }) => misses.length <= MOST_MISSES);
}

/** What of a request a rule doesn't cover. Rules about paths and about resources miss everything of each other. */
export function missesOf(rule: PolicyRule, info: RequestInfo): Miss[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const misses: Miss[] = [];
  if (!has(verbs, info.verb)) misses.push('verb');
  if (!info.isResourceRequest) {
    if (!nonResourceURLs.some((url) => coversPath(url, info.path))) misses.push('path');
    return resources.length > 0 && nonResourceURLs.length === 0 ? EVERYTHING : misses;
  }
  if (resources.length === 0) return EVERYTHING;
  if (!has(apiGroups, info.group)) misses.push('apiGroup');
  if (!coversResource(resources, info)) misses.push('resource');
  if (resourceNames.length > 0 && !resourceNames.includes(info.name)) misses.push('resourceName');
  return misses;
}

const EVERYTHING: Miss[] = ['verb', 'apiGroup', 'resource', 'path'];

function has(values: readonly string[], value: string): boolean {
  return values.includes(ALL) || values.includes(value);
}

function coversResource(resources: readonly string[], { resource, subresource }: RequestInfo): boolean {
  if (subresource === '') return has(resources, resource);
  return has(resources, `${resource}/${subresource}`) || resources.includes(`${ALL}/${subresource}`);
}

function coversPath(url: string, path: string): boolean {
  return url === path || (url.endsWith(ALL) && path.startsWith(url.replace(/\*+$/, '')));
}
