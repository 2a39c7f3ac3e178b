import { withStatusRules } from '../status-metadata.ts';
import { policyStatusErrors } from './validate.ts';

/** ValidatingAdmissionPolicies. */
export const policyHooks = withStatusRules(policyStatusErrors);
