import { forbiddenError } from '../../errors/status-errors.ts';
import { nodeNameOf } from '../../request/node-identity.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { claimRules, leaseRules, ownObjectRules, requestRules, sliceRules, tokenRules } from './objects.ts';
import { nodeRules } from './nodes.ts';
import type { NodeRestrictionParts, NodeRule } from './parts.ts';
import { podRules } from './pods.ts';

/**
 * Keeps nodes to themselves: to their own Node, its lease and what is on it, with labels that steer no work to them.
 * What is no node isn't concerned.
 */
export function nodeRestriction(parts: NodeRestrictionParts): AdmissionPlugin {
  const rules = rulesByResource(parts);
  return {
    name: 'NodeRestriction',
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    async mutate(request) {
      const node = nodeNameOf(request.user);
      if (node === undefined) return;
      const { resource, name } = request;
      const rule = rules.get(`${resource.group}/${resource.resource}`);
      const refusal =
        node === ''
          ? `it is not known which node the user ${JSON.stringify(request.user.name)} is`
          : await rule?.(node, request);
      if (refusal !== undefined) throw forbiddenError(resource, name, refusal);
    },
  };
}

function rulesByResource(parts: NodeRestrictionParts): ReadonlyMap<string, NodeRule> {
  const group = (name: string): string => parts.names.get(`group.${name}`);
  return new Map<string, NodeRule>([
    ['/pods', podRules(parts)],
    ['/nodes', nodeRules(parts)],
    ['/persistentvolumeclaims', claimRules(parts)],
    ['/serviceaccounts', tokenRules(parts)],
    [`${group('coordination')}/leases`, leaseRules(parts)],
    [`${group('storage')}/csinodes`, ownObjectRules],
    [`${group('resource')}/resourceslices`, sliceRules],
    [`${group('certificates')}/certificatesigningrequests`, requestRules(parts)],
  ]);
}
