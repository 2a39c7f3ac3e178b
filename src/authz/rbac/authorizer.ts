import {
  NO_OPINION,
  type AuthorizationRequest,
  type Decision,
  type SingleAuthorizer,
} from '../authorizer.ts';
import type { WhenKnown } from '../../store/following.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import type { Applied } from './applied.ts';
import type { RoleRef } from './policy.ts';
import type { PolicyIndex } from './policy-index.ts';

/**
 * Role-based access control: allows what a rule of a bound role allows, and has no opinion on anything else.
 *
 * @param known tells when `index` is complete.
 */
export function rbacAuthorizer(index: PolicyIndex, rbacGroup: string, known: WhenKnown): SingleAuthorizer {
  return (request) => {
    const waiting = known();
    if (waiting === undefined) return decide(index, request, rbacGroup);
    return waiting.then(() => decide(index, request, rbacGroup));
  };
}

function decide(index: PolicyIndex, { user, info }: AuthorizationRequest, rbacGroup: string): Decision {
  const namespace = info.isResourceRequest ? info.namespace : '';
  const granting =
    firstAllowing(index.appliedTo(user, ''), info) ??
    (namespace === '' ? undefined : firstAllowing(index.appliedTo(user, namespace), info));
  if (granting !== undefined) return granting.grant;
  const missing = new Set<string>();
  index.visit(user, namespace, ({ rules, binding }) => {
    if (rules === undefined) missing.add(`${describeRole(binding.role, rbacGroup)} not found`);
    return false;
  });
  return missing.size === 0 ? NO_OPINION : { verdict: 'noOpinion', reason: `RBAC: ${joined([...missing])}` };
}

function firstAllowing(all: readonly Applied[], info: RequestInfo): Applied | undefined {
  for (const applied of all) if (applied.rules?.allows(info) === true) return applied;
  return undefined;
}

function describeRole({ kind, name }: RoleRef, rbacGroup: string): string {
  return `${kind.toLowerCase()}.${rbacGroup} ${JSON.stringify(name)}`;
}

function joined(texts: readonly string[]): string {
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`;
}
