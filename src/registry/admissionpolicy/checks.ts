import type { TypeChecks } from '../../schema/rules/rule-book.ts';
import { namedRuleWithOperations, ruleWithOperations } from '../webhookconfiguration/rules.ts';
import { webhookConfiguration } from '../webhookconfiguration/validate.ts';
import { paramKind, paramRef, policyBindingSpec, policySpec } from './validate.ts';

/** Rules of webhook configurations and admission policies that data can't say. */
export const admissionChecks: TypeChecks = {
  'admissionregistration.MutatingWebhookConfiguration': webhookConfiguration,
  'admissionregistration.NamedRuleWithOperations': namedRuleWithOperations,
  'admissionregistration.ParamKind': paramKind,
  'admissionregistration.ParamRef': paramRef,
  'admissionregistration.RuleWithOperations': ruleWithOperations,
  'admissionregistration.ValidatingAdmissionPolicyBindingSpec': policyBindingSpec,
  'admissionregistration.ValidatingAdmissionPolicySpec': policySpec,
  'admissionregistration.ValidatingWebhookConfiguration': webhookConfiguration,
};
