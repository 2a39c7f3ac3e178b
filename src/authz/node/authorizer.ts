import type { WhenKnown } from '../../store/following.ts';
import { nodeNameOf } from '../../request/node-identity.ts';
import { ALLOW, NO_OPINION, type AuthorizationRequest, type Decision } from '../authorizer.ts';
import { NO_RULES, type AuthorizationMode } from '../rules.ts';
import { CompiledRules } from '../rbac/compiled-rules.ts';
import type { PolicyRule } from '../../meta/policy-rule.ts';
import { nodeRules, type NodeRule, type NodeRuleParts } from './rules.ts';

export interface NodeAuthorizerParts extends NodeRuleParts {
  /** Tells when the graph is complete. */
  readonly known: WhenKnown;
  /** What every node may do. */
  readonly rules: readonly PolicyRule[];
}

const NODE_RULES = {
  ...NO_RULES,
  incomplete: true,
  problems: ['what nodes may do depends on their pods and can not be listed'],
};

/** Lets nodes do what they need for the pods that are on them, and has no opinion on anybody else. */
export function nodeAuthorizer(parts: NodeAuthorizerParts): AuthorizationMode {
  const everyNode = new CompiledRules(parts.rules);
  const rules = nodeRules(parts);
  return {
    authorize(request) {
      const node = nodeNameOf(request.user);
      if (node === undefined) return NO_OPINION;
      const waiting = parts.known();
      if (waiting === undefined) return decide(node, request, { rules, everyNode });
      return waiting.then(() => decide(node, request, { rules, everyNode }));
    },
    rulesFor: (user) => (nodeNameOf(user) === undefined ? NO_RULES : NODE_RULES),
  };
}

interface Rules {
  readonly rules: ReadonlyMap<string, NodeRule>;
  readonly everyNode: CompiledRules;
}

function decide(node: string, request: AuthorizationRequest, { rules, everyNode }: Rules): Decision {
  const { user, info } = request;
  if (node === '') return { ...NO_OPINION, reason: `unknown node for user ${JSON.stringify(user.name)}` };
  const rule = info.isResourceRequest ? rules.get(`${info.group}/${info.resource}`) : undefined;
  if (rule !== undefined) {
    const refusal = rule(node, request);
    return refusal === undefined ? ALLOW : { ...NO_OPINION, reason: refusal };
  }
  return everyNode.allows(info) ? ALLOW : NO_OPINION;
}
