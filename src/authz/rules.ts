import type { UserInfo } from '../request/context.ts';
import type { SingleAuthorizer } from './authorizer.ts';
import type { PolicyRule } from '../meta/policy-rule.ts';

/** What can be told of the rules that a user has in a namespace. */
export interface UserRules {
  readonly rules: readonly PolicyRule[];
  /** There may be more than can be listed. */
  readonly incomplete: boolean;
  /** What kept rules from being listed. */
  readonly problems: readonly string[];
}

/** Lists the rules of a user in a namespace, those of the cluster included. */
export type RulesFor = (user: UserInfo, namespace: string) => UserRules;

/** One mode of authorization: it decides, and tells its rules. */
export interface AuthorizationMode {
  readonly authorize: SingleAuthorizer;
  readonly rulesFor: RulesFor;
}

export const NO_RULES: UserRules = { rules: [], incomplete: false, problems: [] };

/** The rules of a mode that lists all that it has. */
export function allRules(rules: readonly PolicyRule[]): UserRules {
  return { ...NO_RULES, rules };
}

/** The rules of several modes. */
export function joinRules(modes: readonly RulesFor[]): RulesFor {
  return function rulesFor(user, namespace) {
    const all = modes.map((one) => one(user, namespace));
    return {
      rules: all.flatMap(({ rules }) => rules),
      incomplete: all.some(({ incomplete }) => incomplete),
      problems: all.flatMap(({ problems }) => problems),
    };
  };
}
