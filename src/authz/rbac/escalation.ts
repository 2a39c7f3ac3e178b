import type { UserInfo } from '../../request/context.ts';
import { resourceInfo, type RequestInfo } from '../../request/request-info.ts';
import type { Authorizer } from '../authorizer.ts';
import { describeRules, uncovered } from './covers.ts';
import type { PolicyRule } from '../../meta/policy-rule.ts';
import type { RoleRef } from './policy.ts';
import type { PolicyIndex } from './policy-index.ts';

/** Who wants to hand out what, by writing a role or a binding. */
export interface Grant {
  readonly user: UserInfo;
  /** The verb that lifts the check: `escalate` on the role that is written, `bind` on the one that is bound. */
  readonly verb: 'escalate' | 'bind';
  readonly resource: 'roles' | 'clusterroles';
  /** Where the rules would hold; '' everywhere. */
  readonly namespace: string;
  /** Of the role; '' while it is to be generated. */
  readonly name: string;
}

/**
 * Keeps users from giving more than they have. Everything may be given by `system:masters`, and by whoever may do the
 * grant's verb.
 */
export interface EscalationCheck {
  /** @returns why the user may not grant these rules; undefined: they may. */
  refusal(grant: Grant, rules: readonly PolicyRule[]): Promise<string | undefined>;
  /** @returns the rules of a role that is bound; undefined: there is no such role. */
  rulesOf(role: RoleRef): Promise<readonly PolicyRule[] | undefined>;
  /** Whether nothing of all this is asked of a user. */
  isExempt(user: UserInfo): boolean;
}

const MASTERS = 'system:masters';

export interface EscalationParts {
  readonly index: PolicyIndex;
  /** Resolves once `index` is complete. */
  readonly known: () => Promise<void>;
  readonly authorize: Authorizer;
  readonly rbacGroup: string;
}

export function escalationCheck({ index, known, authorize, rbacGroup }: EscalationParts): EscalationCheck {
  return {
    async refusal(grant, rules) {
      const { verdict } = await authorize({ user: grant.user, info: infoOf(grant, rbacGroup) });
      if (verdict === 'allow') return undefined;
      await known();
      return refuse(grant.user, rulesFor(index, grant.user, grant.namespace), rules);
    },
    async rulesOf(role) {
      await known();
      return index.rulesOf(role)?.rules;
    },
    isExempt: ({ groups }) => groups.includes(MASTERS),
  };
}

/** All rules that a user has in a namespace, those of the cluster included. */
export function rulesFor(index: PolicyIndex, user: UserInfo, namespace: string): PolicyRule[] {
  const held: PolicyRule[] = [];
  index.visit(user, namespace, ({ rules }) => {
    if (rules !== undefined) held.push(...rules.rules);
    return false;
  });
  return held;
}

function refuse(
  user: UserInfo,
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): string | undefined {
  const who = `user ${JSON.stringify(user.name)} (groups=${JSON.stringify(user.groups)})`;
  try {
    const beyond = describeRules(uncovered(held, wanted));
    if (beyond.length === 0) return undefined;
    return `${who} is attempting to grant RBAC permissions not currently held:\n${beyond.join('\n')}`;
  } catch (error) {
    if (error instanceof RangeError) return `${who} can not grant this: ${error.message}`;
    throw error;
  }
}

function infoOf({ verb, resource, namespace, name }: Grant, group: string): RequestInfo {
  return resourceInfo({ verb, group, version: '*', resource, namespace, name });
}
