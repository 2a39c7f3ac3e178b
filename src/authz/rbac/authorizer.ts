import {
  NO_OPINION,
  type AuthorizationRequest,
  type Decision,
  type SingleAuthorizer,
} from '../authorizer.ts';
import type { WhenKnown } from '../../store/following.ts';
import type { Binding, RoleRef, Subject } from './policy.ts';
import type { Applied, PolicyIndex } from './policy-index.ts';

/**
 * Role-based access control: allows what a rule of a bound role allows, and has no opinion on anything else.
 *
 * @param known tells when `index` is complete.
 */
export function rbacAuthorizer(index: PolicyIndex, rbacGroup: string, known: WhenKnown): SingleAuthorizer {
  const grants = new Grants();
  return (request) => {
    const waiting = known();
    if (waiting === undefined) return decide(index, request, { grants, rbacGroup });
    return waiting.then(() => decide(index, request, { grants, rbacGroup }));
  };
}

/** Decisions by the subject of a binding that allowed something: each is made once. */
class Grants {
  readonly #decisions = new WeakMap<Subject, Decision>();

  of(granting: Applied): Decision {
    const made = this.#decisions.get(granting.subject);
    if (made !== undefined) return made;
    const decision: Decision = { verdict: 'allow', reason: describeGrant(granting) };
    this.#decisions.set(granting.subject, decision);
    return decision;
  }
}

function decide(
  index: PolicyIndex,
  { user, info }: AuthorizationRequest,
  { grants, rbacGroup }: { readonly grants: Grants; readonly rbacGroup: string },
): Decision {
  let missing: Set<string> | undefined;
  let granting: Applied | undefined;
  index.visit(user, info.isResourceRequest ? info.namespace : '', (applied) => {
    if (applied.rules === undefined) {
      missing ??= new Set();
      missing.add(`${describeRole(applied.binding.role, rbacGroup)} not found`);
    } else if (applied.rules.allows(info)) granting = applied;
    return granting !== undefined;
  });
  if (granting !== undefined) return grants.of(granting);
  return missing === undefined
    ? NO_OPINION
    : { verdict: 'noOpinion', reason: `RBAC: ${joined([...missing])}` };
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
