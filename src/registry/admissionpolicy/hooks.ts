import type { ResourceHooks } from '../hooks.ts';
import { statusKeepsMetadata } from '../status-metadata.ts';
import { policyStatusErrors } from './validate.ts';

/** ValidatingAdmissionPolicies. */
export const policyHooks: ResourceHooks = {
  status: {
    prepareForUpdate: () => undefined,
    ...statusKeepsMetadata.status,
    validateUpdate: policyStatusErrors,
  },
};
