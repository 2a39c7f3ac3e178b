import { ALLOW, NO_OPINION, type Decision } from '../authorizer.ts';
import type { PolicyRule } from '../../meta/policy-rule.ts';
import { allRules, type AuthorizationMode } from '../rules.ts';
import { ALL, covers, isFor, matches, READ_VERBS, type AttributePolicy } from './policy.ts';

const NOTHING: Decision = { ...NO_OPINION, reason: 'No policy matched.' };

/** Attribute-based access control: allows what one of the policies of a file allows, and has no opinion on anything else. */
export function attributePolicies(policies: readonly AttributePolicy[]): AuthorizationMode {
  return {
    authorize(request) {
      for (const policy of policies) {
        if (isFor(policy, request.user) && covers(policy, request)) return ALLOW;
      }
      return NOTHING;
    },
    rulesFor: (user, namespace) =>
      allRules(
        policies
          .filter((policy) => isFor(policy, user) && matches(policy.namespace, namespace))
          .flatMap(rulesOf),
      ),
  };
}

function rulesOf({ readonly, apiGroup, resource, nonResourcePath }: AttributePolicy): PolicyRule[] {
  const verbs = readonly ? READ_VERBS : [ALL];
  const rules: PolicyRule[] = [];
  if (resource !== '') rules.push({ verbs, apiGroups: [apiGroup], resources: [resource] });
  if (nonResourcePath !== '') rules.push({ verbs, nonResourceURLs: [nonResourcePath] });
  return rules;
}
