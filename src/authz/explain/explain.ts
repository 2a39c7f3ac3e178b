import type { JsonObject } from '../../meta/object.ts';
import type { UserInfo } from '../../request/context.ts';
import { resourceInfo, type RequestInfo } from '../../request/request-info.ts';
import type { AuthorizationRequest, Decision } from '../authorizer.ts';
import type { PolicyIndex } from '../rbac/policy-index.ts';
import type { RequireAccess } from '../require-access.ts';
import { grantFor } from './grant.ts';
import { grantingRule, nearestRules, type NearRule } from './nearest.ts';

/** What one authorizer says of a request. */
export interface Opinion extends Decision {
  readonly type: string;
  readonly name: string;
}

export interface ExplainParts {
  readonly index: PolicyIndex;
  /** Resolves once `index` is complete. */
  readonly known: () => Promise<void>;
  /** Asks the authorizers in their order, up to the one that decides. */
  readonly opinions: (request: AuthorizationRequest) => Promise<readonly Opinion[]>;
  readonly requireAccess: RequireAccess;
  /** Of the profile. */
  readonly groups: { readonly authorization: string; readonly rbac: string };
}

/**
 * Tells why a request is allowed or not: what each authorizer says, which rule allows it, or which come nearest and what
 * would allow it. For those who may `explain` access reviews; the rules of others are none of anybody else's business.
 *
 * @throws ApiError 403.
 */
export type Explain = (asker: UserInfo, request: AuthorizationRequest) => Promise<JsonObject>;

export function explainer(parts: ExplainParts): Explain {
  const { index, known, opinions, requireAccess, groups } = parts;
  return async function explain(asker, request) {
    await requireAccess(asker, explanationOf(groups.authorization));
    await known();
    const asked = await opinions(request);
    const last = asked.at(-1);
    const allowed = last?.verdict === 'allow';
    const told = { allowed, authorizers: asked.map(tellOpinion) };
    if (allowed) {
      const by = last.type === 'RBAC' ? grantingRule(index, request) : undefined;
      return { ...told, ...(by === undefined ? {} : { by: tellRule(by) }) };
    }
    const nearest = (await nearestRules(index, request)).map(tellRule);
    const helps = last?.verdict !== 'deny' && asked.some(({ type }) => type === 'RBAC');
    return { ...told, nearest, ...(helps ? { grant: grantFor(request, groups.rbac) } : {}) };
  };
}

/** Everywhere: an explanation may name bindings of every namespace. */
function explanationOf(group: string): RequestInfo {
  return resourceInfo({ verb: 'explain', group, version: '*', resource: 'subjectaccessreviews' });
}

function tellOpinion({ type, name, verdict, reason, problem }: Opinion): JsonObject {
  return {
    ...{ type, name, verdict },
    ...(reason === '' ? {} : { reason }),
    ...(problem === undefined ? {} : { problem }),
  };
}

function tellRule({ applied: { binding, subject }, rule, misses }: NearRule): JsonObject {
  const { kind, namespace, name } = binding.role;
  const place = (of: string): JsonObject => (of === '' ? {} : { namespace: of });
  return {
    binding: {
      kind: binding.namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding',
      ...place(binding.namespace),
      name: binding.name,
    },
    subject: { kind: subject.kind, ...place(subject.namespace ?? ''), name: subject.name },
    role: { kind, ...place(namespace), name },
    ...(rule === undefined ? {} : { rule: rule as unknown as JsonObject }),
    ...(misses.length === 0 ? {} : { misses: [...misses] }),
  };
}
