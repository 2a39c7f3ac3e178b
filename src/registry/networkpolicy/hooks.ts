import { objectAt, sizeOf } from '../../meta/fields.ts';
import type { ResourceHooks } from '../hooks.ts';

/** NetworkPolicies rule incoming traffic, and outgoing traffic if they say something about it. */
export const networkPolicyHooks: ResourceHooks = {
  defaults(policy) {
    const spec = objectAt(policy, 'spec');
    if (spec === undefined || sizeOf(spec.policyTypes) > 0) return;
    spec.policyTypes = sizeOf(spec.egress) > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
  },
};
