import type { AuthorizationRequest, Decision, SingleAuthorizer } from '../authorizer.ts';
import type { WhenKnown } from '../../store/following.ts';
import type { Binding, RoleRef, Subject } from './policy.ts';
import type { Applied, PolicyIndex } from './policy-index.ts';

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
  const missing = new Set<string>();
  let granting: Applied | undefined;
  index.visit(user, info.isResourceRequest ? info.namespace : '', (applied) => {
    if (applied.rules === undefined)
      missing.add(`${describeRole(applied.binding.role, rbacGroup)} not found`);
    else if (applied.rules.allows(info)) granting = applied;
    return granting !== undefined;
  });
  if (granting !== undefined) return { verdict: 'allow', reason: describeGrant(granting) };
  return { verdict: 'noOpinion', reason: missing.size === 0 ? '' : `RBAC: ${joined([...missing])}` };
}

function describeGrant({ binding, subject }: Applied): string {
  return `RBAC: allowed by ${describeBinding(binding)} of ${binding.role.kind} ${quote(binding.role.name)} to ${describeSubject(subject, binding)}`;
}

function describeBinding({ namespace, name }: Binding): string {
  return namespace === ''
    ? `ClusterRoleBinding ${quote(name)}`
    : `RoleBinding ${quote(`${name}/${namespace}`)}`;
}

function describeSubject({ kind, name, namespace }: Subject, binding: Binding): string {
  const of = kind === 'ServiceAccount' ? `${name}/${namespace || binding.namespace}` : name;
  return `${kind} ${quote(of)}`;
}

function describeRole({ kind, name }: RoleRef, rbacGroup: string): string {
  return `${kind.toLowerCase()}.${rbacGroup} ${quote(name)}`;
}

function joined(texts: readonly string[]): string {
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
